//! C programs as compiled: LLVM IR, read, linked, and run by a virtual machine that
//! is a [`model::ThreadProgram`].
//!
//! - [`ir`]: a module as data, without its decoration.

pub mod ir;
