//! Murphi: rules over a state of variables, in the dialects of CMurphi and rumur.
//!
//! `lex` and `parse` give the text as written (`ast`), `resolve` settles names and
//! types (`typed`), `layout` says where everything lies. Then there are two ways
//! on: `interpret` runs the typed model as it stands, for re-checking and as the
//! reference; `lower` turns it into `model::rule_code`, for the search.

mod ast;
mod describe;
pub mod family;
pub mod faults;
mod interpret;
pub mod layout;
mod lex;
pub(crate) mod load;
pub mod lower;
mod parse;
pub mod print;
mod resolve;
mod simplify;
mod symmetry;
mod system;
pub mod typed;
mod types;
mod visit;

pub use simplify::simplify;
pub use system::MurphiModel;

pub use resolve::{ReadOptions, Reader, read};
