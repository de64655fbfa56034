//! Random thread programs with every feature of the seam: several templates,
//! several initial shared stores, spawns, threads that end, broadcasts with
//! choices, environment steps, violating steps, targets with several slots.

use model::{
    BroadcastId, Footprint, LabelId, Multiplicity, Narrator, Requirements, StepErrorRef, StepLabel,
    StepParts, Steps, Store, TargetShape, Template, ThreadProgram,
};

use crate::rng::Rng;

/// A thread program given by tables. Stores are single bytes.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The shared stores that a run may start in.
    pub initial_shared: Vec<u8>,
    /// The templates.
    pub templates: Vec<Template>,
    /// The steps.
    pub steps: Vec<TableStep>,
    /// For each broadcast, what a thread in a local store may become.
    pub broadcasts: Vec<Vec<(u8, Vec<u8>)>>,
    /// The shapes of the targets.
    pub shapes: Vec<TargetShape>,
    /// For each target, the shared stores that fit, and per slot the locals.
    pub fits: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

/// One step in the table.
#[derive(Clone, Debug)]
pub struct TableStep {
    /// Shared store before.
    pub shared: u8,
    /// Local store before; `None`: a step of the environment.
    pub local: Option<u8>,
    /// Shared store after.
    pub to_shared: u8,
    /// Local store after; `None`: the thread ends.
    pub to_local: Option<u8>,
    /// Threads it creates.
    pub spawned: Vec<u8>,
    /// Index of its broadcast.
    pub broadcast: Option<usize>,
    /// Is it an error?
    pub is_violation: bool,
}

/// Only what a `.tts` file without broadcasts can say.
pub fn plain(rng: &mut Rng) -> RandomProgram {
    let mut program = with_steps(rng, 3, 10, false);
    program.templates = vec![template(vec![0], Multiplicity::Any)];
    program
}

/// Everything.
pub fn rich(rng: &mut Rng) -> RandomProgram {
    let n_steps = rng.between(3, 8);
    let mut program = with_steps(rng, 2, n_steps, true);
    let n_templates = rng.between(1, 2);
    for _ in 0..n_templates {
        let mut initial = rng.subset(N_LOCAL, 25);
        if initial.is_empty() {
            initial.push(rng.below(N_LOCAL));
        }
        let multiplicity = match rng.below(3) {
            0 => Multiplicity::Any,
            _ => Multiplicity::Exactly(rng.between(1, 2)),
        };
        let initial = initial.into_iter().map(|local| local as u8).collect();
        program.templates.push(template(initial, multiplicity));
    }
    program
}

const N_LOCAL: u32 = 4;

fn template(initial: Vec<u8>, multiplicity: Multiplicity) -> Template {
    let initial = initial.into_iter().map(|local| Store::new(&[local])).collect();
    Template { name: "thread".into(), initial, multiplicity }
}

fn with_steps(rng: &mut Rng, n_shared: u32, n_steps: u32, rich: bool) -> RandomProgram {
    let mut program = RandomProgram {
        initial_shared: vec![0],
        templates: Vec::new(),
        steps: Vec::new(),
        broadcasts: Vec::new(),
        shapes: Vec::new(),
        fits: Vec::new(),
    };
    if rich {
        program.initial_shared.extend(rng.chance(20).then_some(1));
        program.broadcasts = (0..2).map(|_| broadcast(rng)).collect();
    }
    for _ in 0..n_steps {
        let mut step = plain_step(rng, n_shared);
        if rich {
            enrich(rng, &mut step);
        }
        program.steps.push(step);
    }
    let n_targets = if rich { rng.between(1, 2) } else { 1 };
    for idx in 0..n_targets {
        let (shape, fits) = target(rng, n_shared, idx);
        program.shapes.push(shape);
        program.fits.push(fits);
    }
    program
}

fn plain_step(rng: &mut Rng, n_shared: u32) -> TableStep {
    TableStep {
        shared: rng.below(n_shared) as u8,
        local: Some(rng.below(N_LOCAL) as u8),
        to_shared: rng.below(n_shared) as u8,
        to_local: Some(rng.below(N_LOCAL) as u8),
        spawned: Vec::new(),
        broadcast: None,
        is_violation: false,
    }
}

