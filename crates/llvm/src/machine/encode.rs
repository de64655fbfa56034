//! Stores as bytes, and back. Equal stores have equal bytes: what is dead is left
//! out, private objects are numbered in the order in which frames reach them, and
//! those that nothing reaches are dropped.

use std::collections::BTreeMap;

use super::before::{Event, Knower, Stretch};
use super::object::{Kind, Mark, MarkKind, Object};
use super::state::{Delayed, Ending, Frame, Shared, Thread};
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

/// The bytes of a shared store.
pub fn encode_shared(shared: &Shared, out: &mut Vec<u8>) {
    out.clear();
    let mut writer = Writer(out);
    writer.number(u64::from(shared.is_over));
    writer.number(shared.keys.len() as u64);
    for key in &shared.keys {
        writer.number(u64::from(key.is_some()));
        if let Some(destructor) = key {
            writer.value(*destructor);
        }
    }
    writer.number(shared.at_exit.len() as u64);
    shared.at_exit.iter().for_each(|&function| writer.value(function));
    writer.number(shared.leak.map_or(0, |site| u64::from(site) + 1));
    writer.number(shared.events.len() as u64);
    shared.events.iter().for_each(|event| writer.event(event));
    writer.objects(&shared.objects);
}

/// The shared store with these bytes.
pub fn decode_shared(bytes: &[u8], shared: &mut Shared) {
    let mut reader = Reader { bytes, at: 0 };
    shared.is_over = reader.number() != 0;
    let n_keys = reader.count();
    shared.keys = (0..n_keys).map(|_| (reader.number() != 0).then(|| reader.value())).collect();
    let n_at_exit = reader.count();
    shared.at_exit = (0..n_at_exit).map(|_| reader.value()).collect();
    shared.leak = reader.number().checked_sub(1).map(|site| site as u32);
    let n_events = reader.count();
    shared.events = (0..n_events).map(|_| reader.event()).collect();
    reader.objects(&mut shared.objects);
}

/// The bytes of a thread's store. The thread itself is tidied up on the way: dead
/// registers are cleared, private objects renumbered. Tells where memory was allocated
/// that cannot be reached any more and was not freed.
pub fn encode_thread(code: &Code, thread: &mut Thread, out: &mut Vec<u8>) -> Option<u32> {
    clear_dead(code, thread);
    let leak = renumber(thread);
    out.clear();
    let mut writer = Writer(out);
    writer.number(u64::from(thread.me));
    match thread.ending {
        None => writer.number(0),
        Some(Ending::Thread(value)) => {
            writer.number(1);
            writer.value(value);
        }
        Some(Ending::Program) => writer.number(2),
    }
    writer.number(thread.frames.len() as u64);
    for (idx, frame) in thread.frames.iter().enumerate() {
        writer.frame(code, frame, idx + 1 == thread.frames.len());
    }
    writer.number(thread.thread_locals.len() as u64);
    thread.thread_locals.iter().for_each(|&value| writer.value(value));
    writer.number(thread.specifics.len() as u64);
    thread.specifics.iter().for_each(|&value| writer.value(value));
    writer.number(thread.delayed.len() as u64);
    thread.delayed.iter().for_each(|store| writer.delayed(store));
    writer.objects(&thread.objects);
    leak
}

/// The thread's store with these bytes.
pub fn decode_thread(code: &Code, bytes: &[u8], thread: &mut Thread) {
    let mut reader = Reader { bytes, at: 0 };
    thread.me = reader.number() as u32;
    thread.ending = match reader.number() {
        1 => Some(Ending::Thread(reader.value())),
        2 => Some(Ending::Program),
        _ => None,
    };
    let n_frames = reader.count();
    thread.frames.truncate(n_frames);
    thread.frames.resize_with(n_frames, Frame::default);
    for idx in 0..n_frames {
        reader.frame(code, &mut thread.frames[idx], idx + 1 == n_frames);
    }
    let n_thread_locals = reader.count();
    thread.thread_locals.clear();
    thread.thread_locals.extend((0..n_thread_locals).map(|_| reader.value()));
    let n_specifics = reader.count();
    thread.specifics.clear();
    thread.specifics.extend((0..n_specifics).map(|_| reader.value()));
    let n_delayed = reader.count();
    thread.delayed.clear();
    thread.delayed.extend((0..n_delayed).map(|_| reader.delayed()));
    reader.objects(&mut thread.objects);
}

