//! Which numbers of elements go wrong, found in the plainest way: every state of the
//! instance, by the interpreter, without symmetry.

use std::collections::{BTreeSet, VecDeque};

use frontend::Model;
use frontend::murphi::MurphiModel;
use model::{Judgement, Limits, PropertyKind, Successors, TransitionSystem};
use testkit::texts::Texts;

/// What is wrong with an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// Something cannot be evaluated, or an assertion fails.
    pub fault: bool,
    /// The invariants that fail, by number.
    pub invariants: BTreeSet<u32>,
}

impl Errors {
    /// Is there any?
    pub fn any(&self) -> bool {
        self.fault || !self.invariants.is_empty()
    }
}

/// The instance with `n` elements.
///
/// # Errors
/// The text is no model.
pub fn instance(texts: &Texts, n: i64) -> Result<MurphiModel, String> {
    match texts.clone().with_constant("N", n).load()? {
        Model::States(model) => Ok(*model),
        _ => Err("not a Murphi model".into()),
    }
}

/// All errors of a system; `None` if none was found, and there are more than `max_states`.
pub fn errors(system: &dyn TransitionSystem, max_states: usize) -> Option<Errors> {
    assert!(system.properties().iter().all(|one| one.kind == PropertyKind::Invariant));
    let mut errors = Errors::default();
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut open: VecDeque<Vec<u64>> = VecDeque::new();
    let mut stepper = system.stepper(&Limits::none());
    let mut out = Successors::new(system.state_words());
    stepper.initial(&mut out).expect("there are no limits");
    loop {
        errors.fault |= !out.faults.is_empty();
        for state in (0..out.len()).map(|idx| out.state(idx).to_vec()) {
            if !seen.insert(state.clone()) {
                continue;
            }
            let mut judgement = Judgement::default();
            stepper.judge(&state, &mut judgement).expect("there are no limits");
            errors.fault |= !judgement.faults.is_empty();
            errors.invariants.extend(judgement.violated);
            open.push_back(state);
        }
        if seen.len() > max_states {
            return errors.any().then_some(errors);
        }
        let Some(state) = open.pop_front() else { return Some(errors) };
        out.clear();
        stepper.expand(&state, &mut out).expect("there are no limits");
    }
}
