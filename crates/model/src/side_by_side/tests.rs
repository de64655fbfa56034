//! Two small programs side by side, looked at store by store.

use super::SideBySide;
use crate::narrator::{LabelId, Narrator, StepLabel};
use crate::requirements::{Requirements, TargetShape};
use crate::rule::StepErrorRef;
use crate::steps::{Footprint, StepParts, Steps};
use crate::store::Store;
use crate::thread_program::{BroadcastId, Multiplicity, Template, ThreadProgram};

/// From local 0 to local 1, which adds `adds` to the shared store, creates a thread in local 0
/// and moves others from 0 to 5. What it is called depends on `adds`.
struct Adder {
    initial: Vec<u8>,
    adds: u8,
    templates: Vec<Template>,
    targets: Vec<TargetShape>,
    is_known: bool,
    forbids_races: bool,
}

fn template(initial: &[u8]) -> Template {
    let initial = initial.iter().map(|local| Store::new(&[*local])).collect();
    Template { name: "thread".to_owned(), initial, multiplicity: Multiplicity::Any }
}

fn adder(adds: u8, initial: &[u8]) -> Adder {
    let shape = |name: &str, slots: &[u32]| TargetShape { name: name.into(), slots: slots.into() };
    Adder {
        initial: initial.to_vec(),
        adds,
        templates: vec![template(&[0])],
        targets: vec![shape("shared", &[]), shape("local", &[1])],
        is_known: true,
        forbids_races: false,
    }
}

impl ThreadProgram for Adder {
    fn initial_shared(&self) -> Vec<Store> {
        self.initial.iter().map(|shared| Store::new(&[*shared])).collect()
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        if !self.is_known {
            out.set_incomplete("there may be more");
        }
        if local == [0] {
            out.push(StepParts {
                shared: &[shared[0] + self.adds],
                local: Some(&[1]),
                spawned: &[&[0]],
                broadcast: Some(BroadcastId(3)),
                footprint: Footprint::Known(&[]),
                label: LabelId(u32::from(self.adds)),
                violation: (shared == [9]).then_some(StepErrorRef::assertion("nine")),
            });
        }
    }

    fn environment_steps(&self, _: &[u8], out: &mut Steps) {
        let parts = StepParts {
            shared: &[100 + self.adds],
            local: None,
            spawned: &[],
            broadcast: None,
            footprint: Footprint::Everything,
            label: LabelId(7),
            violation: None,
        };
        out.push(parts);
    }

    fn passive(&self, broadcast: BroadcastId, local: &[u8], out: &mut Vec<Store>) {
        if broadcast == BroadcastId(3) && local == [0] {
            out.push(Store::new(&[5]));
        }
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }
}

impl Requirements for Adder {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, target: usize, shared: &[u8]) -> bool {
        target == 1 || shared == [self.adds]
    }

    fn target_local(&self, target: usize, slot: usize, _: &[u8], local: &[u8]) -> bool {
        (target, slot) == (1, 0) && local == [1]
    }

    fn forbids_races(&self) -> bool {
        self.forbids_races
    }
}

