//! Gives each initial thread of a run a template, so that fixed multiplicities are met:
//! templates of fixed multiplicity take as many threads as they need, and only threads
//! that a template of any multiplicity accepts are left over.

use model::{Multiplicity, StopReason, Store, Template, ThreadProgram};

use super::flow::TokenFlow;
use super::threads::mismatch;

/// A template for each thread.
///
/// # Errors
/// When there is none for one of them: a bug, and reported as such.
pub fn assign(program: &dyn ThreadProgram, threads: &[Store]) -> Result<Vec<usize>, StopReason> {
    let mut groups: Vec<(&Store, u64)> = Vec::new();
    let mut group_of = Vec::with_capacity(threads.len());
    for thread in threads {
        let known = groups.iter().position(|(store, _)| *store == thread);
        let group = known.unwrap_or_else(|| {
            groups.push((thread, 0));
            groups.len() - 1
        });
        groups[group].1 += 1;
        group_of.push(group);
    }
    let mut shares = Shares::of(program, &groups)?;
    Ok(group_of.into_iter().map(|group| shares.take(group)).collect())
}

/// How many threads of each group, which start alike, get which template.
pub struct Shares(Vec<Vec<(usize, u64)>>);

impl Shares {
    /// Templates for groups of threads, given by their store and size.
    ///
    /// # Errors
    /// When there is none for one of them: a bug, and reported as such.
    pub fn of(program: &dyn ThreadProgram, groups: &[(&Store, u64)]) -> Result<Shares, StopReason> {
        let mut shares = distribute(program, groups)?;
        shares.iter_mut().for_each(|share| share.reverse());
        Ok(Shares(shares))
    }

    /// The template of one more thread of a group.
    pub fn take(&mut self, group: usize) -> usize {
        let (template, left) = self.0[group].last_mut().expect("shares add up to the group");
        let template = *template;
        *left -= 1;
        if *left == 0 {
            self.0[group].pop();
        }
        template
    }

    /// The templates of all threads of a group that were not taken.
    pub fn rest(&self, group: usize) -> impl Iterator<Item = (usize, u64)> {
        self.0[group].iter().rev().copied()
    }
}

fn distribute(
    program: &dyn ThreadProgram,
    groups: &[(&Store, u64)],
) -> Result<Vec<Vec<(usize, u64)>>, StopReason> {
    let templates = program.templates();
    let any = |store: &Store| {
        templates.iter().position(|template| {
            template.multiplicity == Multiplicity::Any && template.initial.contains(store)
        })
    };
    // Threads that need a fixed template come first; what was given is never lost.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|group| any(groups[*group].0).is_some());
    let mut flow = TokenFlow {
        destinations: order.iter().map(|group| fixed(templates, groups[*group].0)).collect(),
        left: order.iter().map(|group| groups[*group].1 as i64).collect(),
        given: Vec::new(),
        lacking: templates.iter().map(multiplicity).collect(),
    };
    flow.given = flow.destinations.iter().map(|to| vec![0; to.len()]).collect();
    flow.saturate();
    let mut shares = vec![Vec::new(); groups.len()];
    for (at, group) in order.into_iter().enumerate() {
        let given = flow.destinations[at].iter().zip(&flow.given[at]);
        let given = given.map(|(template, amount)| (*template, *amount as u64));
        shares[group].extend(given.filter(|(_, amount)| *amount > 0));
        if flow.left[at] > 0 {
            let rest = any(groups[group].0).ok_or_else(|| mismatch("a thread has no template"))?;
            shares[group].push((rest, flow.left[at] as u64));
        }
    }
    Ok(shares)
}

/// The templates of fixed multiplicity that threads with this store may have.
fn fixed(templates: &[Template], store: &Store) -> Vec<usize> {
    let is_fixed = |template: &Template| template.multiplicity != Multiplicity::Any;
    let fits = |idx: &usize| is_fixed(&templates[*idx]) && templates[*idx].initial.contains(store);
    (0..templates.len()).filter(fits).collect()
}

fn multiplicity(template: &Template) -> i64 {
    match template.multiplicity {
        Multiplicity::Exactly(n) => i64::from(n),
        Multiplicity::Any => 0,
    }
}
