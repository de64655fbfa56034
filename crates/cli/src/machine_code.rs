//! Machine code for the rules of a model, where there are rules and the machine is
//! one that we can generate code for.

use frontend::Model;
use jit::Compiled;
use model::{Problem, StateProblem};

use crate::input::Loaded;

/// The compiled rules of a model, or why there are none.
pub enum MachineCode<'a> {
    /// Nothing to compile, or the user wants the interpreter.
    None,
    /// Compiled.
    Ready(Box<Compiled<'a>>),
    /// The compiler refused.
    Refused(String),
}

impl<'a> MachineCode<'a> {
    /// Compiles the rules of a model.
    pub fn of(loaded: &'a Loaded, interpret: bool) -> MachineCode<'a> {
        let Loaded::Text(Model::States(murphi)) = loaded else { return MachineCode::None };
        if interpret {
            return MachineCode::None;
        }
        match jit::compile(murphi.rule_program(), murphi.as_ref()) {
            Ok(compiled) => MachineCode::Ready(Box::new(compiled)),
            Err(error) => MachineCode::Refused(error.to_string()),
        }
    }

    /// `problem` with the compiled rules in place of the interpreted ones; `None` if there
    /// are none.
    pub fn instead_of<'b>(&'b self, problem: Problem<'b>) -> Option<Problem<'b>> {
        match (self, problem) {
            (MachineCode::Ready(compiled), Problem::States(problem)) => {
                Some(Problem::States(StateProblem { system: compiled.as_ref(), ..problem }))
            }
            _ => None,
        }
    }

    /// What the user should know.
    pub fn note(&self) -> Option<String> {
        match self {
            MachineCode::Refused(why) => {
                Some(format!("the rules ran in the interpreter, which is slower: {why}"))
            }
            _ => None,
        }
    }
}
