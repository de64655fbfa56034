//! How a question about any number of elements is answered: few elements first, where an error
//! is a run that can be replayed, then views, then more elements where views raise an alarm.

use model::{
    Attempt, Deadlock, Fairness, Implication, Implications, Plan, Problem, SearchBounds, Stage,
    StageId, StateProblem, ThreadCount,
};

use crate::murphi::MurphiModel;

use super::abstraction::MurphiAbstraction;
use super::find::MurphiFamily;

/// States of each small instance that are searched before views are computed: errors are mostly
/// near, and this takes a fraction of a second.
const STATES_AT_A_GLANCE: u64 = 20_000;

/// Small instances that are looked at first.
const N_GLANCES: usize = 3;

impl MurphiFamily {
    /// The plan for the question.
    pub fn plan(&self) -> Plan<'_> {
        let glances = self.instances.iter().take(N_GLANCES).map(Some);
        let n_glances = glances.len();
        let n_views = self.abstractions.len();
        let mut stages = Vec::new();
        for model in glances.flatten() {
            let next = StageId(stages.len() + 1);
            let holds = Implication::leaves_open(next, "another number may go wrong");
            let unknown = Implication::leaves_open(next, "views show all numbers at once");
            let mut stage = instance(model, holds, unknown);
            for attempt in &mut stage.attempts {
                if let Attempt::Search(bounds) = attempt {
                    bounds.max_states = Some(STATES_AT_A_GLANCE);
                }
            }
            stages.push(stage);
        }
        for (idx, abstraction) in self.abstractions.iter().enumerate() {
            let next = StageId(stages.len() + 1);
            stages.push(views(
                abstraction,
                match idx + 1 == n_views {
                    true => Implication::answers_unless_refuted(
                        next,
                        "an alarm may be a run of more elements",
                    ),
                    false => Implication::leaves_open(next, "larger views show more"),
                },
            ));
        }
        let deep = self.instances.iter().enumerate().skip(1);
        let n_deep = deep.len();
        debug_assert!(n_glances > 0 && n_deep > 0, "a family has instances");
        for (idx, model) in deep {
            let next = StageId(stages.len() + 1);
            let goes_on = "more elements may go wrong";
            let other = match idx + 1 == self.instances.len() {
                true => Implication::adds_nothing(goes_on),
                false => Implication::leaves_open(next, goes_on),
            };
            stages.push(instance(model, other, other));
        }
        Plan::new(stages)
    }
}

/// Views of a few elements. What they show to hold does; what they do not is still open.
fn views(abstraction: &MurphiAbstraction, unknown: Implication) -> Stage<'_> {
    Stage {
        semantics: "views of a few elements, and what any others may do beside them",
        problem: Problem::Parameterized(abstraction),
        fast: None,
        threads: ThreadCount::Any,
        attempts: vec![Attempt::Search(SearchBounds::everything(ThreadCount::Any))],
        implications: Implications {
            holds: Implication::answers("each state of any size looks like these"),
            race: Implication::answers("views have no runs"),
            violated: Implication::answers("views have no runs"),
            unknown,
        },
    }
}

/// The model with some number of elements, where an error is a run.
fn instance(model: &MurphiModel, holds: Implication, unknown: Implication) -> Stage<'_> {
    let is_a_run = Implication::answers("it is a run with so many elements");
    let implications = Implications { holds, race: is_a_run, violated: is_a_run, unknown };
    let problem = Problem::States(StateProblem {
        system: model,
        deadlock: Deadlock::Off,
        formula: None,
        fairness: Fairness::default(),
    });
    let semantics = "the model with this number of elements, rule by rule";
    Stage { implications, ..Stage::exact(semantics, problem, ThreadCount::AsGiven) }
}
