//! Where threads start: the worlds at the start, with every count that is possible.

use model::{Multiplicity, PushdownProgram, StopReason, Store, Template, ThreadCount};

use super::classes::{Classes, Counts, Members};

/// How many threads each template has at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    least: u32,
    most: u32,
}

/// The numbers of threads of the templates.
pub(super) fn numbers(
    program: &dyn PushdownProgram,
    threads: ThreadCount,
) -> Result<Vec<Number>, StopReason> {
    let templates = program.templates();
    let is_free = |template: &&Template| template.multiplicity == Multiplicity::Any;
    let n_free_templates = templates.iter().filter(is_free).count();
    let fixed: u32 = templates
        .iter()
        .map(|template| match template.multiplicity {
            Multiplicity::Exactly(n) => n,
            Multiplicity::Any => 0,
        })
        .fold(0, u32::saturating_add);
    let free = match threads {
        ThreadCount::Exactly(n) => n.checked_sub(fixed).filter(|n| *n == 0 || n_free_templates > 0),
        _ => Some(u32::MAX),
    };
    let free = free.ok_or_else(|| StopReason::Incomplete {
        why: "no run starts with so many threads".to_owned(),
    })?;
    let is_fixed = matches!(threads, ThreadCount::Exactly(_)) && n_free_templates == 1;
    let number = |template: &Template| match template.multiplicity {
        Multiplicity::Exactly(n) => Number { least: n, most: n },
        Multiplicity::Any => Number { least: if is_fixed { free } else { 0 }, most: free },
    };
    Ok(templates.iter().map(number).collect())
}

/// The counts that are possible at the start.
pub(super) fn counts(classes: &Classes<'_>, numbers: &[Number]) -> Vec<Counts> {
    let mut all = vec![Counts::default()];
    for class in 0..classes.exposed.len() {
        let is_member = |top: &Store| classes.members(Members::default(), top).has(class);
        let (mut least, mut most) = (0_u32, 0_u32);
        for (template, number) in classes.program.templates().iter().zip(numbers) {
            if template.initial.iter().all(is_member) {
                least = least.saturating_add(number.least);
            }
            if template.initial.iter().any(is_member) {
                most = most.saturating_add(number.most);
            }
        }
        let possible = least.min(2) as u8..=most.min(2) as u8;
        all = all
            .into_iter()
            .flat_map(|counts| possible.clone().map(move |count| counts.with(class, count)))
            .collect();
    }
    all
}

/// The tops that threads have at the start, if there are any of their template.
pub(super) fn tops<'p>(
    program: &'p dyn PushdownProgram,
    numbers: &'p [Number],
) -> impl Iterator<Item = &'p Store> {
    let templates = program.templates().iter().zip(numbers);
    templates.filter(|(_, number)| number.most > 0).flat_map(|(template, _)| &template.initial)
}
