//! Which step of another thread an error that cannot be excluded is blamed on, in the words of
//! the input, and which classes of threads would tell that step apart.

use model::{ExposedClass, Multiplicity, Template, ThreadCount, ThreadProgram};

use super::classes::MAX_CLASSES;
use super::closure::{Alarm, Closure, Pair, What, Why};

/// The pairs of G on the way to an edge, the last first.
pub(super) fn interference(closure: &Closure<'_>, alarm: &Alarm) -> Vec<u32> {
    let mut pairs = Vec::new();
    let mut at = Some(alarm.edge);
    while let Some(edge) = at {
        at = match closure.edges[edge as usize].why {
            Why::Start => None,
            Why::Own(edge) => Some(edge),
            Why::Other { edge, pair } => {
                pairs.push(pair);
                Some(edge)
            }
        };
    }
    pairs
}

/// The alarm as a sentence without a full stop.
pub(super) fn words(program: &dyn ThreadProgram, closure: &Closure<'_>, alarm: &Alarm) -> String {
    let what = match &alarm.what {
        What::Error(error) => format!("that {}", error.message),
        What::Unknown(why) => return why.clone(),
    };
    let place = location(closure, alarm.edge);
    match interference(closure, alarm).first() {
        None => format!("it is not excluded {what} (in `{place}`)"),
        Some(&pair) => format!(
            "thread by thread it is not excluded {what} (in `{place}`), since {}",
            deed(program, closure, &closure.guarantee[pair as usize])
        ),
    }
}

/// What a pair of G does: "another thread may do `x := 0` (in `f:12`), which makes x=0".
fn deed(program: &dyn ThreadProgram, closure: &Closure<'_>, pair: &Pair) -> String {
    let narrator = program.narrator();
    let shared = |world: u32| closure.stores.shared.get(closure.worlds.get(world).shared).bytes();
    let change = narrator.describe_change(shared(pair.from), shared(pair.to)).unwrap_or_default();
    let effect = match change.is_empty() {
        true => String::new(),
        false => format!(", which makes {change}"),
    };
    let view = closure.views.get(closure.edges[pair.edge as usize].view);
    let what = match view.section {
        Some(_) => "end an atomic section".to_owned(),
        None => format!("do `{}`", narrator.label(pair.label).text),
    };
    format!("another thread may {what} (in `{}`){effect}", location(closure, pair.edge))
}

fn location(closure: &Closure<'_>, edge: u32) -> String {
    closure.classes.program.location_name(location_of(closure, edge))
}

fn location_of(closure: &Closure<'_>, edge: u32) -> u32 {
    let view = closure.views.get(closure.edges[edge as usize].view);
    closure.classes.program.location(closure.stores.tops.get(view.top).bytes())
}

/// More classes than are exposed already, where some could help: first who has which lock and
/// who started with what, then who changed what the blamed step changes, and who is where it
/// is done.
pub(super) fn more_classes(
    closure: &Closure<'_>,
    alarm: &Alarm,
    threads: ThreadCount,
) -> Option<Vec<ExposedClass>> {
    let exposed = &closure.classes.exposed;
    let pairs = interference(closure, alarm);
    let first = usual_classes(closure, threads);
    let mut wanted = exposed.clone();
    add(&mut wanted, first);
    for &pair in &pairs {
        if wanted.len() > exposed.len() {
            break;
        }
        add(&mut wanted, telling_apart(closure, &closure.guarantee[pair as usize]));
    }
    let is_worth_it = !pairs.is_empty() && wanted.len() > exposed.len();
    is_worth_it.then_some(wanted)
}

fn usual_classes(closure: &Closure<'_>, threads: ThreadCount) -> Vec<ExposedClass> {
    let program = closure.classes.program;
    let locks = program.locks().into_iter().map(|variable| ExposedClass::Took { variable });
    let mut roots: Vec<u32> =
        closure.stores.tops.values().iter().map(|top| program.root(top.bytes())).collect();
    roots.sort_unstable();
    roots.dedup();
    // Where any number of threads start alike, nothing is told apart.
    let is_any = |template: &Template| template.multiplicity == Multiplicity::Any;
    let are_alike = threads == ThreadCount::Any && program.templates().iter().all(is_any);
    if are_alike && roots.len() < 2 {
        roots.clear();
    }
    let roots = roots.into_iter().map(|root| ExposedClass::Started { root });
    locks.chain(roots).collect()
}

fn telling_apart(closure: &Closure<'_>, pair: &Pair) -> Vec<ExposedClass> {
    let program = closure.classes.program;
    let shared = |world: u32| closure.stores.shared.get(closure.worlds.get(world).shared).bytes();
    let (from, to) = (shared(pair.from), shared(pair.to));
    let changed = (0..program.n_variables())
        .filter(|&idx| program.variable(from, idx) != program.variable(to, idx))
        .map(|variable| ExposedClass::Took { variable });
    let location = location_of(closure, pair.edge);
    changed.chain([ExposedClass::At { location }]).collect()
}

fn add(classes: &mut Vec<ExposedClass>, more: Vec<ExposedClass>) {
    for class in more {
        if classes.len() < MAX_CLASSES && !classes.contains(&class) {
            classes.push(class);
        }
    }
}
