//! What a library function may do: look at its arguments, choose, access memory, ask about
//! threads, and say how it ends. It gets no more of the machine than that.

use model::Lock;

use super::{Effect, too_few};
use crate::code::{Code, Op};
use crate::code::{MemoryOrder, ScalarAccess};
use crate::ir::{IntPredicate, RmwOp};
use crate::machine::{Machine, Options, Result, Stop};
use crate::memory::{
    AccessMode, Ending, Key, Location, Object, Owner, Relation, StepFootprint, ThreadField,
    ThreadIdentity,
};
use crate::value::{Base, Origin, Value, mask};

/// A call of a library function.
#[derive(Debug)]
pub struct LibraryCall<'m, 'p> {
    machine: &'m mut Machine<'p>,
    /// Width of the result; 0 when it is not wanted.
    result_width: u32,
}

impl<'m, 'p> LibraryCall<'m, 'p> {
    /// The call that the machine is at, whose result has so many bits.
    pub(super) fn new(machine: &'m mut Machine<'p>, result_width: u32) -> LibraryCall<'m, 'p> {
        LibraryCall { machine, result_width }
    }
}

/// Arguments, target and options.
impl<'p> LibraryCall<'_, 'p> {
    fn operation(&self) -> Option<&'p crate::code::Call> {
        match &self.machine.instr().op {
            Op::Call(call) => Some(call),
            _ => None,
        }
    }

    /// An argument as it is now: publishing an object renames it.
    pub fn argument(&self, idx: usize) -> Result<Value> {
        let argument = self.operation().and_then(|call| call.arguments.get(idx));
        argument.map(|&src| self.machine.value(src)).ok_or_else(too_few)
    }

    /// How many arguments there are.
    pub fn n_arguments(&self) -> usize {
        self.operation().map_or(0, |call| call.arguments.len())
    }

    /// The width of an argument.
    pub fn width(&self, idx: usize) -> u32 {
        let width = self.operation().and_then(|call| call.widths.get(idx));
        width.map_or(0, |&width| u32::from(width))
    }

    /// An argument that is a number; `what` is what it is.
    pub fn number_argument(&mut self, idx: usize, what: &str) -> Result<u64> {
        let value = self.argument(idx)?;
        self.number(value, self.width(idx), what)
    }

    /// Is an argument of the call an address that other threads may know?
    pub fn has_shared_argument(&self) -> bool {
        let is_shared = |value: Value| matches!(value.base.origin(), Origin::Shared(_));
        let mut arguments = self.operation().into_iter().flat_map(|call| &call.arguments);
        arguments.any(|&src| is_shared(self.machine.value(src)))
    }

    /// Width of the result; 0 when it is not wanted.
    pub fn result_width(&self) -> u32 {
        self.result_width
    }

    /// Runs a library function for its result alone, as one of so many bits.
    pub fn with_result_width(&mut self, width: u32, run: super::Run) -> Result<Effect> {
        let wanted = std::mem::replace(&mut self.result_width, width);
        let effect = run(self);
        self.result_width = wanted;
        effect
    }

    /// Bytes of a pointer.
    pub fn pointer_bytes(&self) -> u32 {
        self.machine.code.pointer_bytes
    }

    /// The program.
    pub fn code(&self) -> &'p Code {
        self.machine.code
    }

    /// What is explored.
    pub fn options(&self) -> &'p Options {
        self.machine.options
    }

    /// Where the call stands in the source: an index into the program's places.
    pub fn place(&self) -> u32 {
        self.machine.instr().place
    }
}

/// How it goes on.
impl LibraryCall<'_, '_> {
    /// Done, with this number as the result.
    pub fn done(&self, number: i64) -> Result<Effect> {
        Ok(Effect::Done(Value::number(number as u64 & mask(self.result_width))))
    }

    /// Done, with an error that says that what was tried for could not be had. What decided
    /// that is not ordered before what comes.
    pub fn failed(&mut self, error: i64) -> Result<Effect> {
        self.order_nothing();
        self.done(error)
    }

