//! Finds the idiom "create threads into an array, join all of them": a loop that creates a
//! thread for each index of an array, and a later one that joins the thread of each.
//!
//! Where threads have no names, a join of one of them says nothing. Behind the second loop,
//! however, all of them have ended, whatever their number: `crate::machine` makes that one
//! step which ends whoever is left.
//!
//! **Sound**, because the side conditions are checked: both loops run over the same indices,
//! one step at a time, and are left at their heads alone; each round creates, or joins, exactly
//! one thread; the array is memory of `main` that nothing else reads or writes but `free`;
//! neither loop lies in another one; nobody calls `main` or jumps back into it. Threads are then created at that
//! place in one execution of the first loop, and the second one waits for every one of them.
//! **Not complete**: whatever looks different is not found, and joins then say nothing.

use super::registers::{for_each_source, for_each_write};
use super::{Body, Code, Conversion, Instr, IntOp, Op, Pc, Reg, Src};
use crate::ir::IntPredicate;
use crate::library;
use crate::value::{Base, Value};

/// Two loops that create and join the same threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForkJoin {
    /// The function that creates the threads.
    pub function: u32,
    /// The operation that does.
    pub creation: Pc,
    /// The branch at the head of the loop that joins them.
    pub head: Pc,
    /// Where it goes on once all are joined.
    pub exit: Pc,
    /// Does `main` look at anything behind it that the threads may have touched?
    pub is_relied_on: bool,
}

/// A loop over indices, one at a time.
#[derive(Clone, Copy)]
struct Count {
    /// The comparison at its head; the branch is behind it.
    head: usize,
    /// The jump back.
    back: usize,
    exit: Pc,
    index: Reg,
    range: (Value, IntPredicate, u8, Src),
}

/// An element of an array that a round of a loop names by its index.
#[derive(Clone, Copy, PartialEq)]
struct Element {
    array: Src,
    offset: i64,
    scale: i64,
}

impl ForkJoin {
    /// The pairs of loops in `main`.
    pub fn all(code: &Code) -> Vec<ForkJoin> {
        let Some(main) = code.main else { return Vec::new() };
        let Some(body) = code.functions[main as usize].body.as_ref() else { return Vec::new() };
        let jumps_far = |name: &str| name.contains("setjmp");
        if is_mentioned(code, main) || code.functions.iter().any(|it| jumps_far(&it.name)) {
            return Vec::new();
        }
        let finder = Finder { code, body };
        let counts: Vec<Count> = (0..body.ops.len()).filter_map(|pc| finder.count(pc)).collect();
        let creating = counts.iter().filter_map(|count| {
            let (pc, element) = finder.creation(count)?;
            Some((count, pc, element))
        });
        let mut found = Vec::new();
        for (first, created, element) in creating {
            let joins = |second: &&Count| {
                second.head > first.back
                    && second.range == first.range
                    && finder.join(second) == Some(element)
                    && finder.keeps(first, second, created, element)
            };
            found.extend(counts.iter().find(joins).map(|second| ForkJoin {
                function: main,
                creation: created as Pc,
                head: second.head as Pc + 1,
                exit: second.exit,
                is_relied_on: finder.touches_from(second.exit as usize, element),
            }));
        }
        found
    }
}

/// Does any code or data name this function?
fn is_mentioned(code: &Code, function: u32) -> bool {
    let base = Base::new(crate::value::Origin::Function(function));
    mentions(code, base) > 0
}

/// How often code and data name something.
fn mentions(code: &Code, base: Base) -> usize {
    let mut n = 0;
    for instr in code.functions.iter().filter_map(|it| it.body.as_ref()).flat_map(|it| &it.ops) {
        for_each_source(&instr.op, |src| {
            n += usize::from(matches!(src, Src::Value(value) if value.base == base));
        });
    }
    let variables = code.globals.iter().chain(&code.constants).chain(&code.thread_locals);
    let contents = variables.flat_map(|variable| &variable.contents);
    n + contents.filter(|(_, _, value)| value.base == base).count()
}

