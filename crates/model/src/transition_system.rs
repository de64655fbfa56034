//! The most general seam: packed states and their successors.
//!
//! A Murphi model is one, the composition of a [`crate::ThreadProgram`] for n
//! threads is one. Explicit search, symmetry and LTL are written once, over this.
//!
//! A state is a vector of [`TransitionSystem::state_words`] words, of which the
//! first [`TransitionSystem::state_bits`] bits mean something (bit i is bit i % 64
//! of word i / 64) and the rest are zero. Equal words mean the same state.
//!
//! There may be two implementations of one system: machine code for the search
//! and an interpreter for the re-check. They agree on the layout of states, on
//! the numbers of choices and properties, and on faults.

use crate::limits::Limits;
use crate::omission::{Omission, Omissions};
use crate::plan::Variant;
use crate::rule::Rule;
use crate::source::Span;
use crate::symmetry::Symmetry;
use crate::verdict::StopReason;

/// Initial states, successors and properties over packed states.
pub trait TransitionSystem: Sync {
    /// Which meaning of the input it is.
    fn variant(&self) -> Variant {
        Variant::AS_WRITTEN
    }

    /// Bits of a state that mean something.
    fn state_bits(&self) -> u32;

    /// Words of a state.
    fn state_words(&self) -> usize {
        (self.state_bits() as usize).div_ceil(64)
    }

    /// Whoever computes successors, with its own working memory: one per thread
    /// of the search. It looks at `limits` within long computations.
    fn stepper<'a>(&'a self, limits: &Limits) -> Box<dyn Stepper + Send + 'a>;

    /// What is asked of the states.
    fn properties(&self) -> &[Property];

    /// Number of propositions that LTL formulas may speak of; at most 64.
    fn n_propositions(&self) -> usize {
        0
    }

    /// What `choice` is called in a trace. Choices of initial states and choices
    /// of steps are numbered apart; `initial` says which is meant.
    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel;

    /// Whose step `choice` is, for weak fairness: the rule instance of a Murphi
    /// model, the thread of a composition. `None` for steps that nobody is ever
    /// bound to take, as those of an environment are.
    fn actor(&self, choice: Choice) -> Option<u64> {
        Some(choice.0)
    }

    /// Does the step of `choice` happen for no reason, as spurious wake-ups do? A fair run has
    /// finitely many of these.
    fn is_spurious(&self, _choice: Choice) -> bool {
        false
    }

    /// What an actor is called.
    fn actor_name(&self, actor: u64) -> String {
        let label = self.choice_label(Choice(actor), false);
        label.with_parameters()
    }

    /// The variables of a state with their values, in the order of declaration.
    fn describe(&self, state: &[u64]) -> Vec<Field>;

    /// How states may be permuted.
    fn symmetry(&self) -> &Symmetry;
}

impl<T: TransitionSystem + ?Sized> TransitionSystem for &T {
    fn variant(&self) -> Variant {
        (**self).variant()
    }

    fn state_bits(&self) -> u32 {
        (**self).state_bits()
    }

    fn stepper<'a>(&'a self, limits: &Limits) -> Box<dyn Stepper + Send + 'a> {
        (**self).stepper(limits)
    }

    fn properties(&self) -> &[Property] {
        (**self).properties()
    }

    fn n_propositions(&self) -> usize {
        (**self).n_propositions()
    }

    fn choice_label(&self, choice: Choice, initial: bool) -> ChoiceLabel {
        (**self).choice_label(choice, initial)
    }

    fn actor(&self, choice: Choice) -> Option<u64> {
        (**self).actor(choice)
    }

    fn is_spurious(&self, choice: Choice) -> bool {
        (**self).is_spurious(choice)
    }

    fn actor_name(&self, actor: u64) -> String {
        (**self).actor_name(actor)
    }

    fn describe(&self, state: &[u64]) -> Vec<Field> {
        (**self).describe(state)
    }

    fn symmetry(&self) -> &Symmetry {
        (**self).symmetry()
    }
}

/// Computes successors and judges states. Has its own working memory, so that no
/// call allocates once the buffers have grown.
pub trait Stepper {
    /// Adds every initial state to `out`. States that violate an assumption of
    /// the model are left out.
    ///
    /// # Errors
    /// A limit was reached.
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason>;

