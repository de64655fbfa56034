//! Stores as bytes, and back. Equal stores have equal bytes: what is dead is left
//! out, private objects are numbered in the order in which frames reach them, and
//! those that nothing reaches are dropped.

use std::collections::BTreeMap;

use super::addresses::{Fact, Facts, Known};
use super::happens_before::{Clock, Event, Region, Subject};
use super::identity::ThreadIdentity;
use super::object::{Kind, Mark, MarkKind, Object};
use super::objects::Objects;
use super::store_buffer::BufferedStore;
use super::stores::{Ending, Frame, SharedStore, ThreadStore};
use crate::code::Code;
use crate::value::{Base, Origin, Value};

/// Writes numbers, small ones in few bytes.
struct Writer<'a>(&'a mut Vec<u8>);

/// Reads what [`Writer`] wrote. Stores come from this module alone, or from a saved
/// trace, which may be wrong: then reading gives zeros and ends.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What tidying up a thread has come to.
#[derive(Debug, Default)]
pub struct Tidied {
    /// Where memory was allocated that cannot be reached any more and was not freed.
    pub leak: Option<u32>,
    /// New numbers of private objects by their old ones; others are gone.
    pub numbers: BTreeMap<u32, u32>,
}

impl SharedStore {
    /// The store with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> SharedStore {
        let mut shared = SharedStore::default();
        shared.decode(bytes);
        shared
    }

    /// Its bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.clear();
        let mut writer = Writer(out);
        // Most stores know nothing of addresses, and take no byte for it.
        let has_facts = !self.addresses.is_empty();
        writer.number(u64::from(self.is_over) | u64::from(has_facts) << 1);
        if has_facts {
            writer.facts(&self.addresses);
        }
        writer.number(self.keys.len() as u64);
        for key in &self.keys {
            writer.number(u64::from(key.is_some()));
            if let Some(destructor) = key {
                writer.value(*destructor);
            }
        }
        writer.values(&self.at_exit);
        writer.values(&self.at_quick_exit);
        writer.number(self.leak.map_or(0, |site| u64::from(site) + 1));
        writer.number(self.events.len() as u64);
        self.events.iter().for_each(|event| writer.event(event));
        writer.objects(&self.objects);
    }

    /// Becomes the store with these bytes; its working memory is used again.
    pub fn decode(&mut self, bytes: &[u8]) {
        let mut reader = Reader { bytes, at: 0 };
        let flags = reader.number();
        self.is_over = flags & 1 != 0;
        reader.facts(flags & 2 != 0, &mut self.addresses);
        let n_keys = reader.count();
        self.keys.clear();
        self.keys.extend((0..n_keys).map(|_| (reader.number() != 0).then(|| reader.value())));
        reader.values(&mut self.at_exit);
        reader.values(&mut self.at_quick_exit);
        self.leak = reader.number().checked_sub(1).map(|site| site as u32);
        let n_events = reader.count();
        self.events.clear();
        self.events.extend((0..n_events).map(|_| reader.event()));
        reader.objects(&mut self.objects);
    }
}

impl Object {
    /// Its bytes without names: all shared objects from `first` on are that one.
    pub fn form(&self, first: u32) -> Vec<u8> {
        let mut object = self.clone();
        for base in object.bases_mut() {
            if matches!(base.origin(), Origin::Shared(number) if number >= first) {
                *base = Base::new(Origin::Shared(first));
            }
        }
        let mut bytes = Vec::new();
        Writer(&mut bytes).object(&object);
        bytes
    }
}

impl ThreadStore {
    /// The store with these bytes.
    pub fn from_bytes(code: &Code, bytes: &[u8]) -> ThreadStore {
        let mut thread = ThreadStore::default();
        thread.decode(code, bytes);
        thread
    }

    /// Its bytes. The thread itself is tidied up on the way: dead registers are cleared,
    /// private objects renumbered.
    pub fn encode(&mut self, code: &Code, out: &mut Vec<u8>) -> Tidied {
        clear_dead(code, self);
        let tidied = renumber(self);
        out.clear();
        let mut writer = Writer(out);
        writer.thread(self.identity);
        let has_facts = !self.addresses.is_empty();
        let ending = match self.ending {
            None => 0,
            Some(Ending::Thread(_)) => 1,
            Some(Ending::Program) => 2,
        };
        let holds = !self.held.is_empty();
        let has_place = u64::from(self.created_at.is_some());
        writer.number(ending | u64::from(has_facts) << 2 | u64::from(holds) << 3 | has_place << 4);
        if holds {
            writer.values(&self.held);
        }
        if let Some(place) = self.created_at {
            writer.number(u64::from(place));
        }
        if has_facts {
            writer.facts(&self.addresses);
        }
        if let Some(Ending::Thread(value)) = self.ending {
            writer.value(value);
        }
        writer.number(self.frames.len() as u64);
        for (idx, frame) in self.frames.iter().enumerate() {
            writer.frame(code, frame, idx + 1 == self.frames.len());
        }
        writer.values(&self.thread_locals);
        writer.values(&self.specifics);
        writer.values(&self.destroyed);
        writer.values(&self.cleanups);
        writer.values(&self.read_locks);
        writer.value(self.untold.unwrap_or(Value::ZERO));
        writer.number(self.buffered.len() as u64);
        self.buffered.iter().for_each(|store| writer.buffered(store));
        writer.objects(&self.objects);
        tidied
    }