impl Narrator for Adder {
    fn label(&self, label: LabelId) -> StepLabel {
        StepLabel { text: format!("add {}: {}", self.adds, label.0), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        format!("{}", shared[0])
    }

    fn describe_local(&self, local: &[u8]) -> String {
        format!("{}", local[0])
    }
}

const NAMES: [&str; 2] = ["F1", "F2"];

fn refusal(first: &Adder, second: &Adder) -> String {
    match SideBySide::new([first, second], NAMES) {
        Ok(_) => panic!("it was not refused"),
        Err(why) => why,
    }
}

#[test]
fn a_run_starts_where_both_start_with_one_thread_of_each() {
    let (first, second) = (adder(1, &[4, 2, 3]), adder(2, &[3, 2, 5]));
    let both = SideBySide::new([&first, &second], NAMES).expect("both may start in 2 and 3");
    assert_eq!(both.initial_shared(), [Store::new(&[2]), Store::new(&[3])]);
    let found: Vec<_> =
        both.templates().iter().map(|t| (t.name.as_str(), t.multiplicity)).collect();
    let one = Multiplicity::Exactly(1);
    assert_eq!(found, [("F1:thread", one), ("F2:thread", one)]);
    assert_eq!(both.templates()[0].initial, [Store::new(&[0, 0])]);
    assert_eq!(both.templates()[1].initial, [Store::new(&[1, 0])]);
}

#[test]
fn a_thread_takes_the_steps_of_its_own_program() {
    let (first, second) = (adder(1, &[0]), adder(2, &[0]));
    let both = SideBySide::new([&first, &second], NAMES).expect("both start in 0");
    for (side, adds) in [(0, 1), (1, 2)] {
        let mut steps = Steps::new();
        both.steps(&[9], &[side, 0], &mut steps);
        let step = steps.iter().next().expect("one step");
        assert_eq!(steps.len(), 1);
        assert_eq!((step.shared(), step.local()), (&[9 + adds][..], Some(&[side, 1][..])));
        assert_eq!(step.spawned().collect::<Vec<_>>(), [[side, 0]]);
        assert_eq!(step.violation(), Some(StepErrorRef::assertion("nine")));
        assert_eq!(step.footprint(), Footprint::Everything);
        assert_eq!(both.label(step.label()).text, format!("add {adds}: {adds}"));
        let broadcast = step.broadcast().expect("it moves others");
        let mut becomes = Vec::new();
        both.passive(broadcast, &[1 - side, 0], &mut becomes);
        assert!(becomes.is_empty(), "threads of the other program stay");
        both.passive(broadcast, &[side, 0], &mut becomes);
        assert_eq!(becomes, [Store::new(&[side, 5])]);
    }
    let mut steps = Steps::new();
    both.environment_steps(&[0], &mut steps);
    let found: Vec<(u8, String)> =
        steps.iter().map(|step| (step.shared()[0], both.label(step.label()).text)).collect();
    assert_eq!(found, [(101, "add 1: 7".to_owned()), (102, "add 2: 7".to_owned())]);
}

#[test]
fn targets_of_a_program_are_filled_by_its_own_thread() {
    let (first, second) = (adder(1, &[0]), adder(2, &[0]));
    let both = SideBySide::new([&first, &second], NAMES).expect("both start in 0");
    let names: Vec<&str> = both.targets().iter().map(|shape| shape.name.as_str()).collect();
    assert_eq!(names, ["shared", "F1:local", "shared", "F2:local"]);
    assert!(both.target_shared(0, &[1]) && !both.target_shared(0, &[2]));
    assert!(both.target_shared(2, &[2]) && !both.target_shared(2, &[1]));
    assert!(both.target_local(1, 0, &[0], &[0, 1]) && !both.target_local(1, 0, &[0], &[1, 1]));
    assert!(both.target_local(3, 0, &[0], &[1, 1]) && !both.target_local(3, 0, &[0], &[0, 1]));
    assert!(!both.target_local(1, 0, &[0], &[]) && !both.target_local(1, 0, &[0], &[2, 1]));
    assert_eq!(both.describe_local(&[1, 4]), "F2:4");
}

#[test]
fn steps_that_are_not_known_stay_unknown() {
    let (mut first, second) = (adder(1, &[0]), adder(2, &[0]));
    first.is_known = false;
    let both = SideBySide::new([&first, &second], NAMES).expect("both start in 0");
    let mut steps = Steps::new();
    both.steps(&[0], &[1, 0], &mut steps);
    assert_eq!(steps.incomplete(), None);
    both.steps(&[0], &[0, 0], &mut steps);
    assert_eq!(steps.incomplete(), Some("there may be more"));
}

#[test]
fn what_cannot_run_side_by_side_is_refused() {
    let plain = adder(1, &[0]);
    assert!(refusal(&plain, &adder(2, &[1])).contains("no shared store that both F1 and F2"));
    let mut two_kinds = adder(1, &[0]);
    two_kinds.templates.push(template(&[1]));
    assert_eq!(refusal(&plain, &two_kinds), "F2 has 2 kinds of threads, not one");
    let mut nowhere = adder(1, &[0]);
    nowhere.templates = vec![template(&[])];
    assert_eq!(refusal(&nowhere, &plain), "the thread of F1 cannot start");
    let mut racing = adder(1, &[0]);
    racing.forbids_races = true;
    assert!(refusal(&plain, &racing).contains("F2 asks about data races"));
}
