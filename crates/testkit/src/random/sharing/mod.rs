//! Random small programs whose threads publish, free and reuse memory, with atomics of every
//! order, fences, locks and flags: as a syntax tree (`tree`) that is printed as C ([`print`])
//! and that an oracle runs ([`crate::reference::happens_before`]).
//!
//! Most of what is generated would be right if every decision were; how often one is taken
//! wrongly is drawn for each program, so that both answers are common. [`smaller`] makes a
//! failing program small.

mod acts;
mod channel;
mod generate;
mod print;
mod smaller;
mod tree;

pub use generate::sharing;
pub use print::{c_text, native_text};
pub use smaller::smaller;
pub use tree::{
    A, B, Base, Change, Condition, Global, Load, N, N_MEMBERS, N_NUMBERS, N_POINTERS, NEXT,
    Operand, Order, Place, Program, Register, Source, Statement,
};
