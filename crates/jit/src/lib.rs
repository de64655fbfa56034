//! Compiles `model::rule_code` to machine code.
