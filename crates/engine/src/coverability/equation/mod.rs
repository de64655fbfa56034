//! The state equation over the rationals, then traps.
