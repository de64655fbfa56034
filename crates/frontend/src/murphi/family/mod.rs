//! A Murphi model for any number of elements of one of its types, the *parameter*.
//!
//! The parameter is a scalarset, or a subrange that is used as one. `find` settles which, and
//! that nothing else in the model depends on its size and that its elements are interchangeable:
//! conditions of soundness. `abstraction` makes the models that views of a few elements need, by
//! data type reduction as the CMP method has it; what depends on elements that are not shown is
//! treated by Kleene's logic (`truth`, `expr`), and chosen freely where it is written (`stmt`).
//!
//! **Sound for** invariants, assertions and faults. **Not for** deadlocks, covers and liveness,
//! which are not asked. **Refused**, with their place: multisets, more than two actors of a
//! rule beside a view, and loops that compute something from all elements.
//! **Source** Sethi, Talupur, Schwartz-Narbonne, Malik, *Parameterized Model Checking of Fine
//! Grained Concurrency*, SPIN 2012; Chou, Mannava, Park, FMCAD 2004. We differ: an actor beside
//! the view is not without any state, but has what it may have beside the view, see the engine.
//! **Read first** `truth.rs`, `expr.rs`, `split.rs`.

mod abstraction;
mod cells;
mod combine;
mod defined;
mod effects;
mod expr;
mod find;
mod find_memory;
mod forget;
mod forgotten;
mod functions;
mod give_back;
mod in_words;
mod inline;
mod memory;
mod memory_use;
mod needs;
mod plan;
mod reads;
mod scope;
mod split;
mod stmt;
mod truth;
mod uses;

pub use abstraction::MurphiAbstraction;
pub use find::{FamilyRequest, MurphiFamily, find};
pub use in_words::{AbstractModel, Keep, MAX_KEPT, abstracted};
