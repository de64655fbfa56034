//! Says what is wrong with a state of threads that is a deadlock or a race.

use model::{Access, Footprint, Steps, Store, ThreadProgram};

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

/// Which two threads access what.
pub(crate) fn race(
    program: &dyn ThreadProgram,
    shared: &Store,
    locals: &[Option<Store>],
) -> String {
    let accesses: Vec<Vec<(Access, String)>> =
        locals.iter().map(|local| accesses(program, shared, local.as_ref())).collect();
    for (left, of_left) in accesses.iter().enumerate() {
        for (right, of_right) in accesses.iter().enumerate().skip(left + 1) {
            for (one, at) in of_left {
                if let Some((other, other_at)) = of_right.iter().find(|(other, _)| one.races(other))
                {
                    let what = program.describe_location(shared.bytes(), *one);
                    let verb = |access: &Access| if access.is_write { "writes" } else { "reads" };
                    return format!(
                        "data race on {what}: T{left} {} it (`{at}`) while T{right} {} it (`{other_at}`)",
                        verb(one),
                        verb(other),
                    );
                }
            }
        }
    }
    "data race".into()
}

/// What a thread accesses next, and in which step.
fn accesses(
    program: &dyn ThreadProgram,
    shared: &Store,
    local: Option<&Store>,
) -> Vec<(Access, String)> {
    let Some(local) = local else { return Vec::new() };
    let mut steps = Steps::new();
    program.steps(shared.bytes(), local.bytes(), &mut steps);
    let mut found = Vec::new();
    for step in steps.iter() {
        if let Footprint::Known(accesses) = step.footprint() {
            let label = program.label(step.label()).text;
            found.extend(accesses.iter().map(|access| (*access, label.clone())));
        }
    }
    found
}
