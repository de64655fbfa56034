//! What the tool says of a model for any number of threads, compared with instances of it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use engine::Engine;
use frontend::murphi::ReadOptions;
use frontend::murphi::family::{FamilyRequest, MurphiAbstraction, find};
use model::{Context, Limits, ParameterizedSystem, Problem, Proof, ThreadCount, Verdict};

use super::instance::{Explored, explore, instance, views};
use super::seen::{Kinds, Layout};

/// Threads and nodes of an instance.
pub type Size = (u32, u32);

/// What is said for any number.
pub enum Answer {
    /// The model is not one of threads with memory, or not one that can be abstracted.
    Refused(String),
    /// It is not known.
    Unknown(String),
    /// It holds, and so many views show it.
    Holds {
        /// The types of threads and nodes.
        kinds: Kinds,
        /// What is seen in the views of the proof.
        views: BTreeSet<String>,
    },
}

/// Asks for any number of threads, without a look at instances first.
pub fn ask(text: &str, constants: &[(&str, i64)], time: Duration) -> Answer {
    let constants = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let options = ReadOptions { constants, ..ReadOptions::default() };
    let request = FamilyRequest { text, file: 0, options: &options, parameter: Some("Thread") };
    let family = match find(&request, 1) {
        Ok(family) => family,
        Err(diagnostics) => {
            let first = diagnostics.first().map(|one| one.message.clone());
            return Answer::Refused(first.unwrap_or_default());
        }
    };
    let mut why = String::new();
    for abstraction in &family.abstractions {
        match prove(abstraction, time) {
            Answer::Unknown(reason) => why = reason,
            answer => return answer,
        }
    }
    Answer::Unknown(why)
}

fn prove(abstraction: &MurphiAbstraction, time: Duration) -> Answer {
    let Some(node) = abstraction.nodes() else {
        return Answer::Refused("there is no memory".to_owned());
    };
    let limits = Limits { deadline: Some(Instant::now() + time), ..Limits::none() };
    let problem = Problem::Parameterized(abstraction);
    let outcome = engine::check(problem, ThreadCount::Any, Engine::Auto, Context::silent(&limits));
    let certificate = match &outcome.verdict {
        Verdict::Holds(certificate) => certificate,
        Verdict::Unknown(reason) => return Answer::Unknown(format!("{reason:?}")),
        Verdict::Violated(_) => panic!("an alarm of views is no run"),
    };
    certify::check(problem, ThreadCount::Any, &outcome.verdict, &Limits::none())
        .expect("what the engine says passes the re-check");
    let Proof::ElementViews(proof) = &certificate.proof else { panic!("{:?}", outcome.verdict) };
    let kinds = Kinds { thread: abstraction.parameter().to_owned(), node: node.to_owned() };
    let own = abstraction.own();
    let described = |view: &model::Store| {
        own.describe(&view.to_words().expect("a view is a whole number of words"))
    };
    let layout = Layout::of(&described(&proof.views[0]), &kinds);
    let itself = format!("{}_1", kinds.thread);
    let views = proof.views.iter().map(|view| layout.seen(&described(view), &itself)).collect();
    Answer::Holds { kinds, views }
}

/// What comparisons were made.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Models that cannot be asked about.
    pub n_refused: usize,
    /// Models with no answer.
    pub n_unknown: usize,
    /// Of these, how many have no error in any instance.
    pub n_unknown_and_right: usize,
    /// Models that hold.
    pub n_holding: usize,
    /// Models with an error in an instance.
    pub n_failing: usize,
    /// States of instances of models that hold.
    pub n_states: usize,
    /// What threads see in these, and whether it is in the proof.
    pub n_views: usize,
}

/// Looks for errors in instances, and for what threads see and the proof lacks.
///
/// # Errors
/// The model is said to hold for any number, and that is wrong.
pub fn compare(
    (text, constants): (&str, &[(&str, i64)]),
    answer: &Answer,
    sizes: &[Size],
    max_states: usize,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut error = None;
    for (n_threads, n_nodes) in sizes {
        let model = instance(text, constants, *n_threads, *n_nodes);
        let explored = explore(&model, max_states);
        match (explored, answer) {
            (Explored::Fails(why), _) => {
                error = Some(format!("{n_threads} threads with {n_nodes} nodes: {why}"));
                break;
            }
            (Explored::Holds(states), Answer::Holds { kinds, views: proved }) => {
                let seen = views(&model, &states, kinds);
                if let Some(lacking) = seen.iter().find(|view| !proved.contains(*view)) {
                    let size = format!("{n_threads} threads with {n_nodes} nodes");
                    return Err(format!("{size}: none of {} views is\n{lacking}", proved.len()));
                }
                tally.n_states += states.len();
                tally.n_views += seen.len();
            }
            (Explored::TooMany, _) => break,
            _ => {}
        }
    }
    tally.n_failing += usize::from(error.is_some());
    match (answer, error) {
        (Answer::Holds { .. }, Some(error)) => return Err(format!("it is said to hold: {error}")),
        (Answer::Holds { .. }, None) => tally.n_holding += 1,
        (Answer::Refused(_), _) => tally.n_refused += 1,
        (Answer::Unknown(_), error) => {
            tally.n_unknown += 1;
            tally.n_unknown_and_right += usize::from(error.is_none());
        }
    }
    Ok(())
}