    /// Becomes the store with these bytes; its working memory is used again.
    pub fn decode(&mut self, code: &Code, bytes: &[u8]) {
        let mut reader = Reader { bytes, at: 0 };
        self.identity = reader.thread();
        let flags = reader.number();
        self.held.clear();
        if flags & 8 != 0 {
            reader.values(&mut self.held);
        }
        self.created_at = (flags & 16 != 0).then(|| reader.number() as u32);
        reader.facts(flags & 4 != 0, &mut self.addresses);
        self.ending = match flags & 3 {
            1 => Some(Ending::Thread(reader.value())),
            2 => Some(Ending::Program),
            _ => None,
        };
        let n_frames = reader.count();
        self.frames.truncate(n_frames);
        self.frames.resize_with(n_frames, Frame::default);
        for idx in 0..n_frames {
            reader.frame(code, &mut self.frames[idx], idx + 1 == n_frames);
        }
        reader.values(&mut self.thread_locals);
        reader.values(&mut self.specifics);
        reader.values(&mut self.destroyed);
        reader.values(&mut self.cleanups);
        reader.values(&mut self.read_locks);
        self.untold = Some(reader.value()).filter(|&untold| untold != Value::ZERO);
        let n_buffered = reader.count();
        self.buffered.clear();
        self.buffered.extend((0..n_buffered).map(|_| reader.buffered()));
        reader.objects(&mut self.objects);
    }
}

/// The registers of a frame that matter. A library function that has called another
/// one is called again with its arguments, so those are kept as well.
pub fn live<'c>(code: &'c Code, frame: &Frame, is_top: bool) -> &'c [u32] {
    let function = code.functions.get(frame.function as usize);
    let Some(body) = function.and_then(|function| function.body.as_ref()) else { return &[] };
    let Some(instr) = body.ops.get(frame.pc as usize) else { return &[] };
    let set = if is_top || frame.phase != 0 { instr.live } else { instr.live_during };
    body.live_sets.get(set as usize).map_or(&[], |set| set)
}

fn clear_dead(code: &Code, thread: &mut ThreadStore) {
    let n_frames = thread.frames.len();
    for (idx, frame) in thread.frames.iter_mut().enumerate() {
        let live = live(code, frame, idx + 1 == n_frames);
        let mut next_live = live.iter().peekable();
        for (reg, value) in frame.registers.iter_mut().enumerate() {
            if next_live.peek().is_some_and(|&&live| live as usize == reg) {
                next_live.next();
            } else {
                *value = Value::ZERO;
            }
        }
    }
}

/// Numbers private objects in the order in which they are reached; drops others.
fn renumber(thread: &mut ThreadStore) -> Tidied {
    if thread.objects.n_numbers() == 0 {
        return Tidied::default();
    }
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let mut order: Vec<u32> = Vec::new();
    let mut reach = |base: Base, order: &mut Vec<u32>| {
        if let Origin::Private(number) = base.origin() {
            let next = numbers.len() as u32;
            numbers.entry(number).or_insert_with(|| {
                order.push(number);
                next
            });
        }
    };
    thread.roots().for_each(|base| reach(base, &mut order));
    let mut at = 0;
    while at < order.len() {
        if let Some(object) = thread.objects.get(order[at]) {
            object.bases().for_each(|base| reach(base, &mut order));
        }
        at += 1;
    }
    let slots = thread.objects.slots_mut();
    let mut objects = std::mem::take(slots);
    slots.extend(
        order.iter().map(|&number| objects.get_mut(number as usize).and_then(Option::take)),
    );
    let lost = objects.iter().flatten().filter(|object| object.is_unfreed());
    let leak = lost.map(|object| object.site).min();
    for base in thread.bases_mut() {
        if let Origin::Private(number) = base.origin() {
            *base = Base::new(Origin::Private(numbers[&number]));
        }
    }
    thread.addresses.rename(|base| match base.origin() {
        Origin::Private(number) => numbers.get(&number).map(|&new| Base::new(Origin::Private(new))),
        _ => Some(base),
    });
    Tidied { leak, numbers }
}

