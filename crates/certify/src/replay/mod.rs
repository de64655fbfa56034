//! Decides whether a trace is a run of the front end's own system that ends in the
//! error it names.

mod counters;
mod flow_start;
mod slots;
mod threads;

pub(crate) use counters::replay as counters;
pub(crate) use slots::can_be_filled;
pub(crate) use threads::{
    ThreadWithSteps, do_race, is_deadlock, is_race, reaches, replay as threads,
    replay_runs as thread_runs, touched, with_steps,
};
