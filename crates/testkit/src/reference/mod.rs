//! Naive searches that engines are compared with. Simple on purpose: each is
//! short enough to be believed by reading it.
//!
//! [`explicit`] finds errors among few threads or small counts; [`backward`] is
//! exact for every system without upper bounds; [`karp_miller`] is exact for
//! plain nets and independent of `backward`; [`thread_states`] is what few threads
//! reach; [`refinement`] compares what one thread of each of two programs does, and
//! [`side_by_side`] runs one thread of each;
//! [`addresses`] has what threads can note about addresses;
//! [`boolean`] runs Boolean programs as they are written, [`flow_program`] their graphs.
//! [`published_tree`] is here for another reason: it is the algorithm as
//! published, and it is incomplete.

pub mod addresses;
pub mod backward;
pub mod boolean;
pub mod composition;
pub mod counting;
pub mod explicit;
pub mod flow_program;
pub mod happens_before;
pub mod karp_miller;
pub mod naive_system;
pub mod published_tree;
pub mod refinement;
pub mod rules;
pub mod side_by_side;
pub mod thread_states;

/// What a naive search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceAnswer {
    /// An error is reachable; the shortest way has this many steps, where the
    /// search is one that counts steps.
    Reachable {
        /// Steps to the error, or 0 where the search does not count them.
        depth: usize,
    },
    /// No error, and everything was seen: none exists.
    Unreachable,
    /// No error within the bound; says nothing beyond it.
    NotWithin,
}