impl Writer<'_> {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn value(&mut self, value: Value) {
        // Small numbers are most values: they take one byte or two.
        let is_plain = value.base == Base::NUMBER && value.undef == 0 && value.bits < 1 << 63;
        if is_plain {
            return self.number(value.bits << 1);
        }
        self.number(1);
        self.number(u64::from(value.base.to_bits()));
        self.number(value.undef);
        self.number(value.bits);
    }

    fn values(&mut self, values: &[Value]) {
        self.number(values.len() as u64);
        values.iter().for_each(|&value| self.value(value));
    }

    fn thread(&mut self, thread: ThreadIdentity) {
        self.number(u64::from(thread.number()));
    }

    fn buffered(&mut self, store: &BufferedStore) {
        self.value(store.address);
        self.number(u64::from(store.len));
        self.value(store.value);
        self.number(u64::from(store.by.0));
        self.number(u64::from(store.by.1));
    }

    fn facts(&mut self, facts: &Facts) {
        self.number(facts.len() as u64);
        for fact in facts.iter() {
            self.0.push(match fact.known {
                Known::Open => 0,
                Known::Same => 1,
                Known::Below => 2,
                Known::Left => 3,
            });
            self.number(u64::from(fact.low.to_bits()));
            self.number(u64::from(fact.high.to_bits()));
        }
    }

    fn region(&mut self, region: Region) {
        match region.object {
            Subject::Shared(number) => self.number(u64::from(number) << 1),
            Subject::Private(owner, number) => {
                self.number(u64::from(number) << 1 | 1);
                self.thread(owner);
            }
        }
        self.number(u64::from(region.at));
        self.number(u64::from(region.len));
    }

    fn event(&mut self, event: &Event) {
        self.region(event.region);
        self.0.push(u8::from(event.is_write) | u8::from(event.is_atomic) << 1);
        self.number(u64::from(event.site));
        self.number(event.clocks.len() as u64);
        for clock in &event.clocks {
            let (kind, thread) = match clock {
                Clock::Thread(thread) => (0, thread),
                Clock::AcquireFence(thread) => (1, thread),
                Clock::ReleaseFence(thread) => (2, thread),
                Clock::Release(_, head) => (3, head),
            };
            self.0.push(kind);
            self.thread(*thread);
            if let Clock::Release(region, _) = clock {
                self.region(*region);
            }
        }
    }

    fn frame(&mut self, code: &Code, frame: &Frame, is_top: bool) {
        self.number(u64::from(frame.function));
        self.number(u64::from(frame.pc));
        self.0.push(frame.phase);
        for &reg in live(code, frame, is_top) {
            self.value(frame.registers[reg as usize]);
        }
        self.number(frame.allocas.len() as u64);
        frame.allocas.iter().for_each(|base| self.number(u64::from(base.to_bits())));
    }

    fn objects(&mut self, objects: &Objects) {
        let objects = objects.slots();
        let used = objects.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.number(used as u64);
        for object in &objects[..used] {
            match object {
                None => self.0.push(0),
                Some(object) => self.object(object),
            }
        }
    }

    fn object(&mut self, object: &Object) {
        let kind = match object.kind {
            Kind::Variable => 1,
            Kind::Heap => 2,
            Kind::Stack => 3,
            Kind::Thread => 4,
            Kind::Symbol => 5,
        };
        if let Some(size) = object.forgotten {
            self.0.push(FORGOTTEN);
            self.number(u64::from(size));
        }
        self.0.push(kind | u8::from(object.is_live) << 3 | object.log2_align.min(15) << 4);
        self.number(u64::from(object.site));
        self.number(object.bytes.len() as u64);
        let used = object.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.number(used as u64);
        self.0.extend_from_slice(&object.bytes[..used]);
        self.number(object.marks.len() as u64);
        for mark in &object.marks {
            self.number(u64::from(mark.at));
            self.number(u64::from(mark.len));
            match mark.kind {
                MarkKind::Undef => self.0.push(0),
                MarkKind::Torn => self.0.push(1),
                MarkKind::Relative(base) => {
                    self.0.push(2);
                    self.number(u64::from(base.to_bits()));
                }
                MarkKind::Partial(undef) => {
                    self.0.push(3);
                    self.number(undef);
                }
            }
        }
    }
}

/// Stands before an object of which nothing is held; no kind is so large.
const FORGOTTEN: u8 = 7;

