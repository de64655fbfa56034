//! Stores as people read them: variables by name, numbers and addresses in C's
//! terms.

use model::Access;

use crate::code::{Code, NumberStyle, Shape, Variable};
use crate::memory::{
    Ending, Kind, OWNER, Object, Objects, SharedStore, ThreadIdentity, ThreadStore,
};
use crate::value::{Origin, Value, mask, signed};

/// Elements of an array that are shown before it is cut.
const MAX_ELEMENTS: u64 = 8;

/// What addresses are named by.
#[derive(Clone, Copy)]
struct Scene<'a> {
    code: &'a Code,
    /// Where it is not known, objects in it have numbers only.
    shared: Option<&'a SharedStore>,
    thread: Option<&'a ThreadStore>,
}

impl Scene<'_> {
    /// The input that a value is relative to, if only one is left of it.
    fn only_input(self, value: Value) -> Option<u64> {
        let object = match value.base.origin() {
            Origin::Shared(number) => self.shared?.object(number)?,
            Origin::Private(number) => self.thread?.objects().get(number)?,
            _ => return None,
        };
        object.range().filter(|(first, last)| first == last).map(|(first, _)| first)
    }
}

/// A location of the shared store.
pub fn location(code: &Code, shared: &SharedStore, access: Access) -> String {
    let Some(object) = shared.object(access.object) else { return "memory".into() };
    if let Some(variable) = code.globals.get(access.object as usize) {
        let (path, _) = path_to(&variable.shape, u64::from(access.at));
        return format!("`{}{path}`", variable.name);
    }
    let line = code.places.get(object.site() as usize).map_or(0, |place| place.line);
    match object.kind() {
        Kind::Heap => format!("memory allocated at line {line}"),
        Kind::Stack => format!("a local variable of line {line}"),
        Kind::Thread => "a thread's state".into(),
        Kind::Symbol => "an input".into(),
        Kind::Variable => "a thread-local variable".into(),
    }
}

/// The members and indices that lead to what begins at `at` or before, and how many
/// bytes before.
pub fn path_to(shape: &Shape, at: u64) -> (String, u64) {
    path_until(shape, at, |_| false)
}

/// The same, but only as far as `is_there` says no of what is left.
fn path_until(shape: &Shape, mut at: u64, is_there: impl Fn(u64) -> bool) -> (String, u64) {
    let mut path = String::new();
    let mut shape = shape;
    while !is_there(at) {
        shape = match shape {
            Shape::Record(members) => {
                let within = |member: &&(String, u64, Shape)| member.1 <= at;
                let Some((name, offset, inner)) = members.iter().rfind(within) else { break };
                at -= offset;
                path.push('.');
                path.push_str(name);
                inner
            }
            Shape::Array(_, size, inner) if *size > 0 => {
                path.push_str(&format!("[{}]", at / size));
                at %= size;
                inner
            }
            _ => break,
        };
    }
    (path, at)
}

/// The shared store: variables and memory.
pub fn shared(code: &Code, shared: &SharedStore) -> String {
    parts(code, shared).join(", ")
}

/// What of the shared store is not as it was before.
pub fn change(code: &Code, before: &SharedStore, after: &SharedStore) -> String {
    let old = parts(code, before);
    let changed = parts(code, after).into_iter().filter(|part| !old.contains(part));
    changed.collect::<Vec<_>>().join(", ")
}

fn parts(code: &Code, shared: &SharedStore) -> Vec<String> {
    let scene = Scene { code, shared: Some(shared), thread: None };
    let mut parts = Vec::new();
    for (number, object) in shared.objects().iter() {
        match code.globals.get(number as usize) {
            Some(variable) => {
                let value = contents(scene, object, 0, &variable.shape, variable.size);
                parts.push(format!("{} = {value}", variable.name));
            }
            None => parts.extend(other_object(scene, shared, (number, object))),
        }
    }
    if shared.is_over() {
        parts.push("the program has ended".into());
    }
    parts
}

fn other_object(
    scene: Scene<'_>,
    shared: &SharedStore,
    (number, object): (u32, &Object),
) -> Option<String> {
    let name = object_name(scene.code, shared.objects(), number);
    match object.kind() {
        Kind::Thread => {
            shared.has_ended(ThreadIdentity::of_object(number)).then(|| format!("{name} has ended"))
        }
        Kind::Symbol => None,
        _ if !object.is_live() => Some(format!("{name} is freed")),
        _ => {
            let bytes = contents(scene, object, 0, &Shape::Bytes, object.size().into());
            Some(format!("{name} = {bytes}"))
        }
    }
}