    /// How far the call has come, if it takes several steps; 0 before it starts.
    pub fn phase(&self) -> u8 {
        self.machine.memory.frame().phase
    }

    /// Says how far the call has come.
    pub fn set_phase(&mut self, phase: u8) {
        self.machine.frame().phase = phase;
    }

    /// Calls a function of the program; the next phase comes when it returns.
    pub fn enter(&mut self, function: Value) -> Result<Effect> {
        self.machine.enter(function, &[])?;
        Ok(Effect::Entered)
    }

    /// The address that names the running function, for a jump back to it.
    pub fn jump_point(&mut self) -> Result<Value> {
        self.machine.jump_point()
    }

    /// Ends functions up to the one that this address names, which goes on with a result.
    pub fn jump_back(&mut self, point: Value, result: u64) -> Result<()> {
        self.machine.jump_back(point, result)
    }

    /// Notes that the thread waits for a lock.
    pub fn want(&mut self, lock: Lock) {
        self.machine.wanted = Some(lock);
    }

    /// Notes that one thread must go on for this one to.
    pub fn wait_for(&mut self, thread: Option<ThreadIdentity>) {
        self.machine.waits_for = thread;
    }

    /// Notes that no signal is assumed to arrive.
    pub fn assume_no_signal(&mut self) {
        self.machine.assumes_no_signal = true;
    }

    /// Notes that the step could also not happen at all, and nobody may rely on it.
    pub fn mark_spurious(&mut self) {
        self.machine.is_spurious = true;
    }

    /// Adds to what the program wrote to its standard output and error.
    pub fn show(&mut self, text: &str) {
        self.machine.output.push_str(text);
    }

    /// Says that the operation failed to get what it tried for: it orders nothing.
    pub fn order_nothing(&mut self) {
        self.machine.memory.order_nothing();
    }

    /// Begins a section that is one step for other threads.
    pub fn enter_section(&mut self) {
        self.machine.memory.enter_section();
    }

    /// Ends such a section; false if there was none.
    pub fn leave_section(&mut self) -> bool {
        self.machine.memory.leave_section()
    }

    /// Is the thread in a section that is one step for others?
    pub fn is_in_section(&self) -> bool {
        self.machine.memory.is_in_section()
    }

    /// Has the step done something that others can see?
    pub fn has_effects(&self) -> bool {
        !self.machine.spawned.is_empty() || self.footprint().has_writes()
    }

    fn footprint(&self) -> &StepFootprint {
        self.machine.memory.footprint()
    }
}

/// Choices and values.
impl LibraryCall<'_, '_> {
    /// One of `n` ways, counted from zero.
    pub fn choose(&mut self, n: u32) -> u32 {
        self.machine.choose(n)
    }

    /// Says that not all values of an input are tried.
    pub fn cut_inputs(&mut self) {
        self.machine.is_cut = true;
    }

    /// An input of `width` bits that may be anything.
    pub fn new_symbol(&mut self, width: u32) -> Value {
        self.machine.new_symbol(width)
    }

    /// An input from 0 to `last`.
    pub fn new_symbol_up_to(&mut self, last: u64) -> Value {
        self.machine.new_symbol_up_to(last)
    }

    /// A value as a number that decides something; `what` is what it is.
    pub fn number(&mut self, value: Value, width: u32, what: &str) -> Result<u64> {
        self.machine.number(value, width, what)
    }

    /// A value that is no symbol any more.
    pub fn concrete(&mut self, value: Value, width: u32) -> Result<Value> {
        self.machine.concrete(value, width)
    }

    /// Are two values equal? `None` where that depends on bits that mean nothing.
    pub fn are_equal(&mut self, values: (Value, Value), width: u32) -> Result<Option<bool>> {
        let truth = self.machine.compare(IntPredicate::Eq, width, values)?;
        Ok(truth.as_number().map(|truth| truth != 0))
    }

    /// Is a value not zero? `None` where that depends on bits that mean nothing.
    pub fn is_nonzero(&mut self, value: Value, width: u32) -> Result<Option<bool>> {
        let truth = self.machine.compare(IntPredicate::Ne, width, (value, Value::ZERO))?;
        Ok(truth.as_number().map(|truth| truth != 0))
    }
}

