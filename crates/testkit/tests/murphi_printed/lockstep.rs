//! Walks through two models side by side: each choice must lead to the same in both. What a state
//! looks like in memory may differ, but states of one model are one in the other.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use frontend::murphi::MurphiModel;
use model::{Choice, Judgement, Limits, Stepper, Successors, TransitionSystem};

type State = Vec<u64>;

/// The interpreter needs long for each state of some models.
const TIME_PER_MODEL: Duration = Duration::from_secs(1);

/// States that go together, and of which the successors are still to be compared.
struct Pairs {
    others: BTreeMap<State, State>,
    owners: BTreeMap<State, State>,
    open: VecDeque<(State, State)>,
    max_states: usize,
}

/// How many states were compared, unless a state or step is another one.
pub fn compare(
    left: &MurphiModel,
    right: &MurphiModel,
    max_states: usize,
) -> Result<usize, String> {
    let limits = Limits::none();
    let (mut one, mut two) = (left.stepper(&limits), right.stepper(&limits));
    let mut pairs = Pairs {
        others: BTreeMap::new(),
        owners: BTreeMap::new(),
        open: VecDeque::new(),
        max_states,
    };
    let n_words = (left.state_words(), right.state_words());
    let found = (step(one.as_mut(), None, n_words.0), step(two.as_mut(), None, n_words.1));
    pairs.join(found)?;
    let end = Instant::now() + TIME_PER_MODEL;
    while let Some((state, other)) = pairs.open.pop_front().filter(|_| Instant::now() < end) {
        let verdicts = (judgement(one.as_mut(), &state), judgement(two.as_mut(), &other));
        if verdicts.0 != verdicts.1 {
            return Err(format!("a state is {} and {}", verdicts.0, verdicts.1));
        }
        let found = (
            step(one.as_mut(), Some(&state), n_words.0),
            step(two.as_mut(), Some(&other), n_words.1),
        );
        pairs.join(found)?;
    }
    Ok(pairs.others.len())
}

impl Pairs {
    fn join(&mut self, (left, right): (Step, Step)) -> Result<(), String> {
        if left.facts != right.facts {
            return Err(format!("{:?} is not {:?}", left.facts, right.facts));
        }
        if left.states.len() != right.states.len() {
            return Err(format!("{} successors, or {}", left.states.len(), right.states.len()));
        }
        for ((choice, state), (other_choice, other)) in left.states.into_iter().zip(right.states) {
            if choice != other_choice {
                return Err(format!("{choice:?} is not {other_choice:?}"));
            }
            let is_known = self.others.contains_key(&state) || self.owners.contains_key(&other);
            if is_known {
                let fits = self.others.get(&state) == Some(&other)
                    && self.owners.get(&other) == Some(&state);
                if !fits {
                    return Err(format!("after {choice:?}, one state is two in the other model"));
                }
            } else if self.others.len() < self.max_states {
                self.others.insert(state.clone(), other.clone());
                self.owners.insert(other.clone(), state.clone());
                self.open.push_back((state, other));
            }
        }
        Ok(())
    }
}

struct Step {
    states: Vec<(Choice, State)>,
    /// Faults, which are at other places of the text, and how many choices were enabled.
    facts: Vec<String>,
}

fn step(stepper: &mut dyn Stepper, state: Option<&[u64]>, n_words: usize) -> Step {
    let mut out = Successors::new(n_words);
    match state {
        None => stepper.initial(&mut out).expect("no limit"),
        Some(state) => stepper.expand(state, &mut out).expect("no limit"),
    }
    let states = (0..out.len()).map(|idx| (out.choice(idx), out.state(idx).to_vec())).collect();
    let faults = out.faults.iter().map(|(place, _)| format!("a fault at {place:?}"));
    let facts = faults.chain([format!("{} enabled", out.n_enabled)]).collect();
    Step { states, facts }
}

/// What the properties say of a state. Statements are numbered in the order of the text, in which
/// a function may stand elsewhere.
fn judgement(stepper: &mut dyn Stepper, state: &[u64]) -> String {
    let mut out = Judgement::default();
    stepper.judge(state, &mut out).expect("no limit");
    let faults: Vec<_> =
        out.faults.iter().map(|(property, fault)| (property, fault.kind)).collect();
    let n_reached = out.reached.len();
    format!("{:?} violated, {n_reached} reached, {faults:?} are faults", out.violated)
}