/// The registers of a frame that matter. A library function that has called another
/// one is called again with its arguments, so those are kept as well.
fn live<'c>(code: &'c Code, frame: &Frame, is_top: bool) -> &'c [u32] {
    let function = code.functions.get(frame.function as usize);
    let Some(body) = function.and_then(|function| function.body.as_ref()) else { return &[] };
    let Some(instr) = body.ops.get(frame.pc as usize) else { return &[] };
    let set = if is_top || frame.phase != 0 { instr.live } else { instr.live_during };
    body.live_sets.get(set as usize).map_or(&[], |set| set)
}

fn clear_dead(code: &Code, thread: &mut Thread) {
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

/// Numbers private objects in the order in which they are reached; drops others, and
/// tells where one of them was allocated that was not freed.
fn renumber(thread: &mut Thread) -> Option<u32> {
    if thread.objects.is_empty() {
        return None;
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
        if let Some(object) = thread.object(order[at]) {
            object.bases().for_each(|base| reach(base, &mut order));
        }
        at += 1;
    }
    let mut objects = std::mem::take(&mut thread.objects);
    let taken = order.iter().map(|&number| objects.get_mut(number as usize).and_then(Option::take));
    thread.objects = taken.collect();
    let lost =
        objects.iter().flatten().filter(|object| object.is_live && object.kind == Kind::Heap);
    let leak = lost.map(|object| object.site).min();
    for base in thread.bases_mut() {
        if let Origin::Private(number) = base.origin() {
            *base = Base::new(Origin::Private(numbers[&number]));
        }
    }
    leak
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

    fn delayed(&mut self, store: &Delayed) {
        self.value(store.place);
        self.number(u64::from(store.len));
        self.value(store.value);
        self.number(u64::from(store.by.0));
        self.number(u64::from(store.by.1));
    }

    fn stretch(&mut self, stretch: Stretch) {
        self.number(u64::from(stretch.object));
        self.number(u64::from(stretch.at));
        self.number(u64::from(stretch.len));
    }

    fn event(&mut self, event: &Event) {
        self.stretch(event.stretch);
        self.0.push(u8::from(event.is_write) | u8::from(event.is_atomic) << 1);
        self.number(u64::from(event.site));
        self.number(event.knowers.len() as u64);
        for knower in &event.knowers {
            let (kind, thread) = match knower {
                Knower::Thread(thread) => (0, thread),
                Knower::AtAcquireFence(thread) => (1, thread),
                Knower::SinceReleaseFence(thread) => (2, thread),
                Knower::Place(_, head) => (3, head),
            };
            self.0.push(kind);
            self.number(u64::from(*thread));
            if let Knower::Place(place, _) = knower {
                self.stretch(*place);
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

    fn objects(&mut self, objects: &[Option<Object>]) {
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

    fn delayed(&mut self) -> Delayed {
        let place = self.value();
        let len = self.number() as u32;
        let value = self.value();
        Delayed { place, len, value, by: (self.number() as u32, self.number() as u32) }
    }

    fn stretch(&mut self) -> Stretch {
        let [object, at, len] = [self.number(), self.number(), self.number()];
        Stretch { object: object as u32, at: at as u32, len: len as u32 }
    }

    fn event(&mut self) -> Event {
        let stretch = self.stretch();
        let flags = self.byte();
        let site = self.number() as u32;
        let n_knowers = self.count();
        let knower = |reader: &mut Self| {
            let (kind, thread) = (reader.byte(), reader.number() as u32);
            match kind {
                0 => Knower::Thread(thread),
                1 => Knower::AtAcquireFence(thread),
                2 => Knower::SinceReleaseFence(thread),
                _ => Knower::Place(reader.stretch(), thread),
            }
        };
        let knowers = (0..n_knowers).map(|_| knower(self)).collect();
        let (is_write, is_atomic) = (flags & 1 != 0, flags & 2 != 0);
        Event { stretch, is_write, is_atomic, site, knowers }
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
    fn objects(&mut self, objects: &mut Vec<Option<Object>>) {
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

    fn object(&mut self, head: u8, object: &mut Object) {
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
