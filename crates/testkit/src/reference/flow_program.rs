//! A Boolean flow, run one edge at a time with one value at a time: what it means.
//!
//! Every value of every choice is tried. While a thread is at an atomic location, a bit of
//! the shared store says so, and the others have no steps.

use model::{
    Bit, BitExpr, BooleanFlow, BroadcastId, FlowEdge, Footprint, LabelId, LocationId, Narrator,
    Requirements, StepError, StepLabel, StepParts, Steps, Store, TargetShape, Template,
    ThreadProgram,
};

/// A flow as a program of small steps.
#[derive(Clone, Debug)]
pub struct FlowProgram {
    flow: BooleanFlow,
    templates: Vec<Template>,
}

/// What a thread sees, with its choices.
struct Scene<'a> {
    shared: &'a [bool],
    locals: &'a [bool],
    choices: &'a [bool],
}

impl FlowProgram {
    /// The program of a flow with few variables: a broadcast is named by the number of its
    /// edge and all values that the thread sees, in 32 bits.
    pub fn new(flow: BooleanFlow) -> FlowProgram {
        let templates = flow.threads.iter().map(|kind| Template {
            name: kind.name.clone(),
            initial: completions(&kind.locals)
                .iter()
                .map(|locals| flow.local_store(kind.entry, locals))
                .collect(),
            multiplicity: kind.multiplicity,
        });
        FlowProgram { templates: templates.collect(), flow }
    }

    /// The flow that it runs.
    pub fn boolean_flow(&self) -> &BooleanFlow {
        &self.flow
    }

    fn shared_values(&self, shared: &[u8]) -> Vec<bool> {
        (0..self.flow.shared.len()).map(|idx| self.flow.shared_value(shared, idx)).collect()
    }

    fn local_values(&self, local: &[u8]) -> Vec<bool> {
        (0..self.flow.locals.len()).map(|idx| self.flow.local_value(local, idx)).collect()
    }

    fn is_atomic(&self, location: LocationId) -> bool {
        self.flow.locations[location.0 as usize].is_atomic
    }

    fn push(&self, edge_idx: usize, scene: &Scene<'_>, out: &mut Steps) {
        let edge = &self.flow.edges[edge_idx];
        if !scene.value(&edge.guard, edge, &[]) || !scene.value(&edge.constraint, edge, &[]) {
            return;
        }
        let (mut shared, mut locals) = (scene.shared.to_vec(), scene.locals.to_vec());
        for (bit, value) in &edge.assigns {
            let value = scene.value(value, edge, &[]);
            match bit {
                Bit::Shared(idx) => shared[*idx as usize] = value,
                Bit::Local(idx) => locals[*idx as usize] = value,
            }
        }
        let in_atomic = edge.to.is_some_and(|to| self.is_atomic(to));
        let local = edge.to.map(|to| self.flow.local_store(to, &locals));
        let spawned: Vec<Store> = (edge.spawn.iter())
            .map(|spawn| {
                let mut locals = scene.locals.to_vec();
                for (idx, value) in &spawn.assigns {
                    locals[*idx as usize] = scene.value(value, edge, &[]);
                }
                self.flow.local_store(spawn.to, &locals)
            })
            .collect();
        let spawned: Vec<&[u8]> = spawned.iter().map(Store::bytes).collect();
        if let Some(why) = &edge.incomplete {
            out.set_incomplete(why.clone());
            return;
        }
        out.push(StepParts {
            shared: self.flow.shared_store(&shared, in_atomic).bytes(),
            local: local.as_ref().map(Store::bytes),
            spawned: &spawned,
            broadcast: (!edge.passive.is_empty()).then(|| scene.packed(edge_idx)),
            footprint: Footprint::Everything,
            label: edge.label,
            violation: edge.violation.as_ref().map(StepError::borrowed),
        });
    }
}

impl Scene<'_> {
    fn value(&self, expr: &BitExpr, edge: &FlowEdge, other: &[bool]) -> bool {
        expr.eval(&|leaf| match leaf {
            BitExpr::Before(Bit::Shared(idx)) => self.shared[*idx as usize],
            BitExpr::Before(Bit::Local(idx)) => self.locals[*idx as usize],
            BitExpr::After(bit) => match edge.assigns.iter().find(|(own, _)| own == bit) {
                Some((_, value)) => self.value(value, edge, other),
                None => self.value(&BitExpr::Before(*bit), edge, other),
            },
            BitExpr::Passive(idx) => other[*idx as usize],
            BitExpr::Choice(idx) => self.choices[*idx as usize],
            _ => unreachable!("not a leaf"),
        })
    }

    fn packed(&self, edge_idx: usize) -> BroadcastId {
        let values = self.shared.iter().chain(self.locals);
        let packed = values.fold(edge_idx as u64, |packed, value| packed << 1 | u64::from(*value));
        BroadcastId(u32::try_from(packed).expect("the flow has few variables"))
    }
}

impl ThreadProgram for FlowProgram {
    fn initial_shared(&self) -> Vec<Store> {
        let initial: Vec<Option<bool>> = self.flow.shared.iter().map(|bit| bit.initial).collect();
        let stores = completions(&initial);
        stores.iter().map(|values| self.flow.shared_store(values, false)).collect()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let location = self.flow.location(local).expect("stores are our own");
        let in_atomic = self.flow.shared_value(shared, self.flow.shared.len());
        if in_atomic && !self.is_atomic(location) {
            return;
        }
        let (shared, locals) = (self.shared_values(shared), self.local_values(local));
        for (edge_idx, edge) in self.flow.edges_from(location) {
            for choices in completions(&vec![None; edge.n_choices as usize]) {
                let scene = Scene { shared: &shared, locals: &locals, choices: &choices };
                self.push(edge_idx, &scene, out);
            }
        }
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let n_shared = self.flow.shared.len();
        let n_seen = n_shared + self.flow.locals.len();
        let seen: Vec<bool> = (0..n_seen).rev().map(|bit| broadcast.0 >> bit & 1 == 1).collect();
        let edge = &self.flow.edges[broadcast.0 as usize >> n_seen];
        let location = self.flow.location(local).expect("stores are our own");
        let old = self.local_values(local);
        for choices in completions(&vec![None; edge.n_choices as usize]) {
            let (shared, locals) = seen.split_at(n_shared);
            let scene = Scene { shared, locals, choices: &choices };
            let mut new = old.clone();
            for (idx, value) in &edge.passive {
                new[*idx as usize] = scene.value(value, edge, &old);
            }
            out.push(self.flow.local_store(location, &new));
        }
    }

    fn flow(&self) -> Option<&BooleanFlow> {
        Some(&self.flow)
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for FlowProgram {
    fn targets(&self) -> &[TargetShape] {
        &[]
    }

    fn target_shared(&self, _target: usize, _shared: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        false
    }
}

impl Narrator for FlowProgram {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("edge {}", label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        format!("{:?}", self.shared_values(shared))
    }

    fn describe_local(&self, local: &[u8]) -> String {
        format!("{:?} {:?}", self.flow.location(local), self.local_values(local))
    }
}

/// All values where those that are not known may be anything.
fn completions(known: &[Option<bool>]) -> Vec<Vec<bool>> {
    let mut all = vec![Vec::new()];
    for value in known {
        let options: &[bool] = match value {
            Some(false) => &[false],
            Some(true) => &[true],
            None => &[false, true],
        };
        let longer = all.iter().flat_map(|values: &Vec<bool>| {
            options.iter().map(move |option| [&values[..], &[*option]].concat())
        });
        all = longer.collect();
    }
    all
}
