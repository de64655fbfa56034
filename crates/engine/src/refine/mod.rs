//! Refinement: is every interaction of the implementation's thread with the shared store one
//! that the specification's thread allows, in any environment?
//!
//! **Definition.** Before each step of a thread the environment may put any of the stores of
//! `SharedCorrespondence` there. A step of the implementation's thread from shared store s to s'
//! is *matched* by the specification's thread if that can take, in the stores that stand for
//! them, any number of steps at s that leave s unchanged, then one step from s to s' (none if
//! these are the same), then any number of steps at s' that leave s' unchanged. The
//! implementation refines the specification if
//!
//! - its initial shared stores are among those of the specification;
//! - for each run of its thread, from each initial local store, one run of the specification's
//!   thread from one of its initial local stores matches all steps, one after the other;
//! - where a step is itself an error, the specification's thread, having matched all steps
//!   before, can take steps at s that leave s unchanged and then one that is an error as well;
//! - where after a run and a change of the environment the thread fills a slot of a target in
//!   `RefinementQuestion::targets`, the specification's thread can, likewise, come to fill that
//!   slot of the target beside it.
//!
//! A step that ends the implementation's thread is matched as any other; nothing is asked of it
//! afterwards. A thread of the specification that has ended matches steps that leave the shared
//! store unchanged.
//!
//! **Why it is what rule (7) needs.** In a run of any number of threads each is the environment
//! of the others. Replacing each step by the steps that match it gives a run of the
//! specification's threads through the same shared stores, since all that it adds leaves them
//! unchanged. So no shared store, no error step and no matched target is reached that the
//! specification's threads do not reach. `certify::carries_over` says which properties are such.
//! Whose threads the others are does not matter, so rule (4), for two different threads, needs
//! nothing else.
//!
//! **Decided by** the subset construction: a node is a local store of the implementation with
//! the set of all local stores that the specification's thread may be in (`sets.rs`). Breadth
//! first, so that a failing run has the fewest steps (`search.rs`); a node with a larger set
//! than another one of the same local store is left out, since it fails only where that fails
//! too. Simulation between single local stores would be cheaper and is incomplete: a
//! specification that chooses early what the implementation chooses late is refined, and does
//! not simulate.
//!
//! **Answers.** `Refines` carries the nodes with the smallest sets, `Fails` a run of one thread;
//! `certify` checks both without this module.
//! **Not for** programs that create threads, move other threads, or change the shared store
//! without a thread, nor for several kinds of threads: `Unknown`.
//! **Ends** always where stores are finite in number; sets may be as many as subsets.
//! **Source** B => F in Ball, Chaki, Rajamani, "Parameterized Verification of Multithreaded
//! Software Libraries", 2000, which names the relation and does not define it: steps that leave
//! the shared store unchanged are our choice. Antichains: De Wulf, Doyen, Henzinger, Raskin,
//! CAV 2006.

mod failure;
mod search;
mod sets;
mod table;

use model::{Context, Refinement, RefinementQuestion, StopReason, ThreadProgram};

use self::search::{RefinementEnd, RefinementSearch};

/// An answer, with what a report tells about how it was found.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The answer.
    pub answer: Refinement,
    /// Named figures, in a fixed order.
    pub statistics: Vec<(String, u64)>,
}

/// Does the implementation refine the specification?
pub fn refine(question: &RefinementQuestion<'_>, context: Context<'_>) -> Refined {
    let mut search = RefinementSearch::new(question, context);
    let ended = fits(question).and_then(|()| search.run());
    let answer = match ended {
        Ok(RefinementEnd::Closed) => Refinement::Refines(search.relation()),
        Ok(RefinementEnd::Failed(failure)) => Refinement::Fails(failure),
        Err(reason) => Refinement::Unknown { reason },
    };
    Refined { answer, statistics: search.statistics() }
}

/// Is the question one that is answered here?
fn fits(question: &RefinementQuestion<'_>) -> Result<(), StopReason> {
    let RefinementQuestion { implementation, specification, targets, .. } = *question;
    has_one_kind(implementation, "implementation")?;
    has_one_kind(specification, "specification")?;
    for &(own, other) in targets {
        let shapes = (
            implementation.requirements().targets().get(own),
            specification.requirements().targets().get(other),
        );
        let (Some(own), Some(other)) = shapes else {
            return Err(incomplete("a target is to be matched that there is not".to_owned()));
        };
        if own.slots != other.slots {
            let why = format!("target `{}` has other slots than `{}`", own.name, other.name);
            return Err(incomplete(why));
        }
    }
    Ok(())
}

fn has_one_kind(program: &dyn ThreadProgram, whose: &str) -> Result<(), StopReason> {
    match program.templates() {
        [template] if !template.initial.is_empty() => Ok(()),
        [_] => Err(incomplete(format!("the thread of the {whose} cannot start"))),
        templates => Err(incomplete(format!(
            "refinement is about one kind of thread, and the {whose} has {} kinds",
            templates.len()
        ))),
    }
}

fn incomplete(why: String) -> StopReason {
    StopReason::Incomplete { why }
}
