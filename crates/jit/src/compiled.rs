//! A transition system that computes with machine code.

use model::rule_code::RuleProgram;
use model::{
    Choice, ChoiceLabel, Fault, Field, Limits, Property, Stepper, Symmetry, TransitionSystem,
    Variant,
};

use crate::code::Code;
use crate::error::CompileError;
use crate::plan::Plan;
use crate::stepper::MachineStepper;
use crate::validate::validate;

/// Machine code, and the front end's own system for everything that is not
/// computing.
pub struct Compiled<'a> {
    face: &'a dyn TransitionSystem,
    pub(crate) code: Code,
    pub(crate) faults: Vec<Fault>,
    pub(crate) state_words: usize,
    pub(crate) frame_words: usize,
    pub(crate) n_covers: u32,
    /// The property that the first `cover` statement is.
    pub(crate) first_cover: u32,
}

/// Compiles `program`, which computes the same as `face`.
///
/// # Errors
/// The program is malformed or too large, or there is no code generator for this
/// computer. The caller can go on with `face`.
pub fn compile(
    program: RuleProgram,
    face: &dyn TransitionSystem,
) -> Result<Compiled<'_>, CompileError> {
    validate(&program, face.properties().len())?;
    let plan = Plan::new(&program, face.properties())?;
    let code = Code::new(&plan)?;
    let (state_words, frame_words) = (plan.state_words as usize, plan.frame_words);
    let (n_covers, first_cover) = (program.n_covers, program.judges.len() as u32);
    let faults = program.faults;
    Ok(Compiled { face, code, faults, state_words, frame_words, n_covers, first_cover })
}

impl TransitionSystem for Compiled<'_> {
    fn variant(&self) -> Variant {
        self.face.variant()
    }

    fn state_bits(&self) -> u32 {
        self.face.state_bits()
    }

    fn state_words(&self) -> usize {
        self.state_words
    }

    fn stepper<'a>(&'a self, limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        Box::new(MachineStepper::new(self, limits))
    }

    fn properties(&self) -> &[Property] {
        self.face.properties()
    }

    fn n_propositions(&self) -> usize {
        self.face.n_propositions()
    }

    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel {
        self.face.choice_label(choice, initial)
    }

    fn actor(&self, choice: Choice) -> Option<u64> {
        self.face.actor(choice)
    }

    fn is_spurious(&self, choice: Choice) -> bool {
        self.face.is_spurious(choice)
    }

    fn actor_name(&self, actor: u64) -> String {
        self.face.actor_name(actor)
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        self.face.describe(state)
    }

    fn symmetry(&self) -> &Symmetry {
        self.face.symmetry()
    }
}
