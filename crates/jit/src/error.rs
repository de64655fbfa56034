//! Why a program did not become machine code.

/// Why there is no machine code. The caller goes on with the interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// No code can be made for this computer.
    #[error("no machine code for this computer: {why}")]
    Host {
        /// What the code generator says.
        why: String,
    },
    /// The program breaks a rule of `model::rule_code`.
    #[error("malformed rule code in function `{function}`: {what}")]
    Malformed {
        /// The function's name.
        function: String,
        /// Which rule.
        what: &'static str,
    },
    /// A state or a function's local memory is too large.
    #[error("{what} has {bits} bits, more than the {allowed} that machine code takes")]
    TooLarge {
        /// A state, or a function.
        what: String,
        /// Its size.
        bits: u64,
        /// The largest that is taken.
        allowed: u64,
    },
    /// A function is so long that compiling it would take too much memory.
    #[error("`{function}` is too long for machine code: about {mebibytes} MiB to compile it")]
    TooLong {
        /// The function's name.
        function: String,
        /// Memory that compiling it would take.
        mebibytes: u64,
    },
    /// The code generator refused a function.
    #[error("cannot generate machine code: {why}")]
    Generation {
        /// What the code generator says.
        why: String,
    },
}
