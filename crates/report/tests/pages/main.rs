//! Runs as pages for the browser and as SARIF: what is in them, and that text from an
//! input stays text.

mod html;
mod rules;
mod sarif;
mod two_locks;
mod witness;