    /// Adds every successor of `state` to `out`, in an order that depends on
    /// `state` alone. States that violate an assumption of the model are left
    /// out; whatever else is left out is told with [`Successors::omit`]. Once `out`
    /// has a fault, its successors may be incomplete.
    ///
    /// # Errors
    /// A limit was reached.
    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason>;

    /// Says which properties `state` fails (invariants) or reaches (covers and
    /// goals).
    ///
    /// # Errors
    /// A limit was reached.
    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason>;

    /// The propositions that hold in `state`: bit i is proposition i.
    ///
    /// # Errors
    /// A proposition cannot be evaluated.
    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        let _ = state;
        Ok(0)
    }
}

/// Why there is no valuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// The expression has no value here.
    Fault(Fault),
    /// A limit was reached.
    Stopped(StopReason),
}

/// Names one way to start or to step: a rule with its parameters, a thread with
/// its step. Numbered in the order in which successors are computed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Choice(pub u64);

/// What a choice is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceLabel {
    /// Name of the rule.
    pub name: String,
    /// Parameters with their values.
    pub parameters: Vec<Field>,
    /// Where it stands in the input.
    pub span: Option<Span>,
}

impl ChoiceLabel {
    /// `name, p: 1, q: 2`.
    pub fn with_parameters(&self) -> String {
        let mut text = self.name.clone();
        for parameter in &self.parameters {
            text.push_str(&format!(", {}: {}", parameter.name, parameter.value));
        }
        text
    }
}

/// A variable, or a part of one, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// As it is written in the input: `cache[n_1].state`.
    pub name: String,
    /// As it is written in the input.
    pub value: String,
}

/// A question about states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Name for reports.
    pub name: String,
    /// What is asked.
    pub kind: PropertyKind,
    /// Where it stands in the input.
    pub span: Option<Span>,
}

/// What a property asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// It is true in every reachable state.
    Invariant,
    /// It is true in some reachable state.
    Cover,
    /// It is a statement, and some evaluation reaches it with a true condition: of an
    /// initial state, of a step from a reachable state, or of a property there.
    CoverStatement,
    /// From every reachable state, a state where it is true can be reached.
    AlwaysReachable,
}

impl PropertyKind {
    /// Does it fail where nothing reaches it?
    pub fn is_cover(self) -> bool {
        matches!(self, PropertyKind::Cover | PropertyKind::CoverStatement)
    }
}

/// An evaluation that has no value: an error in the model that a run meets.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// What kind of error.
    pub kind: FaultKind,
    /// What happened, as a sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// An `assert` that is false.
    Assertion,
    /// An `error` statement.
    ErrorStatement,
    /// A variable without a value is read.
    Undefined,
    /// A value outside of its variable's range, or an index outside of the array's.
    Range,
    /// A result outside of 64 bits.
    Overflow,
    /// Division by zero, or a quotient outside of 64 bits.
    Division,
    /// A full multiset grows, or an absent element is used.
    Multiset,
    /// A function that ends without `return`.
    MissingReturn,
    /// Calls nest too deeply.
    Recursion,
    /// A loop that runs longer than the bound.
    Loop,
    /// A step of a thread that breaks this rule.
    Step(Rule),
}

impl FaultKind {
    /// The rule that such a fault breaks.
    pub fn rule(self) -> Rule {
        match self {
            FaultKind::Assertion | FaultKind::ErrorStatement => Rule::Assertion,
            FaultKind::Undefined => Rule::UninitialisedMemory,
            FaultKind::Overflow => Rule::Overflow,
            FaultKind::Division => Rule::Division,
            FaultKind::Range
            | FaultKind::Multiset
            | FaultKind::MissingReturn
            | FaultKind::Recursion
            | FaultKind::Loop => Rule::Evaluation,
            FaultKind::Step(rule) => rule,
        }
    }
}

/// Where a fault happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultPlace {
    /// While an initial state is computed.
    Start(Choice),
    /// While the guard or the action of a rule is computed.
    Step(Choice),
    /// While a property is judged.
    Property(u32),
    /// While a proposition of the formula is evaluated.
    Proposition,
}

