//! Says what is wrong with a state of threads that is a deadlock or a race.

use model::{Access, Footprint, StepLabel, Steps, Store, ThreadProgram};

/// Who waits for what.
pub(crate) fn deadlock(
    program: &dyn ThreadProgram,
    shared: &Store,
    locals: &[Option<Store>],
) -> String {
    let mut waits = Vec::new();
    for (idx, local) in locals.iter().enumerate() {
        let blocked =
            local.as_ref().and_then(|local| program.blocked(shared.bytes(), local.bytes()));
        waits.extend(blocked.map(|why| format!("T{idx}: {why}")));
    }
    format!("deadlock: {}", waits.join("; "))
}

/// Two accesses of which at least one must not happen while the other may.
pub(crate) struct Race {
    /// What both access, as a noun.
    pub location: String,
    /// The two, the thread with the smaller number first.
    pub sides: [RaceSide; 2],
}

/// One of the two.
pub(crate) struct RaceSide {
    /// Number of the thread.
    pub thread: usize,
    /// Does it write?
    pub is_write: bool,
    /// The step that it is part of.
    pub label: StepLabel,
}

impl RaceSide {
    fn new(thread: usize, access: &Access, label: &StepLabel) -> RaceSide {
        RaceSide { thread, is_write: access.is_write, label: label.clone() }
    }

    /// `writes` or `reads`.
    pub fn verb(&self) -> &'static str {
        if self.is_write { "writes" } else { "reads" }
    }
}

/// Which two threads access what, in words.
pub(crate) fn race(
    program: &dyn ThreadProgram,
    shared: &Store,
    locals: &[Option<Store>],
) -> String {
    let Some(Race { location, sides: [left, right] }) = find_race(program, shared, locals) else {
        return "data race".into();
    };
    format!(
        "data race on {location}: T{} {} it (`{}`) while T{} {} it (`{}`)",
        left.thread,
        left.verb(),
        left.label.text,
        right.thread,
        right.verb(),
        right.label.text,
    )
}

/// Which two threads access what.
pub(crate) fn find_race(
    program: &dyn ThreadProgram,
    shared: &Store,
    locals: &[Option<Store>],
) -> Option<Race> {
    let accesses: Vec<Vec<(Access, StepLabel)>> =
        locals.iter().map(|local| accesses(program, shared, local.as_ref())).collect();
    for (left, of_left) in accesses.iter().enumerate() {
        for (right, of_right) in accesses.iter().enumerate().skip(left + 1) {
            for (one, at) in of_left {
                if let Some((other, other_at)) = of_right.iter().find(|(other, _)| one.races(other))
                {
                    let location = program.describe_location(shared.bytes(), *one);
                    let exact = |thread: usize, access: &Access, step: &StepLabel| {
                        let local = locals[thread].as_ref().map(Store::bytes);
                        let label = local
                            .and_then(|local| program.access_label(shared.bytes(), local, *access));
                        label.unwrap_or_else(|| step.clone())
                    };
                    let sides = [
                        RaceSide::new(left, one, &exact(left, one, at)),
                        RaceSide::new(right, other, &exact(right, other, other_at)),
                    ];
                    return Some(Race { location, sides });
                }
            }
        }
    }
    None
}

/// What a thread accesses next, and in which step.
fn accesses(
    program: &dyn ThreadProgram,
    shared: &Store,
    local: Option<&Store>,
) -> Vec<(Access, StepLabel)> {
    let Some(local) = local else { return Vec::new() };
    let mut steps = Steps::new();
    program.steps(shared.bytes(), local.bytes(), &mut steps);
    let mut found = Vec::new();
    for step in steps.iter() {
        if let Footprint::Known(accesses) = step.footprint() {
            let label = program.label(step.label());
            found.extend(accesses.iter().map(|access| (*access, label.clone())));
        }
    }
    let nameless = StepLabel { text: String::new(), span: None };
    found.extend(steps.in_vain().iter().map(|access| (*access, nameless.clone())));
    found
}
