//! C programs as compiled: LLVM IR, read, linked, and run by a virtual machine that
//! is a [`model::ThreadProgram`].
//!
//! - [`ir`]: a module as data, without its decoration.
//! - [`read`](mod@read): such a module from text.
//! - [`link`](mod@link): one module of several.
//! - [`code`]: what the machine runs, lowered from it.
//! - [`forgotten`]: which variables the stores hold nothing of.
//! - [`library`]: the library functions that the machine knows.
//! - [`memory`]: objects and bytes, the only way to them.
//! - [`variants`]: the meanings that are searched, and in which order.
//! - [`value`]: numbers, addresses, and symbolic inputs.

mod canonical;
pub mod code;
mod describe;
pub mod forgotten;
mod future;
pub mod ir;
pub mod library;
pub mod link;
pub mod machine;
pub mod memory;
mod places;
mod program;
pub mod read;
pub mod value;
pub mod variants;

pub use link::link;
pub use places::is_same_file;
pub use program::{CProgram, NoProgram, Observer, Questions, Varied};
pub use read::{ReadError, read};
pub use variants::{CVariants, Compiled, Crowd, Reservation, Wanted};
