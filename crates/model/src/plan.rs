//! Plans: which meaning of a program is searched, what is asked of it, and what each
//! verdict about it is worth to the user.
//!
//! A front end may know several meanings of one program: steps of different size, stores
//! that wait in a buffer, an abstraction. It makes a [`Plan`] of them. Each [`Stage`] is a
//! [`Variant`] of the semantics with the question asked of it, and says for every verdict
//! what that implies for the user's question. `verify` runs plans; nobody else loops.
//!
//! **Ends.** Implications lead to later stages only, which [`Plan::new`] insists on.
//! **Sound** if every implication is: each states its reason, which `--explain` prints.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::attempt::{Attempt, SearchBounds};
use crate::presumption::Presumption;
use crate::question::{Problem, ThreadCount};
use crate::rule::Rule;
use crate::trace::{Trace, Violation};
use crate::verdict::Verdict;

/// A meaning of a program, by the name that its front end gives it. Certificates, traces
/// and saved results carry the name of the variant that they are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Variant(Cow<'static, str>);

impl Variant {
    /// The only meaning of an input that has one.
    pub const AS_WRITTEN: Variant = Variant::named("as written");

    /// The variant with this name.
    pub const fn named(name: &'static str) -> Variant {
        Variant(Cow::Borrowed(name))
    }

    /// The variant with a name that is made from the input.
    pub fn called(name: String) -> Variant {
        Variant(Cow::Owned(name))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Is it the only meaning of its input?
    pub fn is_as_written(&self) -> bool {
        *self == Variant::AS_WRITTEN
    }
}

impl Default for Variant {
    fn default() -> Variant {
        Variant::AS_WRITTEN
    }
}

/// Stages, the first of which is searched first.
#[derive(Clone)]
pub struct Plan<'a> {
    stages: Vec<Stage<'a>>,
}

/// The number of a stage in its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StageId(pub usize);

/// A variant of the semantics, the question asked of it, and what its answers imply.
#[derive(Clone)]
pub struct Stage<'a> {
    /// What the variant is, as a phrase: "steps from one synchronisation to the next".
    pub semantics: &'static str,
    /// The question, as it is re-checked.
    pub problem: Problem<'a>,
    /// The same question for the search alone, where there is a faster implementation.
    pub fast: Option<Problem<'a>>,
    /// For how many threads it is asked.
    pub threads: ThreadCount,
    /// How it is searched, one attempt after the other until one decides. An attempt may
    /// be repeated with larger bounds.
    pub attempts: Vec<Attempt>,
    /// What each verdict implies for the user's question.
    pub implications: Implications,
}

/// What the verdicts of a stage imply for the user's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implications {
    /// The variant has the property.
    pub holds: Implication,
    /// A run of it ends in a data race.
    pub race: Implication,
    /// A run of it violates the property in another way.
    pub violated: Implication,
    /// It is not known.
    pub unknown: Implication,
}

/// What one verdict implies, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implication {
    /// What is done with the verdict.
    pub consequence: Consequence,
    /// Why that is right, as a clause: "a run in larger steps is a run".
    pub because: &'static str,
    /// What to tell the user beside the answer.
    pub note: Option<&'static str>,
    /// What is presumed where the verdict is the answer.
    pub presumes: Option<Presumption>,
}

/// What is done with a verdict about a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// It answers the user's question.
    Answers,
    /// It answers the question, unless the later stage refutes it.
    AnswersUnlessRefuted(StageId),
    /// It says nothing; the later stage is asked.
    LeavesOpen(StageId),
    /// It adds nothing to the answer of an earlier stage, which stands.
    AddsNothing,
}

impl Implication {
    /// The verdict is the answer.
    pub const fn answers(because: &'static str) -> Implication {
        Implication { consequence: Consequence::Answers, because, note: None, presumes: None }
    }

    /// The verdict says nothing, and `stage` is asked.
    pub const fn leaves_open(stage: StageId, because: &'static str) -> Implication {
        let consequence = Consequence::LeavesOpen(stage);
        Implication { consequence, because, note: None, presumes: None }
    }

    /// The verdict is the answer, unless `stage` refutes it.
    pub const fn answers_unless_refuted(stage: StageId, because: &'static str) -> Implication {
        let consequence = Consequence::AnswersUnlessRefuted(stage);
        Implication { consequence, because, note: None, presumes: None }
    }