/// Memory.
impl LibraryCall<'_, '_> {
    /// The location of some bytes, if they may be accessed so.
    pub fn locate(&mut self, pointer: Value, len: u64, mode: AccessMode) -> Result<Location> {
        self.machine.memory.locate(pointer, len, mode)
    }

    /// Writes to the object that an address lies in of which nobody knows where; false for
    /// other addresses.
    pub fn write_somewhere(&mut self, pointer: Value) -> Result<bool> {
        self.machine.memory.write_somewhere(pointer, AccessMode::PLAIN_WRITE)
    }

    /// Reads a scalar of `width` bits.
    pub fn read_at(&self, location: Location, width: u32) -> Result<Value> {
        self.machine.memory.read_at(location, width)
    }

    /// Writes a scalar.
    pub fn write_at(&mut self, location: Location, value: Value) {
        self.machine.memory.write_at(location, value);
    }

    /// Reads a scalar as an instruction does.
    pub fn read(&mut self, pointer: Value, access: ScalarAccess) -> Result<Value> {
        self.machine.memory.read(pointer, access)
    }

    /// Writes a scalar as an instruction does.
    pub fn write(&mut self, pointer: Value, access: ScalarAccess, value: Value) -> Result<()> {
        self.machine.memory.write(pointer, access, value)
    }

    /// Reads, computes and writes at once; gives the old value.
    pub fn read_modify_write(
        &mut self,
        op: RmwOp,
        pointer: Value,
        operand: Value,
        access: ScalarAccess,
    ) -> Result<Value> {
        self.machine.read_modify_write(op, pointer, operand, access)
    }

    /// Compares and writes at once; gives the old value and whether it was equal.
    pub fn compare_exchange(
        &mut self,
        pointer: Value,
        values: (Value, Value),
        how: (ScalarAccess, MemoryOrder),
    ) -> Result<(Value, bool)> {
        self.machine.compare_exchange(pointer, values, how)
    }

    /// Sets bytes to a number.
    pub fn fill(&mut self, location: Location, byte: u8) {
        self.machine.memory.fill(location, byte);
    }

    /// Takes away the values of bytes.
    pub fn make_undefined(&mut self, location: Location) {
        self.machine.memory.make_undefined(location);
    }

    /// Writes plain bytes to the beginning of a location, and zeros behind them.
    pub fn write_bytes(&mut self, location: Location, bytes: &[u8]) {
        self.machine.memory.write_bytes(location, bytes);
    }

    /// Copies bytes with all they are.
    pub fn copy(&mut self, to: Location, from: Location) {
        self.machine.memory.copy(to, from);
    }

    /// Bytes with all they are, as an object of their own.
    pub fn copy_of(&self, location: Location) -> Object {
        self.machine.memory.copy_of(location)
    }

    /// The object with this origin.
    pub fn object(&self, origin: Origin) -> Option<&Object> {
        self.machine.memory.object(origin)
    }

    /// Are two addresses in different objects certainly different? Not where one object may lie
    /// where the other one lay, or directly behind it.
    pub fn are_apart(&self, left: Value, right: Value) -> bool {
        let memory = &self.machine.memory;
        let is_end = |value: Value| {
            let object = memory.object(value.base.origin());
            object.is_some_and(|object| u64::from(object.size()) == value.bits)
        };
        let relation = memory.relation(left.base, right.base);
        matches!(relation, Some(Relation::Apart | Relation::Below | Relation::Above))
            && !is_end(left)
            && !is_end(right)
    }

    /// What an object is called in messages.
    pub fn name_of(&self, origin: Origin) -> String {
        self.machine.memory.name_of(origin)
    }

    /// New memory that only this thread knows.
    pub fn allocate(&mut self, object: Object) -> Result<Value> {
        self.machine.memory.allocate(object)
    }

    /// Ends the life of an object.
    pub fn end_object(&mut self, base: Base) {
        self.machine.memory.end_object(base);
    }

