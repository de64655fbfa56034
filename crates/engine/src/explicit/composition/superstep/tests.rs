//! Programs that do not say everything that supersteps would like to know: then nothing
//! is hidden.

use model::{
    Access, Context, Footprint, Independence, LabelId, Limits, Multiplicity, Narrator,
    Requirements, StepErrorRef, StepLabel, StepParts, Steps, Store, TargetShape, Template,
    ThreadProgram, Verdict,
};

use crate::explicit::composition::check_threads;
use crate::explicit::{Reduction, SearchOptions};

/// A thread that writes 1, then 2, and ends.
const WRITER: u8 = 0;
const WRITER_AGAIN: u8 = 1;
/// A thread that reads once and ends.
const READER: u8 = 2;

/// A writer and perhaps a reader of one byte, which is object 0.
#[derive(Default)]
struct OneByte {
    templates: Vec<Template>,
    /// The reader fails if it reads 1; it does not say what it touches.
    is_reader_opaque: bool,
    /// The byte must not be 1.
    targets: Vec<TargetShape>,
    /// Does the program say what targets depend on?
    says_what_is_visible: bool,
}

impl OneByte {
    fn with_threads(locals: &[u8]) -> OneByte {
        let template = |&local: &u8| Template {
            name: local.to_string(),
            initial: vec![Store::new(&[local])],
            multiplicity: Multiplicity::Exactly(1),
        };
        OneByte { templates: locals.iter().map(template).collect(), ..OneByte::default() }
    }

    /// The number of states where no error is found; `None` where one is.
    fn n_states(&self, reduction: Reduction) -> Option<u64> {
        let options = SearchOptions { reduction, ..SearchOptions::default() };
        let n_threads = self.templates.len() as u32;
        let outcome = check_threads(self, n_threads, &options, Context::silent(&Limits::none()));
        match outcome.verdict {
            Verdict::Holds(_) => Some(outcome.statistics[0].1),
            Verdict::Violated(_) => None,
            Verdict::Unknown(why) => panic!("{reduction:?} gives up: {why:?}"),
        }
    }
}

impl ThreadProgram for OneByte {
    fn initial_shared(&self) -> Vec<Store> {
        vec![Store::new(&[0])]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let is_write = local[0] != READER;
        let touched = [Access { object: 0, at: 0, len: 1, is_write, is_atomic: true }];
        let written = [local[0] + 1];
        let is_opaque = !is_write && self.is_reader_opaque;
        let fails = is_opaque && shared == [1];
        out.push(StepParts {
            shared: if is_write { &written } else { shared },
            local: (local[0] == WRITER).then_some(&[WRITER_AGAIN]),
            spawned: &[],
            broadcast: None,
            footprint: match is_opaque {
                true => Footprint::Everything,
                false => Footprint::Known(&touched),
            },
            label: LabelId(0),
            violation: fails.then_some(StepErrorRef::assertion("it reads 1")),
        });
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.says_what_is_visible.then_some(self)
    }
}

impl Requirements for OneByte {
    fn targets(&self) -> &[TargetShape] {
        &self.targets
    }

    fn target_shared(&self, _target: usize, shared: &[u8]) -> bool {
        shared == [1]
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        true
    }
}

impl Independence for OneByte {
    fn future_objects(&self, _shared: &[u8], _local: &[u8], out: &mut Vec<u32>) {
        out.push(0);
    }

    fn visible_objects(&self, _shared: &[u8], out: &mut Vec<u32>) {
        out.extend((!self.targets.is_empty()).then_some(0));
    }
}

impl Narrator for OneByte {
    fn label(&self, _label: LabelId) -> StepLabel {
        StepLabel { text: "access".into(), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        shared[0].to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        local[0].to_string()
    }
}

#[test]
fn a_step_that_touches_anything_may_come_between_two_writes() {
    let mut program = OneByte::with_threads(&[WRITER, READER]);
    program.says_what_is_visible = true;
    program.is_reader_opaque = true;
    for reduction in [Reduction::Off, Reduction::AmpleSets, Reduction::Supersteps] {
        assert_eq!(program.n_states(reduction), None, "{reduction:?}");
    }
}

#[test]
fn every_step_is_visible_where_nobody_says_what_targets_depend_on() {
    let mut program = OneByte::with_threads(&[WRITER]);
    program.targets.push(TargetShape { name: "one".into(), slots: Vec::new() });
    for reduction in [Reduction::Off, Reduction::AmpleSets, Reduction::Supersteps] {
        assert_eq!(program.n_states(reduction), None, "{reduction:?}");
    }
}

#[test]
fn two_writes_are_one_superstep_where_nobody_could_tell() {
    let mut program = OneByte::with_threads(&[WRITER]);
    program.says_what_is_visible = true;
    assert_eq!(program.n_states(Reduction::Off), Some(3));
    assert_eq!(program.n_states(Reduction::Supersteps), Some(2));
}
