//! What the stores hold of each variable of a program: its value, or nothing.
//!
//! A variable that is *forgotten* has no value in any store: whatever is written to it is
//! dropped, and whoever reads it gets a value of which nothing is known, which may turn out
//! to be anything each time somebody looks. So a counter of a loop, a statistic or an array
//! that nobody reads does not make stores differ.
//!
//! **Over-approximates**: each run of the program is one with forgotten variables, not the
//! other way round. Proofs are right whatever is forgotten; errors are alarms. So what is
//! forgotten may be chosen by trial (`crate::program::crowd`).
//! Predicates about a variable, in place of nothing, would be a third way to hold it; they
//! would live here.
//! **Source** Localisation reduction: Kurshan, *Computer-Aided Verification of Coordinating
//! Processes*, 1994.

use rustc_hash::FxHashSet;

use crate::code::Code;

/// A variable of a program, as far as stores tell variables apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Held {
    /// A global variable, by its number in [`Code::globals`].
    Global(u32),
    /// A register of a function: a local variable, or something on its way.
    Register(u32, u32),
    /// All memory that is allocated at a place, an index into [`Code::places`].
    Allocation(u32),
}

/// The variables of which the stores hold nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    globals: FxHashSet<u32>,
    registers: FxHashSet<(u32, u32)>,
    allocations: FxHashSet<u32>,
}

impl Forgotten {
    /// Forgets one more; false if it was forgotten already.
    pub fn add(&mut self, variable: Held) -> bool {
        match variable {
            Held::Global(number) => self.globals.insert(number),
            Held::Register(function, register) => self.registers.insert((function, register)),
            Held::Allocation(place) => self.allocations.insert(place),
        }
    }

    /// The same without variables that all threads share from the start.
    #[must_use]
    pub fn of_threads(&self) -> Forgotten {
        Forgotten { globals: FxHashSet::default(), ..self.clone() }
    }

    /// Is every variable held?
    pub fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.registers.is_empty() && self.allocations.is_empty()
    }

    /// Is this one forgotten?
    pub fn has(&self, variable: Held) -> bool {
        match variable {
            Held::Global(number) => self.globals.contains(&number),
            Held::Register(function, register) => self.registers.contains(&(function, register)),
            Held::Allocation(place) => self.allocations.contains(&place),
        }
    }

    /// Those that are forgotten, in order.
    pub fn iter(&self) -> impl Iterator<Item = Held> {
        let globals = self.globals.iter().map(|&number| Held::Global(number));
        let registers = self.registers.iter().map(|&(f, register)| Held::Register(f, register));
        let allocations = self.allocations.iter().map(|&place| Held::Allocation(place));
        let mut all: Vec<Held> = globals.chain(registers).chain(allocations).collect();
        all.sort_unstable();
        all.into_iter()
    }
}

impl Held {
    /// A short name that depends on the program alone, for names of variants.
    pub(crate) fn code(self) -> String {
        match self {
            Held::Global(number) => format!("g{number}"),
            Held::Register(function, register) => format!("r{function}.{register}"),
            Held::Allocation(place) => format!("a{place}"),
        }
    }

    /// What people call it: "`i` in `main`".
    pub fn words(self, code: &Code) -> String {
        match self {
            Held::Global(number) => {
                let variable = code.globals.get(number as usize);
                variable.map_or_else(String::new, |variable| format!("`{}`", variable.name))
            }
            Held::Register(function, register) => {
                let Some(function) = code.functions.get(function as usize) else {
                    return String::new();
                };
                let variables = function.body.iter().flat_map(|body| &body.variables);
                let named = variables.into_iter().find(|variable| variable.register == register);
                match named {
                    Some(variable) => format!("`{}` in `{}`", variable.name, function.name),
                    None => format!("a value on its way in `{}`", function.name),
                }
            }
            Held::Allocation(place) => {
                let place = code.places.get(place as usize);
                let words = place.map_or_else(String::new, crate::code::Place::words);
                format!("the memory allocated at {words}")
            }
        }
    }
}
