//! The interpreter and machine code side by side, state by state: they must agree
//! on everything that a search can see.

use model::{Judgement, Limits, Stepper, Successors, TransitionSystem};

use crate::graph::Graph;

/// Compares two implementations on the states of `graph`, at most `max_states`.
///
/// # Errors
/// The first difference.
pub fn compare(
    left: &dyn TransitionSystem,
    right: &dyn TransitionSystem,
    graph: &Graph,
    max_states: usize,
) -> Result<(), String> {
    let limits = Limits::none();
    let (mut one, mut two) = (left.stepper(&limits), right.stepper(&limits));
    let n_words = left.state_words();
    let mut outs = (Successors::new(n_words), Successors::new(n_words));
    let stopped = (one.initial(&mut outs.0), two.initial(&mut outs.1));
    same("initial states", &format!("{stopped:?}"), stopped.0 == stopped.1)?;
    same_successors(&outs.0, &outs.1)?;
    for state in graph.states.iter().take(max_states) {
        compare_state(one.as_mut(), two.as_mut(), state, &mut outs)
            .map_err(|error| format!("in state {:?}: {error}", left.describe(state)))?;
    }
    Ok(())
}

fn compare_state(
    one: &mut dyn Stepper,
    two: &mut dyn Stepper,
    state: &[u64],
    outs: &mut (Successors, Successors),
) -> Result<(), String> {
    outs.0.clear();
    outs.1.clear();
    let stopped = (one.expand(state, &mut outs.0), two.expand(state, &mut outs.1));
    same("successors", &format!("{stopped:?}"), stopped.0 == stopped.1)?;
    same_successors(&outs.0, &outs.1)?;
    let mut judgements = (Judgement::default(), Judgement::default());
    let stopped = (one.judge(state, &mut judgements.0), two.judge(state, &mut judgements.1));
    same("judging", &format!("{stopped:?}"), stopped.0 == stopped.1)?;
    let texts = (format!("{:?}", judgements.0), format!("{:?}", judgements.1));
    same("judgement", &format!("{texts:?}"), texts.0 == texts.1)?;
    let valuations = (one.valuation(state), two.valuation(state));
    same("valuation", &format!("{valuations:?}"), valuations.0 == valuations.1)
}

fn same_successors(left: &Successors, right: &Successors) -> Result<(), String> {
    let all = |out: &Successors| -> Vec<_> {
        (0..out.len()).map(|idx| (out.choice(idx), out.state(idx).to_vec())).collect()
    };
    let states = (all(left), all(right));
    same("states", &format!("{states:x?}"), states.0 == states.1)?;
    let faults = (&left.faults, &right.faults);
    same("faults", &format!("{faults:?}"), faults.0 == faults.1)?;
    let covered = (&left.covered, &right.covered);
    same("covers", &format!("{covered:?}"), covered.0 == covered.1)?;
    let enabled = (left.n_enabled, right.n_enabled);
    same("enabled rules", &format!("{enabled:?}"), enabled.0 == enabled.1)
}

fn same(what: &str, both: &str, is_same: bool) -> Result<(), String> {
    if is_same { Ok(()) } else { Err(format!("{what} differ: {both}")) }
}
