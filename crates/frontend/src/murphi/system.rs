//! A Murphi model as a transition system, run by the interpreter.

use model::rule_code::RuleProgram;
use model::{
    Choice, ChoiceLabel, Diagnostic, Field, Limits, NamedFormula, Property, PropertyKind, Span,
    Stepper, Symmetry, TransitionSystem, Variant,
};

use super::describe;
use super::faults::DEFAULT_MAX_LOOP_TURNS;
use super::interpret::Interpreter;
use super::layout::{Layouts, MAX_STATE_BITS, TooLarge};
use super::lower::lower;
use super::symmetry;
use super::typed::{CoverStatement, Predicate, Program};

/// A model that can be run.
#[derive(Clone, Debug)]
pub struct MurphiModel {
    program: Program,
    layouts: Layouts,
    properties: Vec<Property>,
    symmetry: Symmetry,
    max_loop_turns: u64,
    formula: Option<NamedFormula>,
    variant: Variant,
}

impl MurphiModel {
    /// Lays out the states of `program` and finds its symmetries.
    ///
    /// # Errors
    /// A value or the state is too large.
    pub fn new(program: Program) -> Result<MurphiModel, Diagnostic> {
        let layouts = Layouts::new(&program).map_err(|large| too_large(&program, large))?;
        let covers = program.covers.iter().map(cover);
        let properties = program.properties.iter().map(property).chain(covers).collect();
        let symmetry = symmetry::symmetry(&program, &layouts);
        let max_loop_turns = DEFAULT_MAX_LOOP_TURNS;
        let variant = Variant::AS_WRITTEN;
        let formula = None;
        Ok(MurphiModel { program, layouts, properties, symmetry, max_loop_turns, formula, variant })
    }

    /// The formula over the model's propositions, where one is asked.
    pub fn formula(&self) -> Option<&NamedFormula> {
        self.formula.as_ref()
    }

    /// Asks for a formula over the model's propositions.
    pub fn set_formula(&mut self, formula: NamedFormula) {
        self.formula = Some(formula);
    }

    /// Says which meaning of the text the model is.
    pub fn set_variant(&mut self, variant: Variant) {
        self.variant = variant;
    }

    /// The rules, ready to become machine code.
    pub fn rule_program(&self) -> RuleProgram {
        RuleProgram { max_loop_turns: self.max_loop_turns, ..lower(&self.program, &self.layouts) }
    }

    /// The typed model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where everything lies in a state.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// How often a `while` loop may turn before it is a fault.
    pub fn max_loop_turns(&self) -> u64 {
        self.max_loop_turns
    }

    /// Sets how often a `while` loop may turn before it is a fault.
    pub fn set_max_loop_turns(&mut self, max_loop_turns: u64) {
        self.max_loop_turns = max_loop_turns;
    }
}

impl TransitionSystem for MurphiModel {
    fn variant(&self) -> Variant {
        self.variant.clone()
    }

    fn state_bits(&self) -> u32 {
        self.layouts.state_bits
    }

    fn stepper<'a>(&'a self, limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        let max_loop_turns = self.max_loop_turns;
        Box::new(Interpreter::new(&self.program, &self.layouts, max_loop_turns, limits))
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn n_propositions(&self) -> usize {
        self.program.propositions.len()
    }

    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel {
        let rules = if initial { &self.program.starts } else { &self.program.rules };
        describe::choice_label(&self.program, &self.layouts, rules, choice)
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        describe::describe(&self.program, &self.layouts, state)
    }

    fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }
}

fn property(predicate: &Predicate) -> Property {
    let Predicate { name, kind, span, .. } = predicate;
    Property { name: name.clone(), kind: *kind, span: Some(*span) }
}

fn cover(statement: &CoverStatement) -> Property {
    let CoverStatement { name, span } = statement;
    Property { name: name.clone(), kind: PropertyKind::CoverStatement, span: Some(*span) }
}

fn too_large(program: &Program, large: TooLarge) -> Diagnostic {
    let name = large.ty.map(|ty| program.types.get(ty).name.as_str());
    let what = match name {
        Some("") => String::from("values of a type"),
        Some(name) => format!("values of type `{name}`"),
        None => String::from("the state variables"),
    };
    let message = format!("{what} need more than {MAX_STATE_BITS} bits");
    let span = program.variables.first().map_or(Span::new(0, 0, 0), |variable| variable.span);
    Diagnostic::error("MU090", message, span)
        .help("choose smaller constants: a search needs many states in memory")
}
