//! Linear temporal logic over `model::TransitionSystem`.