    /// What an operation breaks that ends the life of an object once more.
    pub fn after_end_of_all(&self, stop: Stop, origin: Origin) -> Stop {
        self.machine.memory.after_end_of_all(stop, origin)
    }

    /// Gives an object the contents of the beginning of another, without an access.
    pub fn move_contents(&mut self, from: Origin, to: Origin) {
        self.machine.memory.move_contents(from, to);
    }

    /// Notes that an object moves, and may stay where it is.
    pub fn note_moved(&mut self, old: Base, new: Base) {
        self.machine.memory.note_moved(old, new);
    }

    /// The address of the running thread's `errno`.
    pub fn errno(&mut self) -> Value {
        self.machine.memory.errno()
    }
}

/// Threads, and the program as a whole.
impl LibraryCall<'_, '_> {
    /// Who runs.
    pub fn me(&self) -> ThreadIdentity {
        self.machine.memory.me()
    }

    /// Have threads no names?
    pub fn has_anonymous_threads(&self) -> bool {
        self.machine.memory.has_anonymous_threads()
    }

    /// The `pthread_t` of a thread that the call creates.
    pub fn pthread_t_of(&self, thread: ThreadIdentity) -> Value {
        self.machine.memory.pthread_t_of(thread, self.place())
    }

    /// The running thread's own `pthread_t`.
    pub fn own_pthread_t(&self) -> Result<Value> {
        self.machine.memory.own_pthread_t()
    }

    /// Whom the owner field of the lock at `lock` names.
    pub fn owner_named(&self, field: Value, lock: Value) -> Owner {
        self.machine.memory.owner_named(field, lock)
    }

    /// Notes that the running thread has the lock at `lock`.
    pub fn note_held(&mut self, lock: Value) {
        self.machine.memory.note_held(lock);
    }

    /// Notes that the running thread has the lock at `lock` no more.
    pub fn note_given_up(&mut self, lock: Value) {
        self.machine.memory.note_given_up(lock);
    }

    /// What the owner field of a lock holds while the running thread has it.
    pub fn owned_by_me(&self) -> Value {
        self.machine.memory.owned_by_me()
    }

    /// Does the call stand in a loop that joins each thread of an array once?
    pub fn joins_each_once(&self) -> bool {
        self.machine.memory.joins_each_once()
    }

    /// Is it a `pthread_t` of a thread without a name, as far as is known?
    pub fn is_pthread_t(&self, pthread: Value) -> bool {
        let may_be = self.options().over_approximates && !pthread.is_defined();
        may_be || matches!(pthread.base.origin(), Origin::PthreadT(_)) && pthread.is_defined()
    }

    /// The thread that a `pthread_t` names.
    pub fn thread_named(&self, pthread: Value) -> Result<ThreadIdentity> {
        self.machine.memory.thread_named(pthread)
    }

    /// Reads a field of a thread object.
    pub fn thread_field(&mut self, thread: ThreadIdentity, field: ThreadField) -> Value {
        self.machine.memory.thread_field(thread, field)
    }

    /// Writes a field of a thread object.
    pub fn set_thread_field(&mut self, thread: ThreadIdentity, field: ThreadField, value: Value) {
        self.machine.memory.set_thread_field(thread, field, value);
    }

    /// Writes a field of the running thread's object that no other thread sees.
    pub fn replace_own_field(&mut self, field: ThreadField, value: Value) -> Value {
        self.machine.memory.replace_own_field(field, value)
    }

    /// Lets whoever waits at a barrier go on, where threads have no names.
    pub fn release(&mut self, barrier: Value) -> Result<()> {
        self.machine.release(barrier)
    }

    /// The threads that wait for what lies at `address`.
    pub fn waiting_for(&mut self, address: Value) -> Vec<ThreadIdentity> {
        self.machine.memory.waiting_for(address)
    }

    /// Starts a thread.
    pub fn spawn(&mut self, function: Value, argument: Value) -> Result<ThreadIdentity> {
        self.machine.spawn(function, argument)
    }

