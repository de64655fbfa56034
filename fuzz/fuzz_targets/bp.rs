//! Feeds arbitrary bytes to the `.bp` front end.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzz::check(bytes, frontend::Language::BooleanProgram));
