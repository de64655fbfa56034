//! Produces the local stores that the threads start in.

use model::{Limits, Multiplicity, StopReason, Store, ThreadProgram};

/// Starts between two looks at the limits.
const STARTS_BETWEEN_LOOKS: u64 = 4096;

/// Can the program start with `n_threads` threads?
///
/// # Errors
/// It cannot.
pub(super) fn check(program: &dyn ThreadProgram, n_threads: u32) -> Result<(), StopReason> {
    let missing = match choices(program, n_threads) {
        Some(choices) if choices.iter().all(|choice| !choice.is_empty()) => return Ok(()),
        Some(_) => "the initial states have fewer",
        None => "the initial states have more",
    };
    let construct = format!("a run that starts with {n_threads} threads ({missing})");
    Err(StopReason::Unsupported { construct, span: None })
}

/// For each thread the stores it may start in: first those of templates with a
/// fixed number, then the others. `None` when the fixed ones are too many.
fn choices(program: &dyn ThreadProgram, n_threads: u32) -> Option<Vec<Vec<Store>>> {
    let mut choices: Vec<Vec<Store>> = Vec::new();
    let mut free: Vec<Store> = Vec::new();
    for template in program.templates() {
        match template.multiplicity {
            Multiplicity::Any => free.extend(template.initial.iter().cloned()),
            Multiplicity::Exactly(n) => {
                if u64::from(n) + choices.len() as u64 > u64::from(n_threads) {
                    return None;
                }
                choices.extend((0..n).map(|_| template.initial.clone()));
            }
        }
    }
    free.sort();
    free.dedup();
    choices.resize(n_threads as usize, free);
    Some(choices)
}

/// The templates of the threads of [`each`], in which `locals` are.
pub(super) fn templates(program: &dyn ThreadProgram, locals: &[Store]) -> Option<Vec<usize>> {
    let mut templates = Vec::new();
    for (idx, template) in program.templates().iter().enumerate() {
        if let Multiplicity::Exactly(n) = template.multiplicity {
            templates.extend((0..n).map(|_| idx));
        }
    }
    for local in locals.get(templates.len()..)? {
        let found = program.templates().iter().position(|template| {
            template.multiplicity == Multiplicity::Any && template.initial.contains(local)
        });
        templates.push(found?);
    }
    Some(templates)
}

/// Shows every way in which `n_threads` threads may start to `visit`.
///
/// # Errors
/// A limit was reached, or `visit` says so.
pub(super) fn each(
    program: &dyn ThreadProgram,
    n_threads: u32,
    limits: &Limits,
    visit: &mut dyn FnMut(&[&Store]) -> Result<(), StopReason>,
) -> Result<(), StopReason> {
    let Some(choices) = choices(program, n_threads) else { return Ok(()) };
    if choices.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut picked = vec![0usize; choices.len()];
    for n_done in 0u64.. {
        if n_done.is_multiple_of(STARTS_BETWEEN_LOOKS) {
            limits.check()?;
        }
        let locals: Vec<&Store> =
            choices.iter().zip(&picked).map(|(choice, &idx)| &choice[idx]).collect();
        visit(&locals)?;
        let Some(next) = (0..picked.len()).rev().find(|&i| picked[i] + 1 < choices[i].len()) else {
            break;
        };
        picked[next] += 1;
        picked[next + 1..].fill(0);
    }
    Ok(())
}
