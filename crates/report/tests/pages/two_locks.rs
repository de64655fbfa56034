//! Two threads that take two locks in opposite order, in a file full of markup.

use model::{
    Access, Blocking, Footprint, LabelId, Lock, Multiplicity, Narrator, Outcome, Problem,
    Requirements, SourceFile, Span, StepLabel, StepParts, Steps, Store, TargetShape, Template,
    ThreadCount, ThreadProgram, ThreadStep, ThreadTrace, Trace, Variant, Verdict, Violation,
};
use report::Run;

/// Text that is a script where text is taken for markup.
pub const HOSTILE: &str = "</script><script>document.title='taken over'</script><!--<img src=x \
                           onerror=\"document.title='taken over'\">&lt;";

/// An object that both threads write without any order.
const LOG: usize = 2;

pub struct TwoLocks {
    templates: Vec<Template>,
}

impl TwoLocks {
    pub fn new() -> TwoLocks {
        let template = |kind: u8| Template {
            name: format!("worker {kind} {HOSTILE}"),
            initial: vec![Store::new(&[kind, 0])],
            multiplicity: Multiplicity::Exactly(1),
        };
        TwoLocks { templates: vec![template(0), template(1)] }
    }
}

/// The lock that a thread takes next.
fn wanted(local: &[u8]) -> usize {
    usize::from(local[0] ^ local[1])
}

impl ThreadProgram for TwoLocks {
    fn initial_shared(&self) -> Vec<Store> {
        vec![Store::new(&[0, 0])]
    }

    fn templates(&self) -> &[Template] {
        &self.templates
    }

    fn steps(&self, shared: &[u8], local: &[u8], out: &mut Steps) {
        let lock = wanted(local);
        if local[1] > 1 || shared[lock] != 0 {
            return;
        }
        let mut after = shared.to_vec();
        after[lock] = local[0] + 1;
        let access = |object: usize| {
            let object = object as u32;
            Access { object, at: 0, len: 1, is_write: true, is_atomic: false }
        };
        out.push(StepParts {
            shared: &after,
            local: Some(&[local[0], local[1] + 1]),
            spawned: &[],
            broadcast: None,
            footprint: Footprint::Known(&[access(lock), access(LOG)]),
            label: LabelId(lock as u32),
            violation: None,
        });
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

impl Requirements for TwoLocks {
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

impl Narrator for TwoLocks {
    fn describe_location(&self, _shared: &[u8], access: Access) -> String {
        format!("`lock{}{HOSTILE}`", access.object)
    }

    fn label(&self, label: LabelId) -> StepLabel {
        let start = 2 * label.0 as usize;
        StepLabel {
            text: format!("take(lock{}) {HOSTILE}", label.0),
            span: Some(Span::new(0, start, start + 1)),
        }
    }

    fn describe_shared(&self, shared: &[u8]) -> String {
        let lock = |idx: usize| match shared[idx] {
            0 => format!("lock{idx}{HOSTILE} = free"),
            holder => format!("lock{idx}{HOSTILE} = held by {holder}"),
        };
        format!("{}, {}", lock(0), lock(1))
    }

    fn describe_local(&self, local: &[u8]) -> String {
        format!("pc {} {HOSTILE}", local[1])
    }
}

impl Blocking for TwoLocks {
    fn blocked(&self, shared: &[u8], local: &[u8]) -> Option<String> {
        let lock = wanted(local);
        (shared[lock] != 0).then(|| format!("it waits for the mutex `lock{lock}{HOSTILE}`"))
    }

    fn identity(&self, local: &[u8]) -> Option<u32> {
        Some(u32::from(local[0]))
    }

    fn wanted_lock(&self, shared: &[u8], local: &[u8]) -> Option<Lock> {
        let object = wanted(local);
        (shared[object] != 0).then_some(Lock { object: object as u32, at: 0, len: 1 })
    }

    fn n_holds(&self, shared: &[u8], lock: Lock) -> u32 {
        u32::from(shared[lock.object as usize] != 0)
    }
}

/// Both have their first lock, if `violation` is a deadlock; nobody, if it is a race.
pub fn trace(program: &TwoLocks, violation: Violation) -> Outcome {
    let step = |thread: u32, shared: [u8; 2]| {
        let label = program.narrator().label(LabelId(thread));
        ThreadStep {
            thread: Some(thread),
            label: label.text,
            span: label.span,
            shared: Store::new(&shared),
            local: Some(Store::new(&[thread as u8, 1])),
            spawned: Vec::new(),
            passive: Vec::new(),
        }
    };
    let steps = match violation {
        Violation::Race => Vec::new(),
        _ => vec![step(0, [1, 0]), step(1, [1, 2])],
    };
    let trace = ThreadTrace {
        variant: Variant::AS_WRITTEN,
        shared: Store::new(&[0, 0]),
        threads: vec![Store::new(&[0, 0]), Store::new(&[1, 0])],
        templates: vec![0, 1],
        bystanders: Vec::new(),
        steps,
        violation,
    };
    outcome(Verdict::Violated(Trace::Threads(trace)))
}

pub fn outcome(verdict: Verdict) -> Outcome {
    Outcome {
        verdict,
        engine: format!("explicit {HOSTILE}"),
        statistics: vec![(format!("states {HOSTILE}"), 4)],
        notes: vec![format!("a remark {HOSTILE}")],
    }
}

pub fn with_run<T>(outcome: &Outcome, show: impl Fn(&Run<'_>) -> T) -> T {
    let program = TwoLocks::new();
    let file = SourceFile {
        name: format!("two locks{HOSTILE}.c"),
        text: format!("a\nb\n{HOSTILE}\n\u{2028}\u{2029}\n"),
    };
    show(&Run {
        problem: Problem::Threads(&program),
        files: &[file],
        threads: ThreadCount::Exactly(2),
        outcome,
        presumes: None,
        rechecked: true,
        effort: None,
        attempt: None,
        explanation: None,
    })
}
