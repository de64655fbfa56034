//! One step of a thread, up to where nobody asked for more.
//!
//! A step runs on until the next operation that others can see. On the way it may break a
//! rule that nobody asked about, or come to what the machine does not know: then there is
//! nothing behind that place to prove anything about. Where the program has no meaning from
//! there on, and where an assertion fails, the run ends.
//! What the step did before happened all the same, and others can see it and go on from
//! there: a lock that was given back, a thread that was created. So that is a step of its
//! own, and only the next one does not come back.
//!
//! **Sound for** searches that leave out interleavings: whatever ends the program, or ends
//! what is known of it, is a step without effects that others could miss. What it reads
//! before stays with it: others cannot tell when that happened.

use super::CProgram;
use crate::machine::{Error, Machine, Ran, Result, Rule, Stop};

impl CProgram {
    /// Runs a thread for one step, on the way that the machine's tape says. The machine has
    /// just taken up these stores.
    ///
    /// # Errors
    /// There is no such step, or it breaks a rule, or it cannot be told.
    pub(super) fn run_step(
        &self,
        machine: &mut Machine<'_>,
        shared: &[u8],
        local: &[u8],
    ) -> Result<Ran> {
        let logged = machine
            .log
            .as_ref()
            .map(|log| (log.entries.len(), log.last_symbol, log.forgotten.len()));
        let ran = machine.run().map_err(|stop| self.as_asked(stop));
        let Err(stop) = &ran else { return ran };
        let is_accepted = self.is_accepted(machine, stop);
        if !is_accepted && !self.is_unasked(stop) {
            return ran;
        }
        if let Some(n) = machine.n_before_stop() {
            if let (Some(log), Some((n_entries, last_symbol, n_forgotten))) =
                (&mut machine.log, logged)
            {
                log.entries.truncate(n_entries);
                log.forgotten.truncate(n_forgotten);
                log.last_symbol = last_symbol;
            }
            machine.load(shared, local);
            return machine.run_operations(n);
        }
        if let Stop::Error(error) = stop
            && (is_accepted || self.ends_run(error.rule))
        {
            self.note_end(machine, error, is_accepted);
            machine.memory.end_program();
            return Ok(Ran::Ended);
        }
        ran
    }

    /// What breaks several rules is told as the one that was asked about.
    fn as_asked(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Error(Error { rule, also: Some(other), .. })
                if !self.asks(rule) && self.asks(other.rule) =>
            {
                Stop::Error(*other)
            }
            stop => stop,
        }
    }

    /// Does breaking a rule that nobody asked about end the run? Not where there are more runs
    /// than the program has: then it may be that of no run, and what comes after it is missing.
    fn ends_run(&self, rule: Rule) -> bool {
        rule == Rule::Assertion || ends_run(rule) && !self.options.over_approximates
    }

    /// Does it stop a step for a reason that is no answer to what is asked?
    fn is_unasked(&self, stop: &Stop) -> bool {
        match stop {
            Stop::Error(error) => !self.asks(error.rule),
            Stop::Refused(_) => true,
            Stop::Blocked(_) | Stop::Assumed => false,
        }
    }

    /// Keeps in mind why a run ends though nobody asked about that. That assertions end
    /// the program is what they are for.
    fn note_end(&self, machine: &Machine<'_>, error: &Error, is_accepted: bool) {
        let label = self.label_of(machine.memory.thread());
        let what = self.at_place(error.message.clone(), label);
        match error.rule {
            _ if is_accepted => self.remarks.add_accepted(what),
            Rule::Assertion => {}
            _ => self.remarks.add_end(what),
        }
    }

    /// Is it a broken rule that the user knows of?
    fn is_accepted(&self, machine: &Machine<'_>, stop: &Stop) -> bool {
        let Stop::Error(error) = stop else { return false };
        self.accepts(error.rule, self.label_of(machine.memory.thread()))
    }
}

/// Does breaking a rule that nobody asked about end the run? Only where the program has
/// no meaning from there on: one that goes on after the misuse of a lock, say, may still
/// do what is asked about.
fn ends_run(rule: Rule) -> bool {
    matches!(rule, Rule::Assertion | Rule::MemorySafety | Rule::InvalidFree | Rule::Division)
}
