//! The order in which a thread joins others does not matter where it does nothing else in
//! between: it goes on when all have ended.
//!
//! Take a state in which the first thread will join some threads one after the other, and one
//! with the same threads in which it joins them in another order. Whatever run one state has,
//! the other has too, but for joins that come earlier or later: until all have ended the first
//! thread does nothing that anybody can see, and from then on both states are the same up to
//! names, since threads that have ended and were joined differ in nothing that anybody reads.
//! (In terms of van Glabbeek and Weijland, JACM 1996: the states are branching bisimilar, and
//! joins are the silent steps.) So of all orders one is looked at: threads that still run come
//! first, so that the first thread waits until all have ended, and among them the order is
//! that of their forms, so that states that differ in who is where become equal.
//!
//! **Sound** where nobody but the first thread has the `pthread_t` of a thread that changes
//! places, so that nobody else joins or detaches it, not even itself (programs that ask for
//! their own `pthread_t` are left alone, [`crate::program`]); and nobody waits for the first
//! thread, so that no circle of waiting threads leads through it. It joins only, it does not
//! look at results, and it blocks while one of them runs: `program/joins.rs` tries that out.
//! **Not for** formulas about runs, and not where what is asked depends on local stores:
//! whoever searches says so.

use super::names::{SharedNames, ThreadNames};
use crate::code::Code;
use crate::memory::ThreadIdentity;

/// In whose place each thread is joined: pairs of an old and a new one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct JoinOrder(Vec<(u32, u32)>);

impl JoinOrder {
    /// The order that does not depend on names, where there is a choice.
    pub(super) fn of(code: &Code, shared: &SharedNames, threads: &[&ThreadNames]) -> JoinOrder {
        let first = ThreadIdentity::first(code);
        let Some(joiner) = threads.iter().find(|thread| thread.me == first) else {
            return JoinOrder::default();
        };
        let others = || threads.iter().filter(|thread| thread.me != first);
        let is_held = |number: u32| others().any(|thread| thread.held.contains(&number));
        if joiner.joins.len() < 2 || shared.names_first_thread || is_held(first.number()) {
            return JoinOrder::default();
        }
        let is_free = |number: u32| {
            let state = shared.thread(number);
            state.is_some_and(|state| state.is_joinable && !state.has_handle) && !is_held(number)
        };
        // What comes after a join that may fail is not sure to be joined.
        let is_joinable = |number| shared.thread(number).is_some_and(|state| state.is_joinable);
        let joined = joiner.joins.iter().copied().take_while(|&number| is_joinable(number));
        let old: Vec<u32> = joined.filter(|&number| is_free(number)).collect();
        let mut new = old.clone();
        new.sort_by_cached_key(|&number| {
            let running = others().find(|thread| thread.me.number() == number);
            let form = running.map(|thread| thread.form.as_slice());
            let state = shared.thread(number).map(|state| state.form.as_slice());
            (form.is_none(), form, state, shared.rank[number as usize])
        });
        JoinOrder(old.into_iter().zip(new).collect())
    }

    /// Does everybody keep their place?
    pub(super) fn changes_nothing(&self) -> bool {
        self.0.iter().all(|(old, new)| old == new)
    }

    /// Whom the first thread names afterwards in place of `number`.
    pub(super) fn named(&self, number: u32) -> u32 {
        let moved = self.0.iter().find(|(old, _)| *old == number);
        moved.map_or(number, |(_, new)| *new)
    }
}
