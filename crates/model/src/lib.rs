//! The nouns every other crate speaks: the three seams between front ends and
//! engines, and what engines answer.
//!
//! Read in this order: the seams ([`thread_program`] with [`requirements`], [`narrator`],
//! [`blocking`], [`reductions`], [`boolean_flow`] and [`pushdown`]; [`counter_system`];
//! [`transition_system`] with [`symmetry`] and [`rule_code`]), then the answers
//! ([`verdict`], [`trace`], [`rule`], [`omission`], [`certificate`]) and what they are worth
//! ([`plan`], [`attempt`]), then what surrounds a run ([`limits`], [`source`], [`diagnostic`]).
//!
//! Deliberately absent: input and output, and algorithms. Nothing here searches.

pub mod access;
pub mod blocking;
pub mod boolean_flow;
pub mod counter_system;
pub mod narrator;
pub mod pushdown;
pub mod reductions;
pub mod requirements;
pub mod rule_code;
pub mod side_by_side;
pub mod steps;
pub mod store;
pub mod symmetry;
pub mod thread_program;
pub mod thread_views;
pub mod transition_system;

pub mod attempt;
pub mod certificate;
pub mod configuration;
pub mod cutoff;
pub mod first_stores;
pub mod ltl;
pub mod omission;
pub mod parameterized;
pub mod plan;
pub mod presumption;
pub mod question;
pub mod refinement;
pub mod rule;
pub mod run_event;
pub mod summaries;
pub mod trace;
pub mod verdict;
pub mod views;

pub mod diagnostic;
pub mod limits;
pub mod source;

pub use access::{Access, Lock};
pub use attempt::{Attempt, AttemptEnd, GrowingBound, SearchBounds, SearchedStage, TriedAttempt};
pub use blocking::Blocking;
pub use boolean_flow::{
    Bit, BitExpr, BitVariable, BooleanFlow, FlowEdge, FlowLocation, FlowSpawn, FlowThread,
    LocationId,
};
pub use certificate::{
    Certificate, LinearLemma, Proof, Refutation, Scope, Support, Trap, Vocabulary,
};
pub use configuration::{Bounds, Configuration, Count, Zone};
pub use counter_system::{
    ControlId, CounterId, CounterSystem, CounterTransition, InitialZone, Move, Target, TransitionId,
};
pub use cutoff::{Cutoff, CutoffEnd, Round, ThreadState};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use first_stores::FirstStores;
pub use limits::{Context, Limits, MemoryLimit, Progress, ProgressSink, Silent};
pub use ltl::{Fairness, Formula, NamedFormula};
pub use narrator::{LabelId, MadeAccess, Narrator, StepLabel};
pub use omission::{Omission, Omissions};
pub use parameterized::{Cell, Cells, ElementViews, ParameterizedSystem, StepsBeside};
pub use plan::{Consequence, Implication, Implications, Plan, Stage, StageId, Variant};
pub use presumption::Presumption;
pub use pushdown::{NewThread, PushdownProgram, PushdownStep, PushdownSteps, StackChange};
pub use question::{Deadlock, Problem, StateProblem, ThreadCount, ThreadRuns};
pub use reductions::{HeapSymmetry, Independence, MatchingAbstraction, Renaming};
pub use refinement::{
    Interaction, NotAllowed, Refinement, RefinementFailure, RefinementQuestion, RefinementRelation,
    RelatedStates, SharedCorrespondence,
};
pub use requirements::{Requirements, TargetShape};
pub use rule::{Rule, StepError, StepErrorRef};
pub use run_event::{RunEvent, RunEventKind};
pub use side_by_side::SideBySide;
pub use source::{SourceFile, Span};
pub use steps::{Footprint, StepParts, StepRef, Steps};
pub use store::Store;
pub use summaries::{
    ExposedClass, GuaranteePair, SectionStart, StackView, Summaries, SummaryEdge, World,
};
pub use symmetry::Symmetry;
pub use thread_program::{BroadcastId, Multiplicity, StepEnd, Template, ThreadProgram};
pub use thread_views::{StoreViews, ThreadViews, ViewMember};
pub use trace::{
    Bystanders, CounterStep, CounterTrace, Ending, PassiveMove, StateStart, StateStep, StateTrace,
    ThreadStep, ThreadTrace, Trace, Violation,
};
pub use transition_system::{
    Choice, ChoiceLabel, Fault, FaultKind, FaultPlace, Field, Judgement, Property, PropertyKind,
    Stepper, Stuck, Successors, TransitionSystem,
};
pub use verdict::{Outcome, StopReason, Verdict};
pub use views::{ViewBit, ViewNode, Views};
