//! A C program for any number of threads: which of its variables make stores many, so that
//! nothing had better be held of them.
//!
//! Counters of loops, statistics, sizes and arrays of handles take so many values that thread
//! states cannot be listed. Which they are is seen by looking at some stores: the variables
//! with the most different values are forgotten first.
//!
//! **A guess**: what is forgotten is sound whatever it is (`crate::forgotten`); what matters
//! and is forgotten nevertheless makes an alarm. Never forgotten are locks and the like, and
//! what holds an address, since the machine would not know what to access.

use std::collections::BTreeMap;

use model::Store;
use rustc_hash::{FxHashMap, FxHashSet};

use super::CProgram;
use crate::code::Shape;
use crate::forgotten::Held;
use crate::memory::{Kind, Mark, MarkKind, Object, Objects, SharedStore, ThreadStore};
use crate::value::{Base, Origin, Value};

/// Variables with fewer values are kept.
const FEW_VALUES: usize = 5;

/// A variable that takes many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varied {
    /// Which.
    pub variable: Held,
    /// Was nothing seen in it but handles of threads?
    pub holds_handles_alone: bool,
}

/// What was seen of the values of each variable.
#[derive(Default)]
struct Census {
    seen: FxHashMap<Held, FxHashSet<Vec<u8>>>,
    /// Variables that hold an address at some time.
    addresses: FxHashSet<Held>,
    /// Variables that hold something else than handles of threads at some time.
    others: FxHashSet<Held>,
}

impl Census {
    fn see(&mut self, variable: Held, value: Vec<u8>) {
        self.seen.entry(variable).or_default().insert(value);
    }

    /// The variables with the most values, or nearly so many; the others when these are gone.
    fn most_varied(&self, least: usize) -> Vec<Varied> {
        let known = self.seen.iter().filter(|(held, _)| !self.addresses.contains(held));
        let counts: BTreeMap<Held, usize> = known.map(|(held, seen)| (*held, seen.len())).collect();
        let most = counts.values().copied().max().unwrap_or(0);
        let enough = (most - most / 8).max(least);
        let varied = counts.into_iter().filter(|(_, n)| *n >= enough);
        let varied = varied.map(|(variable, _)| {
            let holds_handles_alone = !self.others.contains(&variable);
            Varied { variable, holds_handles_alone }
        });
        varied.collect()
    }
}

impl CProgram {
    /// What is forgotten, for reports.
    pub fn remark_on_forgotten(&self) -> Option<String> {
        let words = self.options.forgotten.iter().map(|held| held.words(&self.code));
        let mut words: Vec<String> = words.collect();
        words.dedup();
        (!words.is_empty()).then(|| format!("whatever their values: {}", words.join(", ")))
    }

    /// The variables that differ most in these stores, if some take `least` values and more:
    /// they had better be forgotten.
    pub fn most_varied(&self, shared: &[Store], local: &[Store], least: usize) -> Vec<Varied> {
        let mut census = Census::default();
        for store in shared {
            self.count_shared(&SharedStore::from_bytes(store.bytes()), &mut census);
        }
        for store in local {
            self.count_local(&ThreadStore::from_bytes(&self.code, store.bytes()), &mut census);
        }
        census.most_varied(least.max(FEW_VALUES))
    }

    fn count_shared(&self, shared: &SharedStore, census: &mut Census) {
        let n_globals = self.code.globals.len() as u32;
        for (number, object) in shared.objects().iter().filter(|(n, _)| *n < n_globals) {
            let variable = self.code.globals.get(number as usize);
            if variable.is_some_and(|it| !has_locks(&it.shape)) && !object.is_forgotten() {
                note_addresses(census, Held::Global(number), object, shared.objects());
                census.see(Held::Global(number), object.form(n_globals));
            }
        }
        let others = shared.objects().iter().filter(|(number, _)| *number >= n_globals);
        self.count_allocations(others.map(|(_, object)| object), shared.objects(), census);
    }

    fn count_local(&self, thread: &ThreadStore, census: &mut Census) {
        let n_globals = self.code.globals.len() as u32;
        for (idx, frame) in thread.frames().iter().enumerate() {
            let is_top = idx + 1 == thread.frames().len();
            for &reg in crate::memory::live(&self.code, frame, is_top) {
                let held = Held::Register(frame.function, reg);
                let value = frame.registers[reg as usize];
                if is_address(value, thread.objects()) {
                    census.addresses.insert(held);
                }
                census.others.insert(held);
                census.see(held, self.seen_value(value, thread, n_globals));
            }
        }
        let own = thread.objects().iter().map(|(_, object)| object);
        self.count_allocations(own, thread.objects(), census);
    }

    /// A value as far as it tells stores apart: an input is its set.
    fn seen_value(&self, value: Value, thread: &ThreadStore, first: u32) -> Vec<u8> {
        let mut seen = value.bits.to_le_bytes().to_vec();
        seen.extend(value.undef.to_le_bytes());
        match value.base.origin() {
            Origin::Private(number) => {
                seen.extend(thread.objects().get(number).map_or(Vec::new(), |it| it.form(first)));
            }
            _ => seen.extend(value.base.to_bits().to_le_bytes()),
        }
        seen
    }

    /// Counts what lies in memory that was allocated at the same place as one variable.
    fn count_allocations<'a>(
        &self,
        objects: impl Iterator<Item = &'a Object>,
        all: &Objects,
        census: &mut Census,
    ) {
        let n_globals = self.code.globals.len() as u32;
        let mut forms: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for object in objects {
            let is_memory = matches!(object.kind(), Kind::Heap | Kind::Stack);
            if is_memory && object.is_live() && !object.is_forgotten() {
                note_addresses(census, Held::Allocation(object.site()), object, all);
                forms.entry(object.site()).or_default().extend(object.form(n_globals));
            }
        }
        for (place, form) in forms {
            census.see(Held::Allocation(place), form);
        }
    }
}

fn note_addresses(census: &mut Census, held: Held, object: &Object, all: &Objects) {
    if object.bases().any(|base| is_memory_or_function(base, all)) {
        census.addresses.insert(held);
    }
    let is_pthread_t = |mark: &Mark| match mark.kind {
        MarkKind::Undef => true,
        MarkKind::Relative(base) => matches!(base.origin(), Origin::PthreadT(_)),
        MarkKind::Partial(_) | MarkKind::Torn => false,
    };
    let has_numbers = object.bytes().iter().any(|&byte| byte != 0);
    if has_numbers || !object.marks().iter().all(is_pthread_t) {
        census.others.insert(held);
    }
}

fn is_address(value: Value, own: &Objects) -> bool {
    is_memory_or_function(value.base, own)
}

/// Is it what a program may access or call? Inputs and handles of threads are not.
fn is_memory_or_function(base: Base, own: &Objects) -> bool {
    match base.origin() {
        Origin::Number | Origin::PthreadT(_) => false,
        Origin::Private(number) => own.get(number).is_none_or(|it| it.kind() != Kind::Symbol),
        Origin::Function(_) | Origin::Constant(_) | Origin::Shared(_) | Origin::ThreadLocal(_) => {
            true
        }
    }
}

/// Is there a lock or the like within?
fn has_locks(shape: &Shape) -> bool {
    match shape {
        Shape::Sync(_) => true,
        Shape::Record(members) => members.iter().any(|(_, _, shape)| has_locks(shape)),
        Shape::Array(_, _, element) => has_locks(element),
        Shape::Number { .. } | Shape::Pointer | Shape::Bytes => false,
    }
}