struct Finder<'c> {
    code: &'c Code,
    body: &'c Body,
}

impl Finder<'_> {
    fn op(&self, pc: usize) -> Option<&Op> {
        self.body.ops.get(pc).map(|instr| &instr.op)
    }

    /// The loop whose head is the comparison at `head`, if it is one.
    fn count(&self, head: usize) -> Option<Count> {
        let Op::Compare { predicate, width, to, operands: (Src::Reg(index), bound) } =
            self.op(head)?
        else {
            return None;
        };
        let Op::Branch(Src::Reg(condition), inside, exit) = self.op(head + 1)? else { return None };
        let Op::Move(set, Src::Value(start)) = self.op(head.checked_sub(1)?)? else { return None };
        let is_head = condition == to && *inside as usize == head + 2 && set == index;
        let back = (head + 2..self.body.ops.len())
            .find(|&pc| matches!(self.op(pc), Some(Op::Jump(to)) if *to as usize == head))?;
        let leaves = *exit as usize > back;
        let count = Count {
            head,
            back,
            exit: *exit,
            index: *index,
            range: (*start, *predicate, *width, *bound),
        };
        let counts_up =
            matches!(predicate, IntPredicate::Slt | IntPredicate::Ult | IntPredicate::Ne);
        (is_head && leaves && counts_up && self.is_straight(&count) && self.is_alone(&count))
            .then_some(count)
    }

    /// Does a round go straight on, and count by one?
    fn is_straight(&self, count: &Count) -> bool {
        let round = &self.body.ops[count.head + 2..count.back];
        let goes_on = |instr: &Instr| match &instr.op {
            Op::Jump(_) | Op::Branch(..) | Op::Switch { .. } => false,
            Op::Return(_) | Op::Resume(_) | Op::Unreachable | Op::LandingPad { .. } => false,
            Op::Unsupported(_) => false,
            Op::Call(call) => call.unwind.is_none(),
            _ => true,
        };
        let (mut n_writes, mut n_steps) = (0, 0);
        for instr in round {
            for_each_write(&instr.op, |reg| n_writes += usize::from(reg == count.index));
            n_steps += usize::from(matches!(&instr.op, Op::Binary(add)
                if add.op == IntOp::Add
                    && add.to == count.index
                    && add.operands == (Src::Reg(count.index), Src::Value(Value::number(1)))));
        }
        round.iter().all(goes_on) && n_writes == 1 && n_steps == 1
    }

    /// Does no jump lead into it but to its head from its end, nor around it?
    fn is_alone(&self, count: &Count) -> bool {
        let mut is_alone = true;
        for (from, instr) in self.body.ops.iter().enumerate() {
            for_each_target(&instr.op, |to| {
                let to = to as usize;
                let is_own = from == count.back || from == count.head + 1;
                let enters = count.head <= to && to <= count.back;
                let surrounds = to < count.head && from > count.back;
                is_alone &= is_own || !(enters || surrounds);
            });
        }
        is_alone
    }

    /// The creation that a round makes, and the element that it writes the handle to.
    fn creation(&self, count: &Count) -> Option<(usize, Element)> {
        let creations = self.calls(count, |name| name == "pthread_create");
        let [pc] = creations[..] else { return None };
        let Op::Call(call) = self.op(pc)? else { return None };
        let [Src::Reg(handle), Src::Value(attribute), ..] = call.arguments[..] else { return None };
        let element = self.element(count, handle)?;
        let passes_array = call.arguments[1..].contains(&element.array);
        (attribute == Value::ZERO && !passes_array).then_some((pc, element))
    }

    /// The element whose thread a round joins.
    fn join(&self, count: &Count) -> Option<Element> {
        let joins = self.calls(count, |name| name == "pthread_join");
        let [pc] = joins[..] else { return None };
        let Op::Call(call) = self.op(pc)? else { return None };
        let Some(Src::Reg(handle)) = call.arguments.first() else { return None };
        let Op::Load { pointer: Src::Reg(pointer), .. } = self.set_in(count, *handle)? else {
            return None;
        };
        self.element(count, *pointer)
    }

    /// The calls of library functions in a round that create or join threads, if these are all
    /// calls that may.
    fn calls(&self, count: &Count, is_wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let mut found = Vec::new();
        for pc in count.head + 2..count.back {
            let Some(Op::Call(call)) = self.op(pc) else { continue };
            let Src::Value(callee) = call.callee else { return Vec::new() };
            let called = callee.as_function().and_then(|it| self.code.functions.get(it as usize));
            match called {
                Some(function) if function.body.is_none() && is_wanted(&function.name) => {
                    found.push(pc);
                }
                _ => {}
            }
        }
        found
    }

    /// The only operation of a round that sets a register.
    fn set_in(&self, count: &Count, register: Reg) -> Option<&Op> {
        let mut found = None;
        for instr in &self.body.ops[count.head + 2..count.back] {
            let mut writes = false;
            for_each_write(&instr.op, |reg| writes |= reg == register);
            if writes && found.replace(&instr.op).is_some() {
                return None;
            }
        }
        found
    }

    /// The element that a register points to: that with the index of the round.
    fn element(&self, count: &Count, pointer: Reg) -> Option<Element> {
        let Op::Address { base, offset, terms, .. } = self.set_in(count, pointer)? else {
            return None;
        };
        let [(Src::Reg(index), _, scale)] = terms[..] else { return None };
        let is_index = index == count.index
            || matches!(self.set_in(count, index)?, Op::Convert { conversion, value, .. }
                if matches!(conversion, Conversion::SignExtend | Conversion::ZeroExtend)
                    && *value == Src::Reg(count.index));
        let is_whole = scale == i64::from(self.code.pointer_bytes);
        (is_index && is_whole).then_some(Element { array: *base, offset: *offset, scale })
    }

    /// Do the bound and the array stay what they are from the first loop to the end of the
    /// second, and does nothing else touch the array?
    fn keeps(&self, first: &Count, second: &Count, created: usize, element: Element) -> bool {
        let (_, _, _, bound) = first.range;
        let between = &self.body.ops[first.head..=second.back];
        let is_kept = |src: Src| match src {
            Src::Value(_) => true,
            Src::Reg(kept) => {
                let mut writes = false;
                for instr in between {
                    for_each_write(&instr.op, |reg| writes |= reg == kept);
                }
                !writes
            }
        };
        is_kept(bound) && is_kept(element.array) && self.is_own(created, element)
    }

    /// Is an array used by the creation, by loads of what is joined, and by `free` alone?
    fn is_own(&self, created: usize, element: Element) -> bool {
        match element.array {
            Src::Reg(array) => self.is_fresh(array) && self.uses_are_known(element.array, created),
            Src::Value(array) => {
                let named = self.body.ops.iter().filter(
                    |instr| matches!(&instr.op, Op::Address { base, .. } if *base == element.array),
                );
                named.count() == mentions(self.code, array.base)
                    && self.uses_are_known(element.array, created)
            }
        }
    }

    /// Is a register set once, to memory that is new then?
    fn is_fresh(&self, array: Reg) -> bool {
        let mut n_writes = 0;
        let mut is_new = false;
        for instr in &self.body.ops {
            for_each_write(&instr.op, |reg| n_writes += usize::from(reg == array));
            is_new |= match &instr.op {
                Op::Alloca(alloca) => alloca.to == array,
                Op::Call(call) if call.to == array => {
                    let called = match call.callee {
                        Src::Value(callee) => callee.as_function(),
                        Src::Reg(_) => None,
                    };
                    let function = called.and_then(|it| self.code.functions.get(it as usize));
                    function.is_some_and(|it| {
                        it.body.is_none() && it.builtin.is_some_and(library::allocates)
                    })
                }
                _ => false,
            };
        }
        n_writes == 1 && is_new
    }

    fn uses_are_known(&self, array: Src, created: usize) -> bool {
        let mut pointers: Vec<Reg> = Vec::new();
        let mut is_known = true;
        for instr in &self.body.ops {
            let mut n_uses = 0;
            for_each_source(&instr.op, |src| n_uses += usize::from(src == array));
            match &instr.op {
                _ if n_uses == 0 => {}
                Op::Address { to, base, .. } if *base == array && n_uses == 1 => pointers.push(*to),
                Op::Expire(_) | Op::Renew(_) => {}
                Op::Call(_) if self.frees(&instr.op) => {}
                _ => is_known = false,
            }
        }
        for (pc, instr) in self.body.ops.iter().enumerate() {
            let mut uses_pointer = false;
            for_each_source(&instr.op, |src| {
                uses_pointer |= matches!(src, Src::Reg(reg) if pointers.contains(&reg));
            });
            is_known &= !uses_pointer
                || match &instr.op {
                    Op::Load { .. } => true,
                    Op::Call(call) if pc == created => {
                        let is_pointer =
                            |src: &Src| matches!(src, Src::Reg(reg) if pointers.contains(reg));
                        !call.arguments[1..].iter().any(is_pointer)
                    }
                    _ => false,
                };
        }
        is_known
    }

    /// May what comes from here on touch memory that others share? Not where it joins more
    /// threads, frees the handles and ends.
    fn touches_from(&self, start: usize, handles: Element) -> bool {
        let (mut waiting, mut seen) = (vec![start], vec![false; self.body.ops.len()]);
        while let Some(pc) = waiting.pop() {
            let Some(is_seen @ false) = seen.get_mut(pc) else { continue };
            *is_seen = true;
            let op = &self.body.ops[pc].op;
            if self.may_touch(op, handles) {
                return true;
            }
            for_each_target(op, |to| waiting.push(to as usize));
            if !matches!(op, Op::Jump(_) | Op::Branch(..) | Op::Switch { .. } | Op::Return(_)) {
                waiting.push(pc + 1);
            }
        }
        false
    }

    fn may_touch(&self, op: &Op, handles: Element) -> bool {
        match op {
            Op::Load { pointer: Src::Reg(pointer), .. } => !self.is_in_fresh(*pointer),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. } => true,
            Op::Call(call) => {
                let Src::Value(callee) = call.callee else { return true };
                let called = callee.as_function();
                let called = called.and_then(|it| self.code.functions.get(it as usize));
                let frees_handles =
                    self.frees(op) && call.arguments.first() == Some(&handles.array);
                let joins = called.is_some_and(|it| it.body.is_none() && it.name == "pthread_join");
                !joins && !frees_handles
            }
            _ => false,
        }
    }

    /// Does a register point into memory that `main` has just for itself?
    fn is_in_fresh(&self, pointer: Reg) -> bool {
        let mut bases = self.body.ops.iter().filter_map(|instr| match &instr.op {
            Op::Address { to, base, .. } if *to == pointer => Some(*base),
            _ => None,
        });
        match (bases.next(), bases.next()) {
            (Some(Src::Reg(base)), None) => self.is_fresh(base),
            _ => false,
        }
    }

    fn frees(&self, op: &Op) -> bool {
        let Op::Call(call) = op else { return false };
        let Src::Value(callee) = call.callee else { return false };
        let called = callee.as_function().and_then(|it| self.code.functions.get(it as usize));
        called.is_some_and(|it| it.body.is_none() && it.name == "free")
    }
}

/// Calls `f` with everywhere that an operation may jump to.
fn for_each_target(op: &Op, mut f: impl FnMut(Pc)) {
    match op {
        Op::Jump(to) => f(*to),
        Op::Branch(_, yes, no) => {
            f(*yes);
            f(*no);
        }
        Op::Switch { cases, default, .. } => {
            cases.iter().for_each(|&(_, to)| f(to));
            f(*default);
        }
        Op::Call(call) => call.unwind.into_iter().for_each(f),
        _ => {}
    }
}