/// What an object without a name in the program is called. Threads are called as in
/// traces: objects keep their numbers there, and later threads have larger ones.
fn object_name(code: &Code, objects: &Objects, number: u32) -> String {
    let Some(object) = objects.get(number) else { return "memory".into() };
    let before = objects.iter().take_while(|(other, _)| *other < number);
    let before = before.filter(|(_, other)| other.kind() == object.kind());
    let what = match object.kind() {
        Kind::Thread => return format!("T{}", before.count()),
        Kind::Symbol if object.is_view() => return "what comes of an input".into(),
        Kind::Symbol => return "input".into(),
        Kind::Variable => {
            let variable = code.thread_locals.get(object.site() as usize);
            variable.map_or("variable", |variable| &variable.name)
        }
        Kind::Heap => "memory",
        Kind::Stack => "variable",
    };
    let line = code.places.get(object.site() as usize).map_or(0, |place| place.line);
    let place = match object.kind() {
        Kind::Heap | Kind::Stack if line > 0 => format!(" of line {line}"),
        _ => String::new(),
    };
    match before.filter(|(_, other)| other.site() == object.site()).count() {
        0 => format!("{what}{place}"),
        n => format!("{what}{place} #{}", n + 1),
    }
}

/// The contents of some bytes of an object.
fn contents(scene: Scene<'_>, object: &Object, at: u64, shape: &Shape, size: u64) -> String {
    match shape {
        Shape::Number { bytes, style } => scalar(scene, object, at, *bytes, style),
        Shape::Pointer => {
            scalar(scene, object, at, scene.code.pointer_bytes, &NumberStyle::Unsigned)
        }
        Shape::Record(members) => {
            let shown = members.iter().map(|(name, offset, shape)| {
                format!("{name}: {}", contents(scene, object, at + offset, shape, size))
            });
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Shape::Array(n, size, element) => {
            let shown = (0..(*n).min(MAX_ELEMENTS))
                .map(|idx| contents(scene, object, at + idx * size, element, *size));
            let mut shown: Vec<String> = shown.collect();
            if *n > MAX_ELEMENTS {
                shown.push("...".into());
            }
            format!("[{}]", shown.join(", "))
        }
        Shape::Sync(kind) => sync(scene, object, at, kind),
        Shape::Bytes => bytes(scene, object, at, size),
    }
}

/// A lock or the like: who holds it, or the number that it is.
fn sync(scene: Scene<'_>, object: &Object, at: u64, kind: &str) -> String {
    let pointer_bytes = scene.code.pointer_bytes;
    let word = |at: u64, bytes: u32| {
        let is_inside = at + u64::from(bytes) <= u64::from(object.size());
        let value = is_inside.then(|| object.read(at as u32, bytes, bytes * 8).ok());
        value.flatten()
    };
    let is_number = matches!(kind, "pthread_spinlock_t" | "sem_t" | "pthread_once_t" | "once_flag");
    let Some(first) = word(at, if is_number { 4 } else { pointer_bytes }) else {
        return "?".into();
    };
    match (kind, first.as_number()) {
        ("sem_t", Some(n)) => n.to_string(),
        ("pthread_rwlock_t", Some(0)) => match word(at + u64::from(pointer_bytes), 4) {
            Some(readers) if readers.bits > 0 => format!("held by readers: {}", readers.bits),
            _ => "free".into(),
        },
        (_, Some(0)) => "free".into(),
        ("pthread_spinlock_t", Some(1)) => "held".into(),
        (_, Some(OWNER)) => "held".into(),
        (_, Some(n)) => n.to_string(),
        (_, None) => {
            let owner = Value { bits: 0, ..first };
            format!("held by {}", value(scene, owner, pointer_bytes * 8))
        }
    }
}

/// Memory of which nothing is known, as words.
fn bytes(scene: Scene<'_>, object: &Object, at: u64, size: u64) -> String {
    let word = if size.is_multiple_of(8) && scene.code.pointer_bytes == 8 { 8 } else { 4 };
    let n_words = size / word;
    let shown = (0..n_words.min(MAX_ELEMENTS))
        .map(|idx| scalar(scene, object, at + idx * word, word as u32, &NumberStyle::Signed));
    let mut shown: Vec<String> = shown.collect();
    if n_words > MAX_ELEMENTS || !size.is_multiple_of(word) {
        shown.push("...".into());
    }
    format!("[{}]", shown.join(", "))
}

fn scalar(scene: Scene<'_>, object: &Object, at: u64, bytes: u32, style: &NumberStyle) -> String {
    if !(1..=8).contains(&bytes) || at + u64::from(bytes) > u64::from(object.size()) {
        return "?".into();
    }
    match object.read(at as u32, bytes, bytes * 8) {
        Ok(read) => match read.as_number() {
            Some(number) => self::number(number, bytes * 8, style),
            None => value(scene, read, bytes * 8),
        },
        Err(_) => "?".into(),
    }
}

fn number(bits: u64, width: u32, style: &NumberStyle) -> String {
    match style {
        NumberStyle::Signed => signed(bits, width).to_string(),
        NumberStyle::Unsigned => bits.to_string(),
        NumberStyle::Bool => (bits != 0).to_string(),
        NumberStyle::Char => match char::from_u32(bits as u32) {
            Some(shown) if shown.is_ascii_graphic() => format!("'{shown}'"),
            _ => signed(bits, width).to_string(),
        },
        NumberStyle::Float if width == 32 => f32::from_bits(bits as u32).to_string(),
        NumberStyle::Float => f64::from_bits(bits).to_string(),
        NumberStyle::Enumeration(names) => {
            let value = signed(bits, width);
            let named = names.iter().find(|(_, number)| *number == value);
            named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
        }
    }
}

/// A value of `width` bits.
fn value(scene: Scene<'_>, value: Value, width: u32) -> String {
    if !value.is_defined() {
        return "undefined".into();
    }
    let Scene { code, shared, thread } = scene;
    if let Some(input) = scene.only_input(value) {
        return signed(input.wrapping_add(value.bits) & mask(width), width).to_string();
    }
    let offset = |name: String| match value.bits {
        0 => name,
        bits => format!("{name} + {}", signed(bits, width)),
    };
    // What begins with a part is meant as a whole.
    let path = |variable: &Variable| path_until(&variable.shape, value.bits, |left| left == 0);
    let within = |variable: &Variable| match path(variable) {
        (path, 0) if path.is_empty() => format!("&{}", variable.name),
        (path, 0) if value.bits < variable.size => format!("&{}{path}", variable.name),
        _ => offset(format!("&{}", variable.name)),
    };
    match value.base.origin() {
        Origin::Number => signed(value.bits, width).to_string(),
        Origin::Function(number) => code.functions[number as usize].name.clone(),
        Origin::Constant(number) => within(&code.constants[number as usize]),
        Origin::Shared(number) => match (code.globals.get(number as usize), shared) {
            (Some(variable), _) => within(variable),
            (None, Some(shared)) => offset(object_name(code, shared.objects(), number)),
            (None, None) => offset(format!("object {}", number as usize - code.globals.len())),
        },
        Origin::Private(number) => match thread {
            Some(thread) => {
                let name = object_name(code, thread.objects(), number);
                let object = thread.objects().get(number);
                let is_input = object.is_some_and(|it| it.kind() == Kind::Symbol);
                offset(if is_input { name } else { format!("own {name}") })
            }
            None => offset(format!("own object {number}")),
        },
        Origin::ThreadLocal(number) => within(&code.thread_locals[number as usize]),
        Origin::PthreadT(_) => "a thread".to_owned(),
    }
}

/// A thread's store: where it is, and its local variables.
pub fn thread(code: &Code, shared: Option<&SharedStore>, thread: &ThreadStore) -> String {
    let scene = Scene { code, shared, thread: Some(thread) };
    let Some(frame) = thread.frames().last() else {
        return match thread.ending() {
            Some(Ending::Program) => "the end of the program".into(),
            _ => "its end".into(),
        };
    };
    let function = &code.functions[frame.function as usize];
    let Some(body) = &function.body else { return function.name.clone() };
    let instr = body.ops.get(frame.pc as usize);
    let line = instr.and_then(|instr| code.places.get(instr.place as usize));
    let mut parts = vec![match line {
        Some(place) if place.line > 0 => format!("{}:{}", function.name, place.line),
        _ => function.name.clone(),
    }];
    match thread.n_buffered() {
        0 => {}
        1 => parts.push("1 store in its store buffer".into()),
        n => parts.push(format!("{n} stores in its store buffer")),
    }
    let live = instr.map_or(0, |instr| instr.live);
    let live = body.live_sets.get(live as usize);
    for variable in &body.variables {
        if live.is_some_and(|live| live.binary_search(&variable.register).is_ok()) {
            let width = u32::from(body.widths[variable.register as usize]);
            let shown = frame.registers[variable.register as usize];
            let style =
                if variable.is_signed { NumberStyle::Signed } else { NumberStyle::Unsigned };
            let shown = match shown.as_number() {
                Some(bits) => number(bits, width, &style),
                None => value(scene, shown, width),
            };
            parts.push(format!("{} = {shown}", variable.name));
        }
    }
    parts.join(", ")
}
