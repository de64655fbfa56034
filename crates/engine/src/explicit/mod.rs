//! Explicit-state search over `model::TransitionSystem`.
