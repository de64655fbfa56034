//! Machine code for the rules of a model, where there are rules and the machine is
//! one that we can generate code for.

use frontend::Model;
use frontend::murphi::MurphiModel;
use frontend::murphi::family::{MurphiAbstraction, MurphiFamily};
use jit::{CompileError, Compiled};
use model::parameterized::{Cells, ParameterizedSystem, StepsBeside};
use model::{Problem, StateProblem, TransitionSystem};

use crate::input::Loaded;

/// The compiled rules of a model, or why there are none.
pub enum MachineCode<'a> {
    /// Nothing to compile, or the user wants the interpreter.
    None,
    /// Compiled.
    Ready(Box<Compiled<'a>>),
    /// Instances of a model for any number of elements, and the steps of its views.
    Family(Vec<Compiled<'a>>, Vec<CompiledViews<'a>>),
    /// The compiler refused.
    Refused(String),
}

impl<'a> MachineCode<'a> {
    /// Compiles the rules of a model.
    pub fn of(loaded: &'a Loaded, interpret: bool) -> MachineCode<'a> {
        let compiled = match loaded {
            Loaded::Text(_) if interpret => return MachineCode::None,
            Loaded::Text(Model::States(murphi)) => {
                compile(murphi).map(|compiled| MachineCode::Ready(Box::new(compiled)))
            }
            Loaded::Text(Model::Family(family)) => compile_family(family),
            _ => return MachineCode::None,
        };
        compiled.unwrap_or_else(|error| MachineCode::Refused(error.to_string()))
    }

    /// `problem` with the compiled rules in place of the interpreted ones; `None` if there
    /// are none.
    pub fn instead_of<'b>(&'b self, problem: Problem<'b>) -> Option<Problem<'b>> {
        match (self, problem) {
            (MachineCode::Ready(compiled), Problem::States(problem)) => {
                Some(Problem::States(StateProblem { system: compiled.as_ref(), ..problem }))
            }
            (MachineCode::Family(instances, _), Problem::States(problem)) => {
                let variant = problem.system.variant();
                let system = instances.iter().find(|instance| instance.variant() == variant)?;
                Some(Problem::States(StateProblem { system, ..problem }))
            }
            (MachineCode::Family(_, views), Problem::Parameterized(system)) => {
                let variant = system.variant();
                let views = views.iter().find(|views| views.variant() == variant)?;
                Some(Problem::Parameterized(views))
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

fn compile(model: &MurphiModel) -> Result<Compiled<'_>, CompileError> {
    jit::compile(model.rule_program(), model)
}

fn compile_family(family: &MurphiFamily) -> Result<MachineCode<'_>, CompileError> {
    let instances = family.instances.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
    let views = family.abstractions.iter().map(CompiledViews::new);
    Ok(MachineCode::Family(instances, views.collect::<Result<Vec<_>, _>>()?))
}

/// The steps of views as machine code.
pub struct CompiledViews<'a> {
    face: &'a MurphiAbstraction,
    own: Compiled<'a>,
    beside: Vec<Compiled<'a>>,
}

impl<'a> CompiledViews<'a> {
    fn new(face: &'a MurphiAbstraction) -> Result<CompiledViews<'a>, CompileError> {
        let own = compile(face.own_model())?;
        let beside = face.models_beside().map(compile).collect::<Result<Vec<_>, _>>()?;
        Ok(CompiledViews { face, own, beside })
    }
}

impl ParameterizedSystem for CompiledViews<'_> {
    fn parameter(&self) -> &str {
        self.face.parameter()
    }

    fn nodes(&self) -> Option<&str> {
        self.face.nodes()
    }

    fn n_visible(&self) -> u32 {
        self.face.n_visible()
    }

    fn own(&self) -> &dyn TransitionSystem {
        &self.own
    }

    fn n_beside(&self) -> usize {
        self.beside.len()
    }

    fn beside(&self, idx: usize) -> StepsBeside<'_> {
        StepsBeside { system: &self.beside[idx], ..self.face.beside(idx) }
    }

    fn cells(&self) -> &Cells {
        self.face.cells()
    }

    fn n_smaller(&self) -> usize {
        self.face.n_smaller()
    }

    fn smaller(&self, idx: usize) -> &dyn TransitionSystem {
        self.face.smaller(idx)
    }
}
