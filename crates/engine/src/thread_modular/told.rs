//! What a run of the engine tells its user: at which level it was proved and with what
//! exposed, or which step of another thread it hangs on.

use super::blame::{self, Interference};
use super::closure::{Alarm, Closure};
use super::exposed::Class;
use super::views::{MemberId, PlaceId};
use crate::kernel::step_table::LocalId;

/// Local stores that are named; the rest are counted.
const MAX_NAMED: usize = 6;

/// How it was proved.
pub fn how(closure: &Closure<'_>) -> String {
    let level = match closure.views.level() {
        1 => "each thread was looked at alone".to_owned(),
        level => format!("{level} threads were looked at together"),
    };
    let narrator = closure.table.program().narrator();
    let locks: Vec<String> =
        closure.classes.locks().map(|lock| narrator.describe_lock(lock)).collect();
    let chosen = closure.classes.chosen();
    let chosen: Vec<String> = chosen.iter().map(|class| members(closure, class)).collect();
    let by_locks = format!("whether they hold {}", locks.join(" or "));
    let by_class = format!("how many of them (none, one, more) {}", chosen.join(", and how many "));
    match (locks.is_empty(), chosen.is_empty()) {
        (true, true) => format!("{level}, others as what they may do to the shared store"),
        (false, true) => format!("{level}; others are told apart only by {by_locks}"),
        (true, false) => format!("{level}; others are told apart only by {by_class}"),
        (false, false) => {
            format!("{level}; others are told apart only by {by_locks}, and {by_class}")
        }
    }
}

/// Who is in a class: what they have done, or where they are.
fn members(closure: &Closure<'_>, class: &Class) -> String {
    if let Some(deed) = &class.deed {
        return deed.clone();
    }
    let narrator = closure.table.program().narrator();
    let name = |local: &LocalId| narrator.describe_local(closure.table.local(*local).bytes());
    let named = class.members.iter().take(MAX_NAMED).map(|local| format!("`{}`", name(local)));
    let n_more = class.members.len().saturating_sub(MAX_NAMED);
    let more = (n_more > 0).then(|| format!("{n_more} more"));
    format!("are at {}", named.chain(more).collect::<Vec<_>>().join(", "))
}

/// Why nothing was proved: the alarm, and the last step of another thread before it.
pub fn why_open(closure: &Closure<'_>, alarm: &Alarm) -> String {
    let what = match alarm {
        Alarm::Gap(why) => return why.clone(),
        Alarm::Unfinished => {
            let n = closure.views.all().len();
            return format!("threads are seen in more than {n} ways, and how many is not known");
        }
        Alarm::Step(_, error) => {
            let label = closure.table.program().narrator().label(error.label);
            format!("the error at `{}`", label.text)
        }
        Alarm::Target(target, ..) => {
            let targets = closure.table.program().requirements().targets();
            format!("the error `{}`", targets[*target].name)
        }
        Alarm::Race(place, pair) => {
            let [one, other] = pair.map(|member| where_is(closure, *place, member));
            format!("a data race of threads at `{one}` and `{other}`")
        }
    };
    let level = match closure.views.level() {
        1 => "threads that are looked at one by one".to_owned(),
        level => format!("threads that are looked at {level} at a time"),
    };
    match blame::chain(closure, alarm).first() {
        None => format!("{what} is not excluded by {level}"),
        Some(blamed) => {
            format!("{what} is not excluded by {level}: {}", interference(closure, blamed))
        }
    }
}

fn where_is(closure: &Closure<'_>, place: PlaceId, member: MemberId) -> String {
    let shared = closure.table.shared(closure.views.place(place).shared).bytes();
    let local = closure.table.local(closure.views.member(member).local).bytes();
    closure.table.program().narrator().describe_local_in(shared, local)
}

fn interference(closure: &Closure<'_>, blamed: &Interference) -> String {
    let (program, table) = (closure.table.program(), &closure.table);
    let narrator = program.narrator();
    let shared = table.shared(closure.views.place(blamed.place).shared).bytes();
    let local = |member| where_is(closure, blamed.place, member);
    let victims: Vec<String> =
        closure.views.view(blamed.victims).threads.iter().map(local).collect();
    let step = narrator.label(table.step(blamed.at as usize).label);
    format!(
        "while a thread is at `{}`, another one at `{}` may do `{}` in shared store `{}`",
        victims.join("` and one at `"),
        local(blamed.actor),
        step.text,
        narrator.describe_shared(shared)
    )
}
