//! Runs machine code on a state: initial states, successors, verdicts, valuation.
#![allow(unsafe_code, reason = "calls machine code with raw pointers")]

use std::ptr;

use model::{Choice, Judgement, Limits, Stepper, StopReason, Stuck, Successors};

use crate::code::{Code, Root};
use crate::compiled::Compiled;
use crate::context::{Context, FUEL, Host, STACK_FOR_CALLS};

/// Successors that are written before they are handed over.
const LARGEST_BATCH: usize = 256;

/// Words of the states of a batch, where they are large.
const BATCH_WORDS: usize = 1 << 14;

/// The working memory of one thread of the search.
pub(crate) struct MachineStepper<'a> {
    code: &'a Code,
    /// Boxed, so that the pointer in the context stays valid.
    host: Box<Host>,
    context: Box<Context>,
    /// The state that is worked on, with the word that may be read behind it.
    state: Vec<u64>,
    /// What `Next` is where no state is made.
    scratch: Vec<u64>,
    /// Owns the memory for local variables.
    frames: Vec<u64>,
    /// The bits of the `cover` statements.
    covered: Vec<u64>,
    /// The number of the property that the first of these is.
    first_cover: u32,
}

// SAFETY: all pointers in it lead to memory that it owns, or are set anew before
// each call.
unsafe impl Send for MachineStepper<'_> {}

impl<'a> MachineStepper<'a> {
    pub fn new(system: &'a Compiled<'_>, limits: &Limits) -> Self {
        let n_words = system.state_words;
        let batch = (BATCH_WORDS / n_words.max(1)).clamp(1, LARGEST_BATCH);
        let host = Host {
            out: ptr::null_mut(),
            judgement: ptr::null_mut(),
            stuck: None,
            stop: None,
            limits: limits.clone(),
            faults: system.faults.clone(),
            choices: vec![0; batch],
        };
        let context = Context {
            cursor: ptr::null_mut(),
            choices: ptr::null_mut(),
            choices_end: ptr::null_mut(),
            n_enabled: 0,
            fuel: FUEL,
            fault: 0,
            frame_base: ptr::null_mut(),
            frame_top: ptr::null_mut(),
            frame_end: ptr::null_mut(),
            stack_floor: 0,
            value: 0,
            covered: ptr::null_mut(),
            host: ptr::null_mut(),
        };
        MachineStepper {
            code: &system.code,
            host: Box::new(host),
            context: Box::new(context),
            state: vec![0; n_words + 1],
            scratch: vec![0; n_words + 1],
            frames: vec![0; system.frame_words],
            covered: vec![0; system.n_covers.div_ceil(64) as usize],
            first_cover: system.first_cover,
        }
    }

    /// Sets what every run needs. `Next` is scratch.
    fn prepare(&mut self, state: &[u64]) {
        let n_words = self.state.len() - 1;
        self.state[..n_words].copy_from_slice(&state[..n_words]);
        self.prepare_context();
    }

    fn prepare_context(&mut self) {
        let frames = self.frames.as_mut_ptr_range();
        self.host.stop = None;
        let context = &mut *self.context;
        (context.frame_base, context.frame_top, context.frame_end) =
            (frames.start, frames.start, frames.end);
        context.stack_floor = ptr::from_ref(&frames).addr().saturating_sub(STACK_FOR_CALLS);
        context.cursor = self.scratch.as_mut_ptr();
        context.covered = self.covered.as_mut_ptr();
        context.host = &raw mut *self.host;
    }

    /// Sets what code that makes states needs.
    fn prepare_batch(&mut self, out: &mut Successors) {
        let choices = self.host.choices.as_mut_ptr_range();
        self.context.cursor = out.room(self.host.choices.len()).as_mut_ptr();
        (self.context.choices, self.context.choices_end) = (choices.start, choices.end);
        self.context.n_enabled = 0;
        self.host.out = out;
        self.context.host = &raw mut *self.host;
    }

    /// Hands over what the code made.
    fn finish_batch(&mut self, out: &mut Successors) {
        let start = self.host.choices.as_ptr();
        let n_made = (self.context.choices.addr() - start.addr()) / size_of::<u64>();
        out.commit_all(self.host.choices[..n_made].iter().copied().map(Choice));
        out.n_enabled += self.context.n_enabled;
        self.note_covers(&mut out.covered);
        self.host.out = ptr::null_mut();
    }

    /// Adds the numbers of the `cover` statements that were reached, ascending.
    fn note_covers(&mut self, out: &mut Vec<u32>) {
        for (word, first) in self.covered.iter_mut().zip((self.first_cover..).step_by(64)) {
            while *word != 0 {
                out.push(first + word.trailing_zeros());
                *word &= *word - 1;
            }
        }
    }

    /// Runs some code, unless a limit is reached.
    fn run(&mut self, roots: &[Root]) -> Result<(), StopReason> {
        for root in roots {
            // SAFETY: the context was prepared for this kind of code, its pointers
            // lead to memory of this value or to the caller's buffer, and nobody
            // else touches that meanwhile.
            let stopped = unsafe { root(&raw mut *self.context, self.state.as_ptr()) };
            if stopped != 0 {
                return Err(self.host.stop.take().unwrap_or(StopReason::Interrupted));
            }
        }
        Ok(())
    }

    /// Runs the groups of rules until one has an enabled rule, and then the guards of the
    /// rest.
    fn run_groups(&mut self) -> Result<(), StopReason> {
        for group in &self.code.steps {
            let is_preceded = self.context.n_enabled > 0;
            self.run(if is_preceded { &group.guards } else { &group.steps })?;
        }
        Ok(())
    }
}

impl Stepper for MachineStepper<'_> {
    fn initial(&mut self, out: &mut Successors) -> Result<(), StopReason> {
        self.state.fill(0);
        self.prepare_context();
        self.prepare_batch(out);
        let result = self.run(&self.code.starts);
        self.finish_batch(out);
        result
    }

    fn expand(&mut self, state: &[u64], out: &mut Successors) -> Result<(), StopReason> {
        self.prepare(state);
        self.prepare_batch(out);
        let result = self.run_groups();
        self.finish_batch(out);
        result
    }

    fn judge(&mut self, state: &[u64], out: &mut Judgement) -> Result<(), StopReason> {
        self.prepare(state);
        self.host.judgement = out;
        self.context.host = &raw mut *self.host;
        let result = self.run(&self.code.judges);
        self.note_covers(&mut out.reached);
        self.host.judgement = ptr::null_mut();
        result
    }

    fn valuation(&mut self, state: &[u64]) -> Result<u64, Stuck> {
        let Some(code) = self.code.valuation else { return Ok(0) };
        self.prepare(state);
        self.host.stuck = None;
        self.context.host = &raw mut *self.host;
        let run = self.run(&[code]);
        self.covered.fill(0);
        run.map_err(Stuck::Stopped)?;
        match self.host.stuck.take() {
            Some(fault) => Err(Stuck::Fault(fault)),
            None => Ok(self.context.value),
        }
    }
}
