//! The built command from outside: verbs, exit codes, bad input and limits.

mod bad_input;
mod cutoff;
mod dump_code;
mod full_disk;
mod html;
mod limits;
mod murphi;
mod refine;
mod refine_with;
mod reports;
mod tool;
mod verbs;
mod witness;
