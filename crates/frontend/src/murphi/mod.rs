//! Murphi: rules over a state of variables, in the dialects of CMurphi and rumur.
//!
//! `lex` and `parse` give the text as written (`ast`), `resolve` settles names and
//! types (`typed`), `layout` says where everything lies. Then there are two ways
//! on: `interpret` runs the typed model as it stands, for re-checking and as the
//! reference; `lower` turns it into `model::rule_code`, for the search.

mod describe;
pub mod faults;
mod interpret;
mod ast;
pub mod layout;
pub(crate) mod load;
mod lex;
mod parse;
mod resolve;
pub mod lower;
mod simplify;
mod symmetry;
mod system;
pub mod typed;

pub use simplify::simplify;
pub use system::MurphiModel;

pub use resolve::{ReadOptions, Reader, read};
