//! Deadlocks and data races of thread programs: what is one replays and is seen when the
//! search is done again; what is none, or was not asked about, is not believed.

use certify::{Assurance, Rejection, check_certificate, replay};
use model::{
    Access, Blocking, Certificate, Footprint, LabelId, Limits, Multiplicity, Narrator, Problem,
    Proof, Requirements, Scope, StepLabel, StepParts, Steps, Store, TargetShape, Template,
    ThreadCount, ThreadProgram, ThreadTrace, Trace, Variant, Violation, Vocabulary,
};

use crate::table::{store, template};

/// A thread waits for ever, in vain.
const WAITS: u8 = 0;
/// It has ended, more or less.
const RESTS: u8 = 1;
/// It can write the only location there is, over and over.
const WRITES: u8 = 2;
const READS: u8 = 3;
const WRITES_ATOMICALLY: u8 = 4;
/// It writes to an object that its step makes, which has the first free number.
const WRITES_WHAT_IT_MAKES: u8 = 5;

struct Threads {
    templates: Vec<Template>,
    forbids_deadlock: bool,
    forbids_races: bool,
}

fn asking(forbids_deadlock: bool, forbids_races: bool, locals: &[u8]) -> Threads {
    let one = |&local: &u8| template(&[local], Multiplicity::Exactly(1));
    Threads { templates: locals.iter().map(one).collect(), forbids_deadlock, forbids_races }
}

impl ThreadProgram for Threads {
    fn initial_shared(&self) -> Vec<Store> {
        vec![store(0)]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        if local[0] < WRITES {
            return;
        }
        let (is_write, is_atomic) = (local[0] != READS, local[0] == WRITES_ATOMICALLY);
        out.push(StepParts {
            shared,
            local: Some(local),
            spawned: &[],
            broadcast: None,
            footprint: Footprint::Known(&[Access {
                object: u32::from(local[0] == WRITES_WHAT_IT_MAKES),
                at: 0,
                len: 1,
                is_write,
                is_atomic,
            }]),
            label: LabelId(0),
            violation: None,
        });
    }

    fn has_object(&self, _shared: &[u8], object: u32) -> bool {
        object == 0
    }

    fn requirements(&self) -> &dyn Requirements {
        self
    }

    fn narrator(&self) -> &dyn Narrator {
        self
    }

    fn blocking(&self) -> Option<&dyn Blocking> {
        Some(self)
    }
}

impl Requirements for Threads {
    fn targets(&self) -> &[TargetShape] {
        &[]
    }

    fn target_shared(&self, _target: usize, _shared: &[u8]) -> bool {
        false
    }

    fn target_local(&self, _target: usize, _slot: usize, _shared: &[u8], _local: &[u8]) -> bool {
        false
    }

    fn forbids_deadlock(&self) -> bool {
        self.forbids_deadlock
    }

    fn forbids_races(&self) -> bool {
        self.forbids_races
    }
}

impl Blocking for Threads {
    fn blocked(&self, _shared: &[u8], local: &[u8]) -> Option<String> {
        (local == [WAITS]).then(|| "nothing".to_owned())
    }
}

impl Narrator for Threads {
    fn label(&self, _label: LabelId) -> StepLabel {
        StepLabel { text: "access".to_owned(), span: None }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        shared[0].to_string()
    }

    fn describe_local(&self, local: &[u8]) -> String {
        local[0].to_string()
    }
}

/// Is a run believed that ends where it starts, in this violation?
fn is_believed(program: &Threads, violation: Violation) -> bool {
    let trace = Trace::Threads(ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: store(0),
        threads: program.templates.iter().map(|template| template.initial[0].clone()).collect(),
        templates: (0..program.templates.len()).collect(),
        bystanders: Vec::new(),
        steps: Vec::new(),
        violation,
    });
    replay(Problem::Threads(program), ThreadCount::Any, &trace, &Limits::none()).is_ok()
}

/// What comes of the claim that a search has seen every state.
fn looked_at_again(program: &Threads) -> Result<Assurance, Rejection> {
    let scope = Scope::Exactly(program.templates.len() as u32);
    let proof = Proof::Exhausted { n_states: 1, symmetry: true, formula: None };
    let certificate =
        Certificate { variant: Variant::AS_WRITTEN, scope, vocabulary: Vocabulary::None, proof };
    check_certificate(Problem::Threads(program), scope, &certificate, &Limits::none())
}

#[test]
fn a_deadlock_is_one_if_all_wait_and_if_it_was_asked_about() {
    let judge = |is_asked, locals: &[u8]| {
        let program = asking(is_asked, false, locals);
        let is_believed = is_believed(&program, Violation::Deadlock);
        assert_eq!(is_believed, looked_at_again(&program).is_err(), "{locals:?}");
        is_believed
    };
    assert!(judge(true, &[WAITS, WAITS]));
    assert!(!judge(false, &[WAITS, WAITS]));
    assert!(!judge(true, &[WAITS, RESTS]));
    assert!(!judge(true, &[WAITS, WRITES]));
    assert!(!judge(true, &[RESTS, RESTS]));
    assert!(!judge(true, &[]));
}

#[test]
fn a_race_needs_a_write_and_is_not_atomic_and_was_asked_about() {
    let judge = |is_asked, locals: &[u8]| {
        let program = asking(false, is_asked, locals);
        let is_believed = is_believed(&program, Violation::Race);
        assert_eq!(is_believed, looked_at_again(&program).is_err(), "{locals:?}");
        is_believed
    };
    assert!(judge(true, &[WRITES, READS]));
    assert!(judge(true, &[READS, WAITS, WRITES]));
    assert!(judge(true, &[WRITES_ATOMICALLY, READS]));
    assert!(!judge(false, &[WRITES, READS]));
    assert!(!judge(true, &[READS, READS]));
    assert!(!judge(true, &[WRITES_ATOMICALLY, WRITES_ATOMICALLY]));
    assert!(!judge(true, &[WRITES, WAITS]));
    assert!(!judge(true, &[WRITES_WHAT_IT_MAKES, WRITES_WHAT_IT_MAKES]));
    assert!(!judge(true, &[WRITES_WHAT_IT_MAKES, WRITES]));
}