/// Objects larger than this are not made, so a store that has one is wrong.
const MAX_OBJECT: usize = 1 << 28;

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    /// A number of things that follow; each takes a byte at least.
    fn count(&mut self) -> usize {
        let left = self.bytes.len().saturating_sub(self.at);
        usize::try_from(self.number()).unwrap_or(usize::MAX).min(left)
    }

    fn value(&mut self) -> Value {
        let first = self.number();
        if first & 1 == 0 {
            return Value::number(first >> 1);
        }
        let base = Base::from_bits(self.number() as u32);
        let undef = self.number();
        Value { base, undef, bits: self.number() }
    }

    /// Reads values into `values`, whose memory is used again.
    fn values(&mut self, values: &mut Vec<Value>) {
        let n_values = self.count();
        values.clear();
        values.extend((0..n_values).map(|_| self.value()));
    }

    fn thread(&mut self) -> ThreadIdentity {
        ThreadIdentity::of_object(self.number() as u32)
    }

    fn buffered(&mut self) -> BufferedStore {
        let address = self.value();
        let len = self.number() as u32;
        let value = self.value();
        BufferedStore { address, len, value, by: (self.number() as u32, self.number() as u32) }
    }

    /// Reads facts, if there are any.
    fn facts(&mut self, are_there: bool, facts: &mut Facts) {
        facts.clear();
        let n = if are_there { self.count() } else { 0 };
        facts.extend((0..n).map(|_| {
            let known = match self.byte() {
                0 => Known::Open,
                1 => Known::Same,
                2 => Known::Below,
                _ => Known::Left,
            };
            let (low, high) = (self.number() as u32, self.number() as u32);
            Fact { low: Base::from_bits(low), high: Base::from_bits(high), known }
        }));
    }

    fn region(&mut self) -> Region {
        let name = self.number();
        let number = (name >> 1) as u32;
        let object = match name & 1 {
            0 => Subject::Shared(number),
            _ => Subject::Private(self.thread(), number),
        };
        Region { object, at: self.number() as u32, len: self.number() as u32 }
    }

    fn clock(&mut self) -> Clock {
        let (kind, thread) = (self.byte(), self.thread());
        match kind {
            0 => Clock::Thread(thread),
            1 => Clock::AcquireFence(thread),
            2 => Clock::ReleaseFence(thread),
            _ => Clock::Release(self.region(), thread),
        }
    }

    fn event(&mut self) -> Event {
        let region = self.region();
        let flags = self.byte();
        let site = self.number() as u32;
        let n_clocks = self.count();
        let clocks = (0..n_clocks).map(|_| self.clock()).collect();
        let (is_write, is_atomic) = (flags & 1 != 0, flags & 2 != 0);
        Event { region, is_write, is_atomic, site, clocks }
    }

    fn frame(&mut self, code: &Code, frame: &mut Frame, is_top: bool) {
        frame.function = self.number() as u32;
        frame.pc = self.number() as u32;
        frame.phase = self.byte();
        let body = code.functions.get(frame.function as usize).and_then(|f| f.body.as_ref());
        frame.registers.clear();
        frame.registers.resize(body.map_or(0, |body| body.n_registers as usize), Value::ZERO);
        for &reg in live(code, frame, is_top) {
            frame.registers[reg as usize] = self.value();
        }
        let n_allocas = self.count();
        frame.allocas.clear();
        frame.allocas.extend((0..n_allocas).map(|_| Base::from_bits(self.number() as u32)));
    }

    /// Reads objects into `objects`, whose memory is used again.
    fn objects(&mut self, objects: &mut Objects) {
        let objects = objects.slots_mut();
        let n = self.count();
        objects.truncate(n);
        objects.resize_with(n, || None);
        for slot in objects {
            let head = self.byte();
            if head == 0 {
                *slot = None;
                continue;
            }
            let object = slot.get_or_insert_with(|| Object::zeroed(Kind::Heap, 0, 0, 0));
            self.object(head, object);
        }
    }

    fn object(&mut self, first: u8, object: &mut Object) {
        object.forgotten = (first == FORGOTTEN).then(|| self.number() as u32);
        let head = if object.is_forgotten() { self.byte() } else { first };
        object.kind = match head & 7 {
            1 => Kind::Variable,
            2 => Kind::Heap,
            3 => Kind::Stack,
            4 => Kind::Thread,
            _ => Kind::Symbol,
        };
        object.is_live = head & 8 != 0;
        object.log2_align = head >> 4;
        object.site = self.number() as u32;
        let size = usize::try_from(self.number()).unwrap_or(0).min(MAX_OBJECT);
        let used = self.count().min(size);
        object.bytes.clear();
        object.bytes.extend_from_slice(self.bytes.get(self.at..self.at + used).unwrap_or(&[]));
        object.bytes.resize(size, 0);
        self.at += used;
        let n_marks = self.count();
        object.marks.clear();
        for _ in 0..n_marks {
            let (at, len) = (self.number() as u32, self.number() as u32);
            let kind = match self.byte() {
                0 => MarkKind::Undef,
                1 => MarkKind::Torn,
                2 => MarkKind::Relative(Base::from_bits(self.number() as u32)),
                _ => MarkKind::Partial(self.number()),
            };
            object.marks.push(Mark { at, len, kind });
        }
    }
}
