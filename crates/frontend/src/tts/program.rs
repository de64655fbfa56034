//! The meaning of a thread transition system, as a [`ThreadProgram`].
//!
//! Stores are state numbers, four bytes each, little-endian. A broadcast lets
//! every other thread in a listed local state choose among the states listed for
//! it; the thread that steps is not moved by its own broadcast.

use model::{
    BroadcastId, Footprint, LabelId, Multiplicity, NamedFormula, Narrator, Requirements, StepLabel,
    StepParts, Steps, Store, TargetShape, Template, ThreadProgram,
};
use rustc_hash::FxHashMap;

use crate::tts::ast::{Arrow, Pair, System, Transition};
use crate::tts::print::{print_pattern, print_transition};
use crate::tts::proposition::Propositions;

/// A thread transition system with its property and initial states.
#[derive(Clone, Debug)]
pub struct TtsProgram {
    pub(crate) system: System,
    /// Indices of the transitions that threads take, grouped by where they start;
    /// within a group in the order of the file.
    order: Vec<u32>,
    /// The group of a thread state, as a range in `order`.
    groups: FxHashMap<Pair, (u32, u32)>,
    /// Indices of transfers, by shared state.
    transfers: FxHashMap<u32, Vec<u32>>,
    templates: Vec<Template>,
    shapes: Vec<TargetShape>,
    /// The distinct local states of each target, one per slot.
    slots: Vec<Vec<u32>>,
    propositions: Propositions,
    formula: Option<NamedFormula>,
}

/// Equal when the systems are; everything else follows from them.
impl PartialEq for TtsProgram {
    fn eq(&self, other: &TtsProgram) -> bool {
        self.system == other.system
    }
}

impl Eq for TtsProgram {}

impl TtsProgram {
    /// The program of `system`. When a formula over `propositions` is asked of it,
    /// steps that change nothing matter as well: a thread may take one for ever.
    pub(crate) fn new(
        system: System,
        formula: Option<NamedFormula>,
        propositions: Propositions,
    ) -> TtsProgram {
        let keeps_all = formula.is_some();
        let effective = |&idx: &u32| keeps_all || !does_nothing(&system.transitions[idx as usize]);
        let n = u32::try_from(system.transitions.len()).expect("a text is below 4 GiB");
        let is_transfer = |idx: u32| system.transitions[idx as usize].arrow == Arrow::Transfer;
        let mut order: Vec<u32> =
            (0..n).filter(effective).filter(|&idx| !is_transfer(idx)).collect();
        order.sort_by_key(|&idx| system.transitions[idx as usize].from);
        let mut groups: FxHashMap<Pair, (u32, u32)> = FxHashMap::default();
        for (pos, &idx) in (0u32..).zip(&order) {
            let from = system.transitions[idx as usize].from;
            groups.entry(from).or_insert((pos, pos)).1 = pos + 1;
        }
        let mut transfers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for idx in (0..n).filter(effective).filter(|&idx| is_transfer(idx)) {
            transfers.entry(system.transitions[idx as usize].from.shared).or_default().push(idx);
        }
        let templates = templates(&system);
        let (shapes, slots) = targets(&system);
        TtsProgram {
            order,
            groups,
            transfers,
            templates,
            shapes,
            slots,
            propositions,
            formula,
            system,
        }
    }

    /// The formula that is asked instead of the targets, where there is one.
    pub fn formula(&self) -> Option<&NamedFormula> {
        self.formula.as_ref()
    }

    fn push(&self, idx: u32, out: &mut Steps) {
        let transition = &self.system.transitions[idx as usize];
        let (from, to) = (transition.from, transition.to);
        let new_local = to.local.to_le_bytes();
        let (local, spawned) = match transition.arrow {
            Arrow::Step => (Some(new_local), None),
            Arrow::Spawn => (Some(from.local.to_le_bytes()), Some(new_local)),
            Arrow::Transfer => (None, None),
        };
        let spawned = spawned.as_ref().map(|bytes| &bytes[..]);
        out.push(StepParts {
            shared: &to.shared.to_le_bytes(),
            local: local.as_ref().map(|bytes| &bytes[..]),
            spawned: spawned.as_slice(),
            broadcast: moves_anyone(transition).then_some(BroadcastId(idx)),
            footprint: Footprint::Everything,
            label: LabelId(idx),
            violation: None,
        });
    }
}

