//! Decides where runs of a thread program start, as zones over the vocabulary.
//!
//! Threads of templates with a fixed number are distributed over their initial
//! stores in every possible way; so are all threads when their number is asked for.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Bounds, InitialZone, Multiplicity, Problem, Store, Template, ThreadCount, ThreadProgram,
    ThreadRuns,
};

use crate::choose::{ways, within};
use crate::rejection::Rejection;
use crate::threads::Names;

/// How many threads start in each store; stores without a thread are not listed.
type Distribution = BTreeMap<Store, u32>;

/// Does the question make sense: does some run start with `asked` threads?
pub(crate) fn check_question(problem: Problem<'_>, asked: ThreadCount) -> Result<(), Rejection> {
    match (problem, asked) {
        (Problem::States(_), ThreadCount::AsGiven) => Ok(()),
        (Problem::States(_), _) => {
            Err(Rejection::ScopeMismatch { asked, scope: ThreadCount::AsGiven })
        }
        (_, ThreadCount::Any) => Ok(()),
        (Problem::Counters(_) | Problem::Parameterized(_), _) | (_, ThreadCount::AsGiven) => {
            Err(Rejection::ScopeMismatch { asked, scope: ThreadCount::Any })
        }
        (
            Problem::Threads(program) | Problem::ThreadRuns(ThreadRuns { program, .. }),
            ThreadCount::Exactly(n),
        ) => n_free(program.templates(), n).map(|_| ()),
    }
}

/// All initial configurations of `program` for `scope`.
pub(crate) fn zones(
    program: &dyn ThreadProgram,
    scope: ThreadCount,
    names: &Names<'_>,
) -> Result<Vec<InitialZone>, Rejection> {
    let templates = program.templates();
    let free = free_stores(templates);
    let mut starts = fixed_distributions(templates)?;
    if let ThreadCount::Exactly(n) = scope {
        let choices: Vec<Store> = free.iter().cloned().collect();
        starts = distribute(&starts, n_free(templates, n)?, &choices)?;
    }
    let mut zones = Vec::new();
    for shared in program.initial_shared() {
        let control = names.control(shared.bytes()).ok_or_else(not_named)?;
        for start in &starts {
            let mut bounds = BTreeMap::new();
            for (store, &n_threads) in start {
                let counter = names.counter(store.bytes()).ok_or_else(not_named)?;
                bounds.insert(counter, Bounds::exactly(n_threads));
            }
            if scope == ThreadCount::Any {
                for store in &free {
                    let counter = names.counter(store.bytes()).ok_or_else(not_named)?;
                    bounds.entry(counter).or_insert(Bounds::exactly(0)).max = None;
                }
            }
            zones.push(InitialZone { control, bounds: bounds.into_iter().collect() });
        }
        within(zones.len(), "initial configurations")?;
    }
    if zones.is_empty() {
        return Err(Rejection::malformed("the program has no initial configuration"));
    }
    Ok(zones)
}

/// The number of threads of templates without a fixed number, if there are `n`.
fn n_free(templates: &[Template], n: u32) -> Result<u32, Rejection> {
    let fixed = templates.iter().map(|template| match template.multiplicity {
        Multiplicity::Exactly(n_threads) => u64::from(n_threads),
        Multiplicity::Any => 0,
    });
    let fixed: u64 = fixed.sum();
    let n_free = u64::from(n).checked_sub(fixed).and_then(|left| u32::try_from(left).ok());
    match n_free {
        Some(left) if left == 0 || !free_stores(templates).is_empty() => Ok(left),
        _ => Err(Rejection::malformed(format!("no run starts with exactly {n} threads"))),
    }
}

/// The stores in which any number of threads may start.
fn free_stores(templates: &[Template]) -> BTreeSet<Store> {
    let free = templates.iter().filter(|template| template.multiplicity == Multiplicity::Any);
    free.flat_map(|template| template.initial.iter().cloned()).collect()
}

/// All ways to start the threads of templates with a fixed number.
fn fixed_distributions(templates: &[Template]) -> Result<Vec<Distribution>, Rejection> {
    let mut starts = vec![Distribution::new()];
    for template in templates {
        if let Multiplicity::Exactly(n_threads) = template.multiplicity {
            let choices: BTreeSet<Store> = template.initial.iter().cloned().collect();
            let choices: Vec<Store> = choices.into_iter().collect();
            starts = distribute(&starts, n_threads, &choices)?;
        }
    }
    Ok(starts)
}

/// Adds `n_threads` threads to each start, in every way.
fn distribute(
    starts: &[Distribution],
    n_threads: u32,
    choices: &[Store],
) -> Result<Vec<Distribution>, Rejection> {
    let ways = ways(n_threads, choices.len())?;
    let mut longer = BTreeSet::new();
    for start in starts {
        for way in &ways {
            let mut sum = start.clone();
            for &(choice, n_more) in way {
                let n_threads = sum.entry(choices[choice].clone()).or_default();
                *n_threads = n_threads
                    .checked_add(n_more)
                    .ok_or_else(|| Rejection::malformed("more threads than 32 bits can count"))?;
            }
            longer.insert(sum);
            within(longer.len(), "initial distributions of threads")?;
        }
    }
    Ok(longer.into_iter().collect())
}

fn not_named() -> Rejection {
    let why = "it has a store that the certificate does not name".to_owned();
    Rejection::InitialNotCovered { why }
}
