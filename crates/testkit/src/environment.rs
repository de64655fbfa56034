//! Numbers that tests read from the environment, so that a long run needs no new build.

/// The value of an environment variable, or `default` where it is not set.
///
/// # Panics
/// It is set, and not to a number: a long run must not be a short one by mistake.
pub fn number_from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => default,
    }
}
