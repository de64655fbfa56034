//! Views of one element with memory that all share: is a list of them closed, without an error?
//!
//! A view shows the shared part of a state, one element, and the nodes of the memory that these
//! reach. A list is right if it has
//!
//! 1. what each element of an initial state sees,
//! 2. what an element sees after each step of its own, or of nobody, from a listed view, and
//! 3. what an element sees after each step of another one, wherever the two see listed views.
//!
//! Then each element of each reachable state, of any size, sees a listed view: take the first
//! state where one does not. Before the step into it all see listed views. The step is of that
//! element or of nobody (2), or of one other; and the state before, as these two see it, is
//! among the *compositions* of what each sees (3).
//!
//! A step may take a node for one that nobody reaches who is not shown, and leaves a doubt. It is
//! right if there is nobody who reaches the node and would see the doubt. Whoever that may be,
//! sees the step in 3 beside the actor, or in 2 where nobody acts. A node that nobody reaches any
//! more must be fresh, so that all nodes are which no view shows: whoever cuts the last way to it
//! reached it that way, so that 2 sees it. Both is looked at after each step (`sight.rs`).
//!
//! Of an actor only that is composed which its step looks at (`look.rs`), and views that differ
//! in codes that it does not look at are composed together (`faces.rs`).
//!
//! **Sound for** layouts that `layout.rs` accepts, one actor beside the view at a time, and steps
//! that look at no more than the front end says: `look.rs` lists what is relied on.
//! Steps are the front end's, interpreted. Nothing of the list is trusted, its numbers of nodes
//! included, and no code is shared with the engine that found it.
//! **Ends** always. There may be n² compositions of n views with the same shared part; without
//! the steps, each takes a few microseconds. With lists of two keys there are a few dozen for
//! each view.
//! **Deliberately absent**: leaving out compositions with an actor whose own steps (2) change
//! nothing outside of what belongs to it. What it writes to another element, and a name of one
//! forgotten element in place of another, its own view does not show.
//! **Read first** `layout.rs`, `sight.rs`, `composition.rs`, then `look.rs`.

mod beside;
mod composition;
mod faces;
mod layout;
mod listed;
mod look;
mod matching;
mod sight;
mod steps;
mod values;

#[cfg(test)]
mod tests;

use model::Limits;
use model::parameterized::{ElementViews, ParameterizedSystem};

use crate::budget::Budget;
use crate::rejection::Rejection;
use beside::Beside;
use composition::{Composition, compositions};
use faces::{Face, Faces};
use layout::Layout;
use listed::Listed;
use look::{Look, looks};
use sight::View;
use steps::Own;

/// Is the claim right?
pub(crate) fn check(
    system: &dyn ParameterizedSystem,
    claim: &ElementViews,
    limits: &Limits,
) -> Result<(), Rejection> {
    if claim.n_visible != 1 || system.n_visible() != 1 {
        return Err(Rejection::malformed("with memory, views show one element"));
    }
    let layout = Layout::new(system.cells(), system.own().state_bits())?;
    let listed = Listed::new(&layout, &claim.views)?;
    let budget = Budget::new(limits);
    let mut own = Own::new(system, (&layout, &listed), limits);
    own.start()?;
    for view in &listed.views {
        budget.tick()?;
        own.judge(view)?;
        own.steps(view)?;
    }
    let mut beside = Beside::new(system, (&layout, &listed), limits)?;
    let groups = listed.groups(&layout);
    let looks: Vec<(Look, Vec<usize>)> = looks(system, &layout)?.into_iter().collect();
    for looks in looks.chunk_by(|(one, _), (next, _)| one.unread == next.unread) {
        let faces = Faces::new(&layout, &listed, &looks[0].0.unread);
        for (look, kinds) in looks {
            for (common, views) in &groups {
                for actor in look.companies(&layout, views) {
                    let enabled = beside.enabled((look, kinds), &actor)?;
                    let faces = (&faces, faces.with(common));
                    beside_all(&layout, faces, (&actor, &enabled), &mut beside, &budget)?;
                }
            }
        }
    }
    Ok(())
}

/// Checks the steps of an actor beside all faces with the same shared part, whatever they have in
/// common.
fn beside_all(
    layout: &Layout,
    (all, faces): (&Faces<'_>, &[Face]),
    (actor, enabled): (&View, &[usize]),
    beside: &mut Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if enabled.is_empty() {
        return budget.tick();
    }
    for face in faces {
        compositions(layout, (&face.view, actor), |composition: &Composition| {
            budget.tick()?;
            beside.steps(enabled, composition, (all, face.codes))
        })?;
    }
    Ok(())
}
