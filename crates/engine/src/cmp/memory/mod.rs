//! CMP by views of one element with its memory: does a property hold for any number of elements
//! that share any number of nodes?
//!
//! A view shows what is shared, what belongs to one element, and the nodes that can be reached
//! from there. The engine computes the least set of views that contains those of initial states
//! and that no step leads out of: of the element, or of another one beside it. What two elements
//! see of a state is a *composition* of what each sees, so steps are taken from all compositions
//! of two views of the set.
//!
//! **Answers.** `Holds` carries the views, which `certify` checks without this module. Otherwise
//! `Unknown` with the views that lead to the alarm, which need not be a run of any instance.
//! **Sound for** abstractions as `model::parameterized` describes them, of steps with one actor
//! beside the view. **Not for** values that belong to two elements, or to elements within nodes.
//! **Incomplete**: which nodes two elements share is not known where both see alike nodes.
//! **Ends** always, within limits: there are finitely many views, as nodes of a view are bounded.
//! Where more are needed, the answer is `Unknown`.
//! **Source** Abdulla, Haziza, Holík, *All for the Price of Few*, VMCAI 2013, with views of heaps
//! as thread-modular shape analysis has them (Gotsman, Berdine, Cook, Sagiv, PLDI 2007), but of
//! nodes as they are: nothing is summarised. We differ: actors whose step changes nothing but
//! their own are not tried beside others, and have only what their step looks at.
//! **Read first** `layout.rs`, `shape.rs`, `compose.rs`, `closure.rs`.

mod classes;
mod closure;
mod compose;
mod effects;
mod layout;
mod shape;
#[cfg(test)]
mod tests;

use model::parameterized::ParameterizedSystem;
use model::{Context, Outcome, StopReason, Store, Verdict};

use super::closure::End;
use super::{alarm, certificate, outcome};
use closure::MemoryClosure;
use layout::Layout;

/// Looks whether the properties hold for any number of elements that share memory.
pub(super) fn check(system: &dyn ParameterizedSystem, context: Context<'_>) -> Outcome {
    let layout = match supported(system) {
        Ok(layout) => layout,
        Err(why) => {
            let reason = StopReason::Incomplete { why };
            return outcome(Verdict::Unknown(reason), Vec::new(), Vec::new());
        }
    };
    let mut closure = MemoryClosure::new(system, &layout, context);
    let end = closure.run();
    let statistics = vec![
        ("elements in a view".to_owned(), 1),
        ("views".to_owned(), closure.views.len() as u64),
        ("steps".to_owned(), closure.n_steps),
        ("companies of actors".to_owned(), closure.n_companies()),
        ("compositions".to_owned(), closure.n_compositions),
    ];
    match end {
        End::Closed => {
            let views = (0..closure.views.len() as u32).map(|view| closure.views.get(view));
            let proof = certificate(1, views.map(Store::of_words).collect());
            outcome(Verdict::Holds(proof), statistics, Vec::new())
        }
        End::Stopped(reason) => outcome(Verdict::Unknown(reason), statistics, Vec::new()),
        End::Alarm(alarm) => {
            let (why, notes) = alarm::told(system, &closure.origins, &alarm);
            outcome(Verdict::Unknown(StopReason::Incomplete { why }), statistics, notes)
        }
    }
}

/// The layout of states, if all steps are of a form that views of one element can follow.
fn supported(system: &dyn ParameterizedSystem) -> Result<Layout, String> {
    if system.n_visible() != 1 {
        return Err("views of several elements do not show memory".to_owned());
    }
    let layout = Layout::new(system.cells(), system.own().state_words())?;
    for idx in 0..system.n_beside() {
        let beside = system.beside(idx);
        if beside.n_actors != 1 {
            let (name, n) = (beside.name, beside.n_actors);
            return Err(format!("`{name}` has {n} actors beside a view that shows memory"));
        }
        if layout.n_slots < 2 {
            return Err("there are more actors than slots".to_owned());
        }
    }
    Ok(layout)
}
