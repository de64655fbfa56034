//! A run once more from its start, with the values that dead locals have.
//!
//! Sets say nothing of dead locals, so a run that is read off them has made-up values for
//! these. They do not matter to what is alive: the same steps can be taken with the right
//! ones, and lead to the same values of all that is alive.

use model::StopReason;

use super::layout::VariableOrder;
use super::liveness::Liveness;
use super::rings::{Snapshot, SymbolicRun, SymbolicStep};
use super::step::{Casting, Compiler, TransitionRelation};
use super::world::World;

/// The run with a value for each local.
pub(super) fn with_all_values(
    world: &World<'_>,
    run: SymbolicRun,
) -> Result<SymbolicRun, StopReason> {
    let everything = Liveness::everything(world.flow);
    let World { flow, layout, diagrams, .. } = world;
    let compiler = Compiler { flow, layout, diagrams, liveness: &everything };
    let mut before = run.start.clone();
    let mut steps = Vec::new();
    for taken in run.steps {
        let step = compiler.step(taken.edge_idx, casting(&taken), layout.n_threads)?;
        let after = after(world, &step, &before, &taken)?;
        before = after.clone();
        steps.push(SymbolicStep { after, ..taken });
    }
    Ok(SymbolicRun { steps, ..run })
}

/// The step as one of thread 0, which has changed places with the one that takes it.
fn casting(taken: &SymbolicStep) -> Casting {
    match taken.created {
        None => Casting::Steps,
        Some(0) => Casting::Creates(taken.place),
        Some(place) => Casting::Creates(place),
    }
}

/// The state after a step from `before` in which all that is alive is as in the run.
fn after(
    world: &World<'_>,
    step: &TransitionRelation,
    before: &Snapshot,
    taken: &SymbolicStep,
) -> Result<Snapshot, StopReason> {
    let World { layout, diagrams, liveness, .. } = world;
    let turned = |state: &Snapshot| {
        let mut state = state.clone();
        state.threads.swap(0, taken.place);
        state
    };
    let (before, wanted) = (turned(before), turned(&taken.after));
    let cube = diagrams.cube(&before.literals(layout, &|_, _| true))?;
    let is_alive = |thread: usize, idx: usize| {
        wanted.threads[thread].as_ref().is_none_or(|(at, _)| !liveness.is_dead(*at, idx))
    };
    let wanted_cube = diagrams.cube(&wanted.after(layout, step, &is_alive))?;
    let pairs = diagrams.and(&step.pairs(diagrams, &cube)?, &wanted_cube)?;
    let values = diagrams.pick(&pairs);
    let mut values = values.ok_or_else(|| super::odd("a run cannot be taken again"))?;
    for &variable in &step.touched {
        values[variable as usize] = values[VariableOrder::after(variable) as usize];
    }
    let own = wanted.threads[0].as_ref().map_or(layout.absent(), |own| own.0);
    Ok(turned(&Snapshot::read(layout, &values, own)))
}
