//! Trace reconstruction: a run that was read off diagrams, in terms of the program's
//! stores and labels, with a number for each thread.

use model::{
    Bit, BitExpr, BooleanFlow, FlowEdge, FlowThread, LocationId, Multiplicity, PassiveMove,
    StepEnd, Steps, StopReason, Store, ThreadProgram, ThreadStep, ThreadTrace, Variant, Violation,
};

use super::rings::{Snapshot, SymbolicRun, SymbolicStep};
use super::step::Compiler;
use super::world::World;

/// The run as a trace that can be replayed.
pub(super) fn trace(
    program: &dyn ThreadProgram,
    world: &World<'_>,
    run: &SymbolicRun,
) -> Result<ThreadTrace, StopReason> {
    let flow = world.flow;
    let mut reconstruction = Reconstruction { program, flow, names: Vec::new(), n_named: 0 };
    for own in &run.start.threads {
        let name = own.as_ref().map(|_| reconstruction.next_name());
        reconstruction.names.push(name);
    }
    let threads: Vec<&(usize, Vec<bool>)> = run.start.threads.iter().flatten().collect();
    let templates = kinds(flow, &threads).ok_or_else(|| super::odd("a run starts oddly"))?;
    let stores = threads.iter().map(|own| reconstruction.local(own)).collect();
    let mut steps = Vec::new();
    let mut before = &run.start;
    for taken in &run.steps {
        steps.push(reconstruction.step(before, taken)?);
        before = &taken.after;
    }
    let last = last_step(world, before, run)?;
    let error = flow.edges[run.edge_idx].violation.clone();
    let error = error.ok_or_else(|| super::odd("a run ends in no error"))?;
    steps.push(reconstruction.step(before, &last)?);
    let shared = reconstruction.shared(&run.start);
    let violation = Violation::Step(error);
    let trace = ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared,
        threads: stores,
        templates,
        bystanders: Vec::new(),
        steps,
        violation,
    };
    can_be_replayed(program, &trace)?;
    Ok(trace)
}

/// Does the program find each step of a run again? It may not, where a statement has very
/// many choices.
fn can_be_replayed(program: &dyn ThreadProgram, trace: &ThreadTrace) -> Result<(), StopReason> {
    let program = program.fine().unwrap_or(program);
    let mut shared = &trace.shared;
    let mut locals: Vec<Option<&Store>> = trace.threads.iter().map(Some).collect();
    let mut listed = Steps::new();
    for step in &trace.steps {
        let mover = step.thread.map_or(0, |thread| thread as usize);
        let own = locals.get(mover).copied().flatten();
        let own = own.ok_or_else(|| super::odd("nobody takes a step"))?;
        listed.clear();
        let local = step.local.as_ref().map(Store::bytes);
        let end = StepEnd { shared: step.shared.bytes(), local, spawned: &step.spawned };
        program.steps_to(shared.bytes(), own.bytes(), end, &mut listed);
        if let Some(why) = listed.incomplete() {
            let after = (step.shared.bytes(), local);
            if !listed.iter().any(|known| (known.shared(), known.local()) == after) {
                let why = format!("an error is reached, but cannot be replayed: {why}");
                return Err(StopReason::Incomplete { why });
            }
        }
        shared = &step.shared;
        locals[mover] = step.local.as_ref();
        locals.extend(step.spawned.iter().map(Some));
        for moved in &step.passive {
            locals[moved.thread as usize] = Some(&moved.local);
        }
    }
    Ok(())
}

struct Reconstruction<'a> {
    program: &'a dyn ThreadProgram,
    flow: &'a BooleanFlow,
    /// The number of the thread at each place.
    names: Vec<Option<u32>>,
    n_named: u32,
}

impl Reconstruction<'_> {
    fn next_name(&mut self) -> u32 {
        self.n_named += 1;
        self.n_named - 1
    }

    fn step(&mut self, before: &Snapshot, taken: &SymbolicStep) -> Result<ThreadStep, StopReason> {
        let edge = &self.flow.edges[taken.edge_idx];
        let after = &taken.after;
        let name = self.names[taken.place].ok_or_else(|| super::odd("nobody takes a step"))?;
        let mut passive = Vec::new();
        for (place, (old, new)) in before.threads.iter().zip(&after.threads).enumerate() {
            let is_other = place != taken.place && taken.created != Some(place);
            if let (true, Some(thread), Some(own)) =
                (is_other && old != new, self.names[place], new)
            {
                passive.push(PassiveMove { thread, local: self.local(own) });
            }
        }
        passive.sort_by_key(|moved| moved.thread);
        let local = after.threads[taken.place].as_ref().map(|own| self.local(own));
        let mut spawned = Vec::new();
        if local.is_none() {
            self.names[taken.place] = None;
        }
        if let Some(place) = taken.created {
            let own = after.threads[place].as_ref();
            spawned.extend(own.map(|own| self.local(own)));
            let name = self.next_name();
            self.names.resize(self.names.len().max(place + 1), None);
            self.names[place] = Some(name);
        }
        let label = self.program.fine().unwrap_or(self.program).narrator().label(edge.label);
        Ok(ThreadStep {
            thread: Some(name),
            label: label.text,
            span: label.span,
            shared: self.shared(after),
            local,
            spawned,
            passive,
        })
    }

    fn shared(&self, state: &Snapshot) -> Store {
        self.flow.shared_store(&state.shared, state.in_atomic)
    }

    fn local(&self, (location, locals): &(usize, Vec<bool>)) -> Store {
        self.flow.local_store(LocationId(*location as u32), locals)
    }
}