impl ThreadProgram for TtsProgram {
    fn initial_shared(&self) -> Vec<Store> {
        vec![store(self.system.initial.shared)]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let (Some(shared), Some(local)) = (state(shared), state(local)) else { return };
        let Some(&(start, end)) = self.groups.get(&Pair { shared, local }) else { return };
        for &idx in &self.order[start as usize..end as usize] {
            self.push(idx, out);
        }
    }

    fn environment_steps(&self, shared: &[u8], out: &mut Steps) {
        let indices = state(shared).and_then(|shared| self.transfers.get(&shared));
        for &idx in indices.into_iter().flatten() {
            self.push(idx, out);
        }
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        let (Some(local), Some(transition)) =
            (state(local), self.system.transitions.get(broadcast.0 as usize))
        else {
            return;
        };
        let first = transition.passive.partition_point(|pair| pair.0 < local);
        let choices = transition.passive[first..].iter().take_while(|pair| pair.0 == local);
        out.extend(choices.map(|pair| store(pair.1)));
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for TtsProgram {
    fn targets(&self) -> &[TargetShape] {
        &self.shapes
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        self.system.patterns.get(target).map(|pattern| pattern.shared) == state(shared)
    }

    fn target_local(&self, target: usize, slot: usize, _shared: &[u8], local: &[u8]) -> bool {
        let wanted = self.slots.get(target).and_then(|slots| slots.get(slot)).copied();
        wanted.is_some() && wanted == state(local)
    }

    fn propositions(&self) -> &[TargetShape] {
        self.propositions.shapes()
    }

    fn proposition_shared(&self, proposition: usize, shared: &[u8]) -> bool {
        state(shared).is_some_and(|shared| self.propositions.fits_shared(proposition, shared))
    }

    fn proposition_local(&self, proposition: usize, _slot: usize, local: &[u8]) -> bool {
        state(local).is_some_and(|local| self.propositions.fits_local(proposition, local))
    }
}

impl Narrator for TtsProgram {
    fn label(&self, label: LabelId) -> StepLabel {
        match self.system.transitions.get(label.0 as usize) {
            Some(transition) => {
                StepLabel { text: print_transition(transition), span: transition.span }
            }
            None => StepLabel { text: "unknown transition".to_owned(), span: None },
        }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        describe(shared)
    }

    fn describe_local(&self, local: &[u8]) -> String {
        describe(local)
    }
}

fn state(bytes: &[u8]) -> Option<u32> {
    bytes.try_into().ok().map(u32::from_le_bytes)
}

fn store(state: u32) -> Store {
    Store::new(&state.to_le_bytes())
}

fn describe(bytes: &[u8]) -> String {
    state(bytes).map_or_else(|| "?".to_owned(), |state| state.to_string())
}

/// A step that leads back to where it started is left out of the search.
fn does_nothing(transition: &Transition) -> bool {
    transition.arrow != Arrow::Spawn
        && transition.from.shared == transition.to.shared
        && (transition.arrow == Arrow::Transfer || transition.from.local == transition.to.local)
        && !moves_anyone(transition)
}

fn moves_anyone(transition: &Transition) -> bool {
    transition.passive.iter().any(|(from, to)| from != to)
}

fn templates(system: &System) -> Vec<Template> {
    let template = |local: u32, multiplicity| Template {
        name: format!("local {local}"),
        initial: vec![store(local)],
        multiplicity,
    };
    let exact = system.initial.exact.chunk_by(|a, b| a == b);
    let mut templates: Vec<Template> =
        exact.map(|same| template(same[0], Multiplicity::Exactly(same.len() as u32))).collect();
    templates.extend(system.initial.any.iter().map(|&local| template(local, Multiplicity::Any)));
    templates
}

fn targets(system: &System) -> (Vec<TargetShape>, Vec<Vec<u32>>) {
    let patterns = system.patterns.iter();
    patterns
        .map(|pattern| {
            let groups: Vec<&[u32]> = pattern.locals.chunk_by(|a, b| a == b).collect();
            let slots = groups.iter().map(|same| same.len() as u32).collect();
            let name = print_pattern(pattern);
            (TargetShape { name, slots }, groups.iter().map(|same| same[0]).collect())
        })
        .unzip()
}

#[cfg(test)]
mod tests {
    use model::{Multiplicity, Narrator, Requirements, SourceFile, Steps, ThreadProgram};

    use super::{TtsProgram, store};
    use crate::{Inputs, Language, Model, load};

    fn read(text: &str, init: &str) -> TtsProgram {
        let files = [("a.tts", text), ("--init", init)]
            .map(|(name, text)| SourceFile { name: name.to_owned(), text: text.to_owned() });
        let inputs =
            Inputs { init: (!init.is_empty()).then_some(1), ..Inputs::of(&files, Language::Tts) };
        let (model, diagnostics) = load(&inputs);
        let Some(Model::Threads(program)) = model else { panic!("{diagnostics:#?}") };
        *program
    }

    const TEXT: &str = "3 4\n0 0 -> 1 1\n0 0 -> 0 0\n0 0 +> 2 2\n0 0 -> 0 0 1 ~> 2 1 ~> 3\n\
                        0 1 ~> 1 2 3 ~> 0\n2|1,1,3\n";

    #[test]
    fn steps_spawns_and_broadcasts_come_in_the_order_of_the_file() {
        let program = read(TEXT, "");
        let mut steps = Steps::new();
        program.steps(store(0).bytes(), store(0).bytes(), &mut steps);
        let labels: Vec<String> =
            steps.iter().map(|step| program.label(step.label()).text).collect();
        assert_eq!(labels, ["0 0 -> 1 1", "0 0 +> 2 2", "0 0 -> 0 0 1 ~> 2 1 ~> 3"]);
        let spawn = steps.iter().nth(1).expect("three steps");
        assert_eq!(spawn.local(), Some(store(0).bytes()));
        assert_eq!(spawn.spawned().collect::<Vec<_>>(), [store(2).bytes()]);
        let broadcast = steps.iter().nth(2).and_then(|step| step.broadcast()).expect("one");
        let mut choices = Vec::new();
        program.passive(broadcast, store(1).bytes(), &mut choices);
        assert_eq!(choices, [store(2), store(3)]);
        choices.clear();
        program.passive(broadcast, store(0).bytes(), &mut choices);
        assert!(choices.is_empty());
    }

    #[test]
    fn a_stand_alone_transfer_needs_no_thread() {
        let program = read(TEXT, "");
        let mut steps = Steps::new();
        program.environment_steps(store(0).bytes(), &mut steps);
        let step = steps.iter().next().expect("one transfer");
        assert_eq!((step.shared(), step.local()), (store(1).bytes(), None));
        let mut choices = Vec::new();
        program.passive(
            step.broadcast().expect("it moves threads"),
            store(3).bytes(),
            &mut choices,
        );
        assert_eq!(choices, [store(0)]);
    }

    #[test]
    fn targets_and_templates_group_equal_local_states() {
        let program = read(TEXT, "1|0,2,2/2,3");
        assert_eq!(program.initial_shared(), [store(1)]);
        let found: Vec<_> =
            program.templates().iter().map(|t| (t.name.as_str(), t.multiplicity)).collect();
        let expected = [
            ("local 0", Multiplicity::Exactly(1)),
            ("local 2", Multiplicity::Exactly(2)),
            ("local 2", Multiplicity::Any),
            ("local 3", Multiplicity::Any),
        ];
        assert_eq!(found, expected);
        assert_eq!(program.targets()[0].slots, [2, 1]);
        assert!(program.target_shared(0, store(2).bytes()));
        assert!(program.target_local(0, 1, store(2).bytes(), store(3).bytes()));
        assert!(!program.target_local(0, 0, store(2).bytes(), &[]));
    }

    #[test]
    fn a_huge_header_costs_nothing() {
        let program = read("2147483647 2147483647\n0 0 -> 2147483646 5\n2147483646|5", "");
        assert_eq!(program.templates().len(), 1);
    }
}