/// A buffer of successors, used over and over.
#[derive(Debug, Default)]
pub struct Successors {
    /// Words of a state.
    state_words: usize,
    /// The states, one after the other, and free room behind them.
    words: Vec<u64>,
    /// How each came about.
    choices: Vec<Choice>,
    /// Faults met on the way.
    pub faults: Vec<(FaultPlace, Fault)>,
    /// How many rules were enabled, those included whose successor was left out.
    pub n_enabled: u64,
    /// Properties of kind [`PropertyKind::CoverStatement`] that were reached on the way,
    /// by number; some may be listed more than once.
    pub covered: Vec<u32>,
    /// Steps that exist and have no successor here.
    hidden: Vec<Choice>,
    /// What was left out since it was asked for last.
    omissions: Omissions,
}

impl Successors {
    /// An empty buffer for states of `state_words` words.
    pub fn new(state_words: usize) -> Successors {
        Successors { state_words, ..Successors::default() }
    }

    /// Forgets all successors, keeps the memory. What was left out is not forgotten.
    pub fn clear(&mut self) {
        self.choices.clear();
        self.faults.clear();
        self.n_enabled = 0;
        self.hidden.clear();
        self.covered.clear();
    }

    /// Says that something is left out, so that nothing is proven. Whoever leaves out
    /// a step counts it in `n_enabled`, since no run ends there.
    pub fn omit(&mut self, omission: &Omission) {
        self.omissions.add(omission);
    }

    /// Adds a step that exists and is left out.
    pub fn cut(&mut self, choice: Choice, omission: &Omission) {
        self.hide(choice);
        self.omit(omission);
    }

    /// Adds a step that no run takes, because an assumption of the model is false
    /// behind it; whose step it is matters for fairness.
    pub fn hide(&mut self, choice: Choice) {
        self.n_enabled += 1;
        self.hidden.push(choice);
    }

    /// Steps that exist and have no successor here.
    pub fn hidden(&self) -> &[Choice] {
        &self.hidden
    }

    /// What was left out since this was asked last, by whichever call.
    pub fn take_omissions(&mut self) -> Omissions {
        std::mem::take(&mut self.omissions)
    }

    /// Does a run end in the state whose successors these are? Not where a step
    /// exists and its successor was left out: no run goes through there.
    pub fn is_end(&self) -> bool {
        self.is_empty() && self.n_enabled == 0
    }

    /// Number of successors.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Successor number `idx`.
    pub fn state(&self, idx: usize) -> &[u64] {
        &self.words[idx * self.state_words..(idx + 1) * self.state_words]
    }

    /// Successor number `idx`, to be put into canonical form.
    pub fn state_mut(&mut self, idx: usize) -> &mut [u64] {
        &mut self.words[idx * self.state_words..(idx + 1) * self.state_words]
    }

    /// How successor number `idx` came about.
    pub fn choice(&self, idx: usize) -> Choice {
        self.choices[idx]
    }

    /// Adds a successor.
    pub fn push(&mut self, choice: Choice, state: &[u64]) {
        self.room(1)[..state.len()].copy_from_slice(state);
        self.commit(choice);
    }

    /// Free room behind the last successor for at least `n` more states, and one
    /// more word that may be read and must be left as it is.
    pub fn room(&mut self, n: usize) -> &mut [u64] {
        let used = self.choices.len() * self.state_words;
        let needed = used + n * self.state_words + 1;
        if self.words.len() < needed {
            self.words.resize(needed.next_power_of_two(), 0);
        }
        &mut self.words[used..]
    }

    /// Makes what stands in the first state of [`Successors::room`] a successor.
    pub fn commit(&mut self, choice: Choice) {
        self.choices.push(choice);
    }

    /// Makes the first states of [`Successors::room`] successors, one for each choice.
    pub fn commit_all(&mut self, choices: impl IntoIterator<Item = Choice>) {
        self.choices.extend(choices);
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        self.words.capacity() * 8 + self.choices.capacity() * 8
    }
}

/// What is to be said of one state.
#[derive(Debug, Default)]
pub struct Judgement {
    /// Invariants that are false here, by number, ascending.
    pub violated: Vec<u32>,
    /// Covers and goals that are true here, and statements that their evaluation reached,
    /// by number, ascending.
    pub reached: Vec<u32>,
    /// Properties that cannot be evaluated here.
    pub faults: Vec<(u32, Fault)>,
}

impl Judgement {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.violated.clear();
        self.reached.clear();
        self.faults.clear();
    }
}
