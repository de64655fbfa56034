//! Where objects lie, as far as somebody has looked: which are at one address, and which
//! lies below which.
//!
//! A pointer is an object and an offset, and objects have no addresses. Two objects that
//! live at the same time lie apart. A new one may lie where a dead one lay, which a program
//! can see: it may compare the old address with the new one (the ABA problem).
//!
//! **State.** What is known of two objects is a [`Fact`]; two without a fact lie *apart*,
//! and nobody knows which is lower. A birth leaves the question *open* for each dead object
//! that the new one may replace. The first comparison whose answer depends on it decides:
//! both answers are explored, and the answer is kept with all that follows from it
//! (`closure.rs`). Equality is decided by *same* or *apart*, order by *below*. Facts lie in
//! the shared store if threads share both objects, otherwise in the thread's own. They are
//! weak: who has only a fact about an object does not remember it. Facts about objects
//! that nobody remembers are dropped, so there are finitely many.
//!
//! **Sound**, because addresses are fixed at birth in life: a decision is a *look* at what
//! was settled before, so it commutes with everything that others do, and with their looks.
//! All answers are points on a line, and whatever a thread's own objects make follow for
//! shared ones is kept with the shared ones. So the facts that any two threads have fit
//! together, and every combination of answers is one of an allocator that has room.
//!
//! **What reductions see.** Looks leave no trace in footprints. What matters is whether a
//! death came before a birth: an open question has the answers of a closed one and more.
//! So births are made as late as can be, and begin a step; deaths are made early, and end
//! one (`machine::run`). Both touch a byte that stands for all addresses: a birth reads it
//! and a death writes it. A private object that is freed while somebody has its address
//! becomes shared, so that births in other threads see it.
//!
//! **Who pays.** Programs that cannot compare two addresses of which one may be dead
//! (`crate::code::Watch`) keep no facts. Should one do so after all, it is refused.
//!
//! **Limits.** Equal means equal first bytes: a new object is never found in the middle of
//! where a dead one lay. Heap objects replace heap objects, thread objects thread objects, and
//! local variables those of the same thread. A variable that lies directly behind another one
//! is refused where that decides something.
//! **Source** The eager form is in Norris and Demsky, *CDSChecker*, OOPSLA 2013, which reuses
//! freed memory in allocation order. We differ: the choice is made when it is looked at, and
//! provenance stays that of the pointer, as in Memarian et al., *Exploring C semantics and
//! pointer provenance*, POPL 2019.

mod births;
mod closure;
mod facts;
#[cfg(test)]
mod tests;

pub use closure::Relation;
pub(super) use facts::{Fact, Facts, Known};
