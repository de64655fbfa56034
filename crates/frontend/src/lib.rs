//! Text to model: reads nets (`.spec`, `.pnml`), thread transition systems (`.tts`),
//! Boolean programs (`.bp`) and Murphi models (`.m`), and writes the first three.
//!
//! Each language has its own folder with the same stations: `ast` is the text as
//! written, `parse` produces it and reports as many mistakes as it can, `lower`
//! turns it into one of the seams of `model`, `print` is the way back. [`convert`]
//! goes from one language to another wherever the verdict survives.
//!
//! **Invariants.** No input panics; [`load`] gives no model exactly when one of
//! its diagnostics is an error; time and memory are linear in the text, never in
//! the numbers that it mentions.

pub mod boolprog;
mod bounds;
mod codes;
mod conditions;
mod convert;
mod load;
pub mod ltl;
pub mod murphi;
mod pnml;
mod sink;
mod source;
mod spec;
mod suggest;
mod tts;

pub use boolprog::{BooleanProgram, Reductions};
pub use codes::CODES;
pub use convert::{ConvertError, Converted, convert};
pub use load::{AnyNumber, Inputs, Language, Model, Question, load};
pub use tts::TtsProgram;
