//! Spells out control states, counters, configurations and zones of a problem.
//!
//! Indices may come from a saved result, so every lookup has an answer: an index
//! that names nothing is shown as `?` with its number.

use model::{
    Bounds, Configuration, ControlId, Count, CounterId, CounterSystem, Narrator, Problem, Store,
    Vocabulary, Zone,
};

use crate::layout::plain;

/// What the indices of a certificate or trace are called.
pub struct Names<'a> {
    problem: Problem<'a>,
    vocabulary: Option<&'a Vocabulary>,
}

impl<'a> Names<'a> {
    /// The names of a counter system, or of a certificate about threads.
    pub fn new(problem: Problem<'a>, vocabulary: Option<&'a Vocabulary>) -> Names<'a> {
        Names { problem, vocabulary }
    }

    /// Names within a counter system.
    pub fn of_system(system: &'a CounterSystem) -> Names<'a> {
        Names { problem: Problem::Counters(system), vocabulary: None }
    }

    /// The name of a control state; a plain net has one, without a name.
    pub fn control(&self, id: ControlId) -> String {
        match (self.problem, self.vocabulary) {
            (Problem::Counters(system), _) => {
                named(system.control_names.get(id.idx()), "control", id.0)
            }
            (Problem::Threads(program), Some(Vocabulary::Threads { shared, .. })) => {
                described(shared.get(id.idx()), id.0, |store| {
                    shared_name(program.narrator(), store)
                })
            }
            _ => format!("?{}", id.0),
        }
    }

    /// The name of a counter.
    pub fn counter(&self, id: CounterId) -> String {
        match (self.problem, self.vocabulary) {
            (Problem::Counters(system), _) => {
                named(system.counter_names.get(id.idx()), "counter", id.0)
            }
            (Problem::Threads(program), Some(Vocabulary::Threads { local, .. })) => {
                let name = |store: &Store| format!("#{}", local_name(program.narrator(), store));
                described(local.get(id.idx()), id.0, name)
            }
            _ => format!("?{}", id.0),
        }
    }

    /// Does the problem have control states worth showing?
    pub fn has_controls(&self) -> bool {
        match self.problem {
            Problem::Counters(system) => system.control_names.len() > 1,
            Problem::Threads(_)
            | Problem::ThreadRuns(_)
            | Problem::States(_)
            | Problem::Parameterized(_) => true,
        }
    }

    /// A configuration: `idle=3, busy=*`, with the control state before it.
    pub fn configuration(&self, configuration: &Configuration) -> String {
        let counts = configuration
            .counts
            .iter()
            .map(|(counter, count)| format!("{}={}", self.counter(*counter), count_text(*count)));
        self.with_control(configuration.control, counts.collect(), "empty")
    }

    /// A zone: `busy >= 2, lock = 0`, with the control state before it.
    pub fn zone(&self, zone: &Zone) -> String {
        let bounds = zone
            .bounds
            .iter()
            .map(|(counter, bounds)| bounds_text(&self.counter(*counter), *bounds));
        self.with_control(zone.control, bounds.collect(), "anything")
    }

    fn with_control(&self, control: ControlId, parts: Vec<String>, none: &str) -> String {
        let parts = if parts.is_empty() { none.to_owned() } else { parts.join(", ") };
        if self.has_controls() { format!("{} | {parts}", self.control(control)) } else { parts }
    }
}

/// A shared store as people read it.
pub fn shared_name(narrator: &dyn Narrator, store: &Store) -> String {
    plain(&narrator.describe_shared(store.bytes()))
}

/// A local store as people read it.
pub fn local_name(narrator: &dyn Narrator, store: &Store) -> String {
    plain(&narrator.describe_local(store.bytes()))
}

/// A local store as people read it who know the shared store.
pub fn local_name_in(narrator: &dyn Narrator, shared: &Store, store: &Store) -> String {
    plain(&narrator.describe_local_in(shared.bytes(), store.bytes()))
}

/// `x >= 2`, `x = 3` or `x in [1,4]`.
pub fn bounds_text(name: &str, bounds: Bounds) -> String {
    match bounds.max {
        None => format!("{name} >= {}", bounds.min),
        Some(max) if max == bounds.min => format!("{name} = {max}"),
        Some(max) => format!("{name} in [{},{max}]", bounds.min),
    }
}

/// A number, or `*` for any.
pub fn count_text(count: Count) -> String {
    count.as_finite().map_or_else(|| "*".to_owned(), |n| n.to_string())
}

fn named(name: Option<&String>, kind: &str, number: u32) -> String {
    name.map_or_else(|| format!("?{kind} {number}"), |name| plain(name))
}

fn described(store: Option<&Store>, number: u32, name: impl Fn(&Store) -> String) -> String {
    store.map_or_else(|| format!("?{number}"), name)
}