    /// Keeps the `pthread_t` of a thread that was started until it is written.
    pub fn keep_untold(&mut self, handle: Value) {
        self.machine.memory.keep_untold(handle);
    }

    /// Takes the `pthread_t` that was kept.
    pub fn take_untold(&mut self) -> Option<Value> {
        self.machine.memory.take_untold()
    }

    /// Notes that a thread which was started just now also knows what happened since.
    pub fn tell_started(&mut self, thread: ThreadIdentity) {
        self.machine.memory.tell_started(thread);
    }

    /// Keeps the buffer of a handler that runs where the thread exits.
    pub fn push_cleanup(&mut self, buffer: Value) {
        self.machine.memory.push_cleanup(buffer);
    }

    /// Takes the buffer that was kept last.
    pub fn pop_cleanup(&mut self) -> Option<Value> {
        self.machine.memory.pop_cleanup()
    }

    /// Notes that the running thread reads under a lock.
    pub fn begin_reading(&mut self, lock: Value) {
        self.machine.memory.begin_reading(lock);
    }

    /// Notes that it reads under a lock once less; false if it did not.
    pub fn end_reading(&mut self, lock: Value) -> bool {
        self.machine.memory.end_reading(lock)
    }

    /// Notes what the running thread comes to once its functions have ended.
    pub fn begin_exit(&mut self, result: Value) {
        self.machine.memory.set_ending(Ending::Thread(result));
    }

    /// What the running thread's result is, if it exits.
    pub fn exit_result(&self) -> Option<Value> {
        match self.machine.memory.ending()? {
            Ending::Thread(result) => Some(result),
            Ending::Program => None,
        }
    }

    /// Ends the running thread, with all its functions.
    pub fn end_thread(&mut self, result: Value) {
        self.machine.memory.set_ending(Ending::Thread(result));
        self.machine.end_frames();
    }

    /// Does the running thread end the program?
    pub fn is_exiting(&self) -> bool {
        self.machine.memory.ending() == Some(Ending::Program)
    }

    /// Ends the program after what `atexit` keeps.
    pub fn exit(&mut self) {
        self.machine.memory.set_ending(Ending::Program);
        self.machine.exits = true;
        self.machine.memory.abandon_frames();
    }

    /// Ends the program at once; that is no error.
    pub fn abort(&mut self) {
        self.machine.abort();
    }

    /// Registers a function that runs at the program's end.
    pub fn add_at_exit(&mut self, function: Value) {
        self.machine.memory.add_at_exit(function);
    }

    /// Registers a function that runs where the program ends by `quick_exit`.
    pub fn add_at_quick_exit(&mut self, function: Value) {
        self.machine.memory.add_at_quick_exit(function);
    }

    /// Puts what runs at `quick_exit` in place of what runs at the program's end; false if
    /// that is nothing.
    pub fn exit_quickly(&mut self) -> bool {
        self.machine.memory.exit_quickly()
    }

    /// Ends the program without what `atexit` keeps.
    pub fn exit_at_once(&mut self) -> Result<()> {
        self.machine.exit_at_once()
    }

    /// Notes that the operation depends on the table of keys, or changes it.
    pub fn access_keys(&mut self, is_write: bool) {
        self.machine.memory.access_keys(is_write);
    }

    /// How many keys were created.
    pub fn n_keys(&self) -> usize {
        self.machine.memory.n_keys()
    }

    /// Creates a key; gives its number.
    pub fn create_key(&mut self, destructor: Value) -> usize {
        self.machine.memory.create_key(destructor)
    }

    /// Deletes a key.
    pub fn delete_key(&mut self, key: usize) {
        self.machine.memory.delete_key(key);
    }

    /// Looks a key up.
    pub fn key(&self, key: usize) -> Key {
        self.machine.memory.key(key)
    }

    /// The running thread's value for a key.
    pub fn specific(&self, key: usize) -> Value {
        self.machine.memory.specific(key)
    }

    /// Sets the running thread's value for a key.
    pub fn set_specific(&mut self, key: usize, value: Value) {
        self.machine.memory.set_specific(key, value);
    }
}
