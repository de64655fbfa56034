//! Decides whether a set of views proves that no step of a Boolean flow is an error.
//!
//! **The claim.** Of every reachable state, each choice of up to `size` of its threads, in
//! each order, is in the set, filled up with threads that do not exist; or, if the set is
//! whole, each order of all its threads is. It is shown by induction over runs. After a
//! step, a choice of threads may show
//! 1. the thread that stepped: then the same choice before the step was in the set, and the
//!    step of that member must lead into it (`closed.rs`);
//! 2. a thread that was created, beside the one that stepped or in its place: the same, with
//!    a thread that does not exist where the new one is, or with its creator there;
//! 3. neither: then the choice was in the set, and so was each with one member replaced by
//!    the thread that stepped (`strangers.rs`). This cannot be in a whole set.
//!
//! **Sound, not complete.** The set must be closed as it stands.
//! **Read first** `places.rs`, `effect.rs`, then `closed.rs` and `strangers.rs`.

mod diagrams;
mod places;

mod effect;
mod listed;
mod start;

mod closed;
mod strangers;

use model::{BooleanFlow, Limits, ThreadCount, ThreadProgram, Views};

use self::closed::Members;
use self::diagrams::{Diagrams, Set};
use self::effect::Reader;
use self::places::VariableOrder;
use self::start::{Casting, Waiting};
use crate::rejection::Rejection;

/// More threads in a view than any engine can make use of.
const MAX_SIZE: u32 = 64;

/// Do these views show that no error is reachable by `scope` threads?
pub(crate) fn check(
    program: &dyn ThreadProgram,
    scope: ThreadCount,
    views: &Views,
    limits: &Limits,
) -> Result<(), Rejection> {
    let flow = program.flow();
    let flow = flow.ok_or_else(|| Rejection::malformed("the program has no Boolean variables"))?;
    let asked = program.requirements();
    if !asked.targets().is_empty() || asked.beyond_targets().is_some() {
        return Err(Rejection::malformed("views say nothing about what is asked"));
    }
    if !(1..=MAX_SIZE).contains(&views.size) {
        return Err(Rejection::malformed("views of an impossible number of threads"));
    }
    starts_outside_of_atomic_sections(flow)?;
    let waiting = Waiting::new(flow, scope)?;
    if views.is_whole && !waiting.is_bounded() {
        return Err(Rejection::malformed("a view cannot show any number of threads"));
    }
    let places = VariableOrder::new(flow, views.size as usize);
    let diagrams = Diagrams::new(places.n_variables(), views.nodes.len(), limits)?;
    let set = listed::read(views, &places, &diagrams)?;
    let casting = Casting { flow, places: &places, diagrams: &diagrams, is_whole: views.is_whole };
    casting.all_within(&waiting, &set)?;
    let reader = Reader { flow, places: &places, diagrams: &diagrams };
    let mut members = Members::new(&reader, program, set, views.is_whole);
    members.no_error()?;
    members.are_closed()?;
    match views.is_whole {
        true => Ok(()),
        false => strangers::keep(&reader, &mut members),
    }
}

/// What is said of atomic sections relies on it.
fn starts_outside_of_atomic_sections(flow: &BooleanFlow) -> Result<(), Rejection> {
    let spawned = flow.edges.iter().filter_map(|edge| Some(edge.spawn.as_ref()?.to));
    let mut starts = flow.threads.iter().map(|kind| kind.entry).chain(spawned);
    match starts.any(|start| flow.locations[start.0 as usize].is_atomic) {
        true => Err(Rejection::malformed("a thread starts in an atomic section")),
        false => Ok(()),
    }
}

/// The parts of a set by where a member is, without what they say of that.
fn by_location(reader: &Reader<'_>, set: &Set, member: usize) -> Result<Vec<Set>, Rejection> {
    let mut parts = vec![set.clone()];
    for bit in (0..reader.places.n_bits()).rev() {
        let variable = reader.places.location_bit(member, bit);
        let mut halves = Vec::new();
        for part in &parts {
            for value in [false, true] {
                halves.push(reader.diagrams.with(part, &[(variable, value)])?);
            }
        }
        // Numbers that are no location cost nothing more.
        halves.truncate((reader.places.n_locations >> bit) + 1);
        parts = halves;
    }
    Ok(parts)
}