/// A way to take the edge that is an error, in a state in which there is one.
fn last_step(
    world: &World<'_>,
    before: &Snapshot,
    run: &SymbolicRun,
) -> Result<SymbolicStep, StopReason> {
    let World { flow, layout, diagrams, liveness, .. } = world;
    let edge = &flow.edges[run.edge_idx];
    let own = before.threads[run.place].as_ref();
    let own = own.ok_or_else(|| super::odd("nobody takes the last step"))?;
    let mut turned = before.clone();
    turned.threads.swap(0, run.place);
    let state = diagrams.cube(&turned.literals(layout, &|_, _| true))?;
    let choices = Compiler { flow, layout, diagrams, liveness }.choices(run.edge_idx, &state)?;
    let choices = choices.ok_or_else(|| super::odd("an error is reached, but not taken"))?;
    let scene = Scene { before, locals: &own.1, choices: &choices };
    match scene.allows(edge) {
        true => Ok(scene.after(flow, run, edge)),
        false => Err(super::odd("the last step cannot be taken")),
    }
}

/// What a thread sees when it takes a step.
struct Scene<'a> {
    before: &'a Snapshot,
    locals: &'a [bool],
    choices: &'a [bool],
}

impl Scene<'_> {
    fn value(&self, expr: &BitExpr, edge: &FlowEdge, other: &[bool]) -> bool {
        expr.eval(&|leaf| match leaf {
            BitExpr::Before(Bit::Shared(idx)) => self.before.shared[*idx as usize],
            BitExpr::Before(Bit::Local(idx)) => self.locals[*idx as usize],
            BitExpr::After(bit) => {
                let assigned = edge.assigns.iter().find(|(assigned, _)| assigned == bit);
                let kept = BitExpr::Before(*bit);
                self.value(assigned.map_or(&kept, |(_, value)| value), edge, other)
            }
            BitExpr::Passive(idx) => other[*idx as usize],
            BitExpr::Choice(idx) => self.choices[*idx as usize],
            _ => false,
        })
    }

    fn allows(&self, edge: &FlowEdge) -> bool {
        self.value(&edge.guard, edge, &[]) && self.value(&edge.constraint, edge, &[])
    }

    fn after(&self, flow: &BooleanFlow, run: &SymbolicRun, edge: &FlowEdge) -> SymbolicStep {
        let mut after = self.before.clone();
        let mut locals = self.locals.to_vec();
        for (bit, value) in &edge.assigns {
            let value = self.value(value, edge, &[]);
            match bit {
                Bit::Shared(idx) => after.shared[*idx as usize] = value,
                Bit::Local(idx) => locals[*idx as usize] = value,
            }
        }
        for (place, own) in after.threads.iter_mut().enumerate() {
            let Some((_, others)) = own.as_mut().filter(|_| place != run.place) else { continue };
            let old = others.clone();
            for (idx, value) in &edge.passive {
                others[*idx as usize] = self.value(value, edge, &old);
            }
        }
        after.in_atomic = edge.to.is_some_and(|to| flow.locations[to.0 as usize].is_atomic);
        after.threads[run.place] = edge.to.map(|to| (to.0 as usize, locals));
        let created = edge.spawn.as_ref().map(|spawn| {
            let mut locals = self.locals.to_vec();
            for (idx, value) in &spawn.assigns {
                locals[*idx as usize] = self.value(value, edge, &[]);
            }
            after.threads.push(Some((spawn.to.0 as usize, locals)));
            after.threads.len() - 1
        });
        SymbolicStep { place: run.place, edge_idx: run.edge_idx, created, after }
    }
}

/// For each thread a kind that it is of, each kind with the right number; `None` if there
/// is no way.
fn kinds(flow: &BooleanFlow, threads: &[&(usize, Vec<bool>)]) -> Option<Vec<usize>> {
    let mut n_left: Vec<Option<u32>> = (flow.threads.iter())
        .map(|kind| match kind.multiplicity {
            Multiplicity::Exactly(n) => Some(n),
            Multiplicity::Any => None,
        })
        .collect();
    let mut chosen = Vec::new();
    assign(flow, threads, &mut n_left, &mut chosen).then_some(chosen)
}

fn assign(
    flow: &BooleanFlow,
    threads: &[&(usize, Vec<bool>)],
    n_left: &mut [Option<u32>],
    chosen: &mut Vec<usize>,
) -> bool {
    let Some((first, rest)) = threads.split_first() else {
        return n_left.iter().flatten().all(|&n| n == 0);
    };
    for (idx, kind) in flow.threads.iter().enumerate() {
        if n_left[idx] == Some(0) || !is_of_kind(first, kind) {
            continue;
        }
        n_left[idx] = n_left[idx].map(|n| n - 1);
        chosen.push(idx);
        if assign(flow, rest, n_left, chosen) {
            return true;
        }
        chosen.pop();
        n_left[idx] = n_left[idx].map(|n| n + 1);
    }
    false
}

fn is_of_kind((location, locals): &(usize, Vec<bool>), kind: &FlowThread) -> bool {
    kind.entry.0 as usize == *location
        && locals
            .iter()
            .zip(&kind.locals)
            .all(|(own, start)| start.is_none_or(|start| start == *own))
}
