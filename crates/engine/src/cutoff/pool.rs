//! Threads that have done nothing yet, and how a state says that there may be more.
//!
//! In a run with n threads those that have not stepped yet need not be part of the
//! state: each is drawn from the pool when it makes its first step. That is exact as
//! long as nothing can happen to them. Where a broadcast moves threads that are in an
//! initial store, threads are drawn before they step, and a mark in the state says that
//! nobody who comes later can still be in that store.

use model::{BroadcastId, Multiplicity, StopReason, Store, Template};

use super::states::{MAX_COUNT, add, entry, local_of};
use super::table::{Local, MAX_LOCALS, Table};

/// Initial stores that marks can be told apart for.
const MAX_MARKS: usize = 32;

/// Ways to start with the threads whose number is fixed, at most.
const MAX_STARTS: usize = 100_000;

/// Threads of a state, at most: any of their local stores has room for all of them.
pub const MAX_THREADS: u32 = MAX_COUNT - 2;

/// Who may be drawn.
pub struct Pool {
    /// The stores that drawn threads start in, each with a template of any number.
    pub stores: Vec<(Local, usize)>,
    /// Are threads drawn before they step?
    pub is_early: bool,
}

impl Pool {
    /// The pool of a program's templates.
    pub fn new(table: &mut Table<'_>, is_early: bool) -> Result<Pool, StopReason> {
        let mut stores: Vec<(Local, usize)> = Vec::new();
        let program = table.program();
        for (idx, template) in program.templates().iter().enumerate() {
            if template.multiplicity != Multiplicity::Any {
                continue;
            }
            for store in &template.initial {
                let local = table.local_number(store);
                if stores.iter().all(|known| known.0 != local) {
                    stores.push((local, idx));
                }
            }
        }
        if is_early && stores.len() > MAX_MARKS {
            let why = "a broadcast moves threads that start in more than 32 stores".to_owned();
            return Err(StopReason::Incomplete { why });
        }
        Ok(Pool { stores, is_early })
    }

    /// The store of the pool's threads that states leave out, since it follows from the
    /// number of threads how many are there.
    pub fn left_out(&self) -> Option<Local> {
        self.stores.first().filter(|_| !self.is_early).map(|store| store.0)
    }

    /// Can a thread that has done nothing so far be in this store of the pool?
    pub fn is_open(&self, row: &[u32], idx: usize) -> bool {
        let mark = MAX_LOCALS + idx as Local;
        row[1..].binary_search_by_key(&mark, |&entry| local_of(entry)).is_err()
    }

    /// Does the broadcast move threads of the pool?
    pub fn is_moved_by(&self, table: &mut Table<'_>, broadcast: BroadcastId) -> bool {
        let moves = |&(local, _): &(Local, usize)| table.passive(broadcast, local).ne([local]);
        self.stores.iter().any(moves)
    }

    /// Marks the stores of the pool that nobody stays in when this broadcast happens.
    pub fn mark(&self, table: &mut Table<'_>, broadcast: BroadcastId, row: &mut Vec<u32>) {
        for (idx, &(local, _)) in self.stores.iter().enumerate() {
            if table.passive(broadcast, local).all(|to| to != local) && self.is_open(row, idx) {
                row.push(entry(MAX_LOCALS + idx as Local, 1));
                row[1..].sort_unstable();
            }
        }
    }
}

/// Why there is no answer about more than [`MAX_THREADS`] threads.
pub fn too_many_threads() -> StopReason {
    let why = format!("more than {MAX_THREADS} threads are not explored");
    StopReason::Incomplete { why }
}

/// The ways in which the threads whose number is fixed can start, as rows without a
/// shared store; and how many threads those are.
///
/// # Errors
/// There are too many ways.
pub fn starts(table: &mut Table<'_>) -> Result<(Vec<Vec<u32>>, u32), StopReason> {
    let mut rows = vec![vec![0]];
    let mut n_fixed = 0u32;
    let program = table.program();
    for template in program.templates() {
        let Multiplicity::Exactly(count) = template.multiplicity else { continue };
        n_fixed = n_fixed.saturating_add(count);
        if n_fixed >= MAX_THREADS {
            return Err(too_many_threads());
        }
        rows = with_threads(table, rows, template, count)?;
    }
    Ok((rows, n_fixed))
}

fn with_threads(
    table: &mut Table<'_>,
    mut rows: Vec<Vec<u32>>,
    template: &Template,
    count: u32,
) -> Result<Vec<Vec<u32>>, StopReason> {
    let number = |store: &Store| table.local_number(store);
    let locals: Vec<Local> = template.initial.iter().map(number).collect();
    for _ in 0..count {
        let mut next = Vec::new();
        for row in &rows {
            for &local in &locals {
                let mut row = row.clone();
                add(&mut row, local);
                next.push(row);
            }
        }
        next.sort();
        next.dedup();
        if next.len() > MAX_STARTS {
            let why = "there are more than 100000 ways to start".to_owned();
            return Err(StopReason::Incomplete { why });
        }
        rows = next;
    }
    Ok(rows)
}