    /// The verdict adds nothing to an earlier answer.
    pub const fn adds_nothing(because: &'static str) -> Implication {
        let consequence = Consequence::AddsNothing;
        Implication { consequence, because, note: None, presumes: None }
    }

    /// The same, and the user reads `note`.
    pub const fn with_note(self, note: &'static str) -> Implication {
        Implication { note: Some(note), ..self }
    }

    /// The same under a presumption, if there is one.
    pub const fn presuming(self, presumes: Option<Presumption>) -> Implication {
        Implication { presumes, ..self }
    }

    /// The stage that may be asked next.
    pub fn next(&self) -> Option<StageId> {
        match self.consequence {
            Consequence::AnswersUnlessRefuted(stage) | Consequence::LeavesOpen(stage) => {
                Some(stage)
            }
            Consequence::Answers | Consequence::AddsNothing => None,
        }
    }
}

impl Implications {
    /// Every verdict about the variant is one about the program.
    pub const EXACT: Implications = Implications {
        holds: Implication::answers("it is the program as it is written"),
        race: Implication::answers("it is a run of the program"),
        violated: Implication::answers("it is a run of the program"),
        unknown: Implication::answers("there is no other way to find out"),
    };

    /// What `verdict` implies.
    pub fn of(&self, verdict: &Verdict) -> &Implication {
        match verdict {
            Verdict::Holds(_) => &self.holds,
            Verdict::Violated(trace) if is_race(trace) => &self.race,
            Verdict::Violated(_) => &self.violated,
            Verdict::Unknown(_) => &self.unknown,
        }
    }

    /// The verdicts by name, with what they imply.
    pub fn by_name(&self) -> [(&'static str, &Implication); 4] {
        [
            ("holds", &self.holds),
            ("data race", &self.race),
            ("violated", &self.violated),
            ("unknown", &self.unknown),
        ]
    }
}

fn is_race(trace: &Trace) -> bool {
    let Trace::Threads(trace) = trace else { return false };
    match &trace.violation {
        Violation::Race => true,
        Violation::Step(error) => error.rule == Rule::Race,
        _ => false,
    }
}

impl<'a> Stage<'a> {
    /// A problem that has one meaning only, searched once.
    pub fn exact(semantics: &'static str, problem: Problem<'a>, threads: ThreadCount) -> Stage<'a> {
        Stage {
            semantics,
            problem,
            fast: None,
            threads,
            attempts: vec![Attempt::Search(SearchBounds::everything(threads))],
            implications: Implications::EXACT,
        }
    }

    /// The variant that is searched.
    pub fn variant(&self) -> Variant {
        self.problem.variant()
    }
}

impl<'a> Plan<'a> {
    /// These stages, in this order.
    ///
    /// # Panics
    /// There is none, or an implication does not lead to a later stage: a mistake in the
    /// front end that made it.
    pub fn new(stages: Vec<Stage<'a>>) -> Plan<'a> {
        assert!(!stages.is_empty(), "a plan has a first stage");
        for (idx, stage) in stages.iter().enumerate() {
            for (_, implication) in stage.implications.by_name() {
                let is_later = |next: StageId| next.0 > idx && next.0 < stages.len();
                assert!(implication.next().is_none_or(is_later), "plans go forward only");
            }
        }
        Plan { stages }
    }

    /// The stages.
    pub fn stages(&self) -> &[Stage<'a>] {
        &self.stages
    }

    /// Replaces the implementation that searches use.
    pub fn search_instead(&mut self, fast: impl Fn(Problem<'a>) -> Option<Problem<'a>>) {
        for stage in &mut self.stages {
            stage.fast = fast(stage.problem);
        }
    }

    /// Changes the bounds of every search, as the user or the engine wants them.
    pub fn bound_searches(&mut self, change: impl Fn(&mut SearchBounds)) {
        for attempt in self.stages.iter_mut().flat_map(|stage| &mut stage.attempts) {
            match attempt {
                Attempt::Search(bounds) => change(bounds),
                Attempt::RandomRuns
                | Attempt::ThreadByThread
                | Attempt::FewThreads
                | Attempt::Follow => {}
            }
        }
    }

    /// The stage that is about `variant`.
    pub fn stage_of(&self, variant: &Variant) -> Option<StageId> {
        self.stages.iter().position(|stage| stage.variant() == *variant).map(StageId)
    }

    /// A stage by its number.
    pub fn stage(&self, stage: StageId) -> &Stage<'a> {
        &self.stages[stage.0]
    }
}