fn enrich(rng: &mut Rng, step: &mut TableStep) {
    if rng.chance(10) {
        step.to_local = None;
    }
    if rng.chance(15) {
        let n_spawned = rng.between(1, 2);
        step.spawned = (0..n_spawned).map(|_| rng.below(N_LOCAL) as u8).collect();
    }
    if rng.chance(30) {
        step.broadcast = Some(rng.below(2) as usize);
    }
    if rng.chance(8) {
        (step.local, step.to_local) = (None, None);
    }
    step.is_violation = rng.chance(4);
}

fn broadcast(rng: &mut Rng) -> Vec<(u8, Vec<u8>)> {
    let moved = rng.subset(N_LOCAL, 50);
    let entries = moved.into_iter().map(|local| {
        let n_choices = if rng.chance(25) { 2 } else { 1 };
        let mut to: Vec<u8> = (0..n_choices).map(|_| rng.below(N_LOCAL) as u8).collect();
        to.sort_unstable();
        to.dedup();
        (local as u8, to)
    });
    entries.collect()
}

fn target(rng: &mut Rng, n_shared: u32, idx: u32) -> (TargetShape, (Vec<u8>, Vec<Vec<u8>>)) {
    let n_slots = rng.below(3);
    let slots: Vec<u32> = (0..n_slots).map(|_| rng.between(1, 2)).collect();
    let mut shared: Vec<u8> = rng.subset(n_shared, 30).into_iter().map(|s| s as u8).collect();
    // A target without slots that fits the initial store would be no question.
    if shared.is_empty() || slots.is_empty() {
        shared = vec![(n_shared - 1) as u8];
    }
    let locals = slots.iter().map(|_| {
        let mut locals: Vec<u8> = rng.subset(N_LOCAL, 15).into_iter().map(|l| l as u8).collect();
        if locals.is_empty() {
            locals.push(rng.between(1, N_LOCAL - 1) as u8);
        }
        locals
    });
    let fits = (shared, locals.collect());
    (TargetShape { name: format!("target {idx}"), slots }, fits)
}

impl ThreadProgram for RandomProgram {
    fn initial_shared(&self) -> Vec<Store> {
        self.initial_shared.iter().map(|&shared| Store::new(&[shared])).collect()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        self.push_steps(shared, Some(local), out);
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        self.push_steps(shared, None, out);
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let table = &self.broadcasts[broadcast.0 as usize];
        if let Some((_, to)) = table.iter().find(|(from, _)| local == [*from]) {
            out.extend(to.iter().map(|&local| Store::new(&[local])));
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for RandomProgram {
    fn targets(&self) -> &[TargetShape] {
        &self.shapes
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        self.fits[target].0.contains(&shared[0])
    }

    fn target_local(&self, target: usize, slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        self.fits[target].1[slot].contains(&local[0])
    }
}

impl Narrator for RandomProgram {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("step {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        format!("{}", shared[0])
    }

    fn describe_local(&self, local: &[u8]) -> String {
        format!("{}", local[0])
    }
}

impl RandomProgram {
    fn push_steps(&self, shared: &[u8], local: Option<&[u8]>, out: &mut Steps) {
        for (idx, step) in self.steps.iter().enumerate() {
            if shared != [step.shared] || local.map(|local| local[0]) != step.local {
                continue;
            }
            let to_local = step.to_local.map(|local| [local]);
            let spawned: Vec<&[u8]> = step.spawned.iter().map(std::slice::from_ref).collect();
            out.push(StepParts {
                shared: &[step.to_shared],
                local: to_local.as_ref().map(|local| &local[..]),
                spawned: &spawned,
                broadcast: step.broadcast.map(|idx| BroadcastId(idx as u32)),
                footprint: Footprint::Everything,
                label: LabelId(idx as u32),
                violation: step.is_violation.then_some(StepErrorRef::assertion("assertion")),
            });
        }
    }
}
