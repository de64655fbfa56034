//! Which data races the views do not exclude: two threads that may be together at a place and
//! whose next steps race there.
//!
//! What threads at a place touch is collected by access, so that only threads whose accesses
//! race are paired, whatever their number.

use std::collections::BTreeMap;

use model::Access;
use rustc_hash::FxHashMap;

use super::closure::{Alarm, Closure};
use super::targets::may_be_together;
use super::views::{MemberId, PlaceId};
use crate::kernel::race::{self, Touched};
use crate::kernel::step_table::{LocalId, SharedId, StepTable};

/// What threads touch next, each asked once.
#[derive(Default)]
pub struct TouchedTable {
    known: FxHashMap<(SharedId, LocalId), Touched>,
}

impl TouchedTable {
    /// What a thread touches next.
    pub fn of(&mut self, table: &StepTable<'_>, shared: SharedId, local: LocalId) -> &Touched {
        self.known.entry((shared, local)).or_insert_with(|| {
            Touched::by(table.program(), table.shared(shared).bytes(), table.local(local).bytes())
        })
    }

    /// Do two threads race?
    pub fn is_race(
        &mut self,
        table: &StepTable<'_>,
        shared: SharedId,
        locals: [LocalId; 2],
    ) -> bool {
        for local in locals {
            self.of(table, shared, local);
        }
        let [left, right] =
            locals.map(|local| (table.local(local).bytes(), &self.known[&(shared, local)]));
        race::is_race(table.program(), table.shared(shared).bytes(), [left, right])
    }
}

/// An alarm that two threads raise that race, if that is an error.
pub fn find(closure: &Closure<'_>) -> Option<Alarm> {
    if !closure.table.program().requirements().forbids_races() {
        return None;
    }
    let mut touched = TouchedTable::default();
    let places = (0..closure.views.places.len() as u32).map(PlaceId);
    places.into_iter().find_map(|place| at_place(closure, place, &mut touched))
}

fn at_place(closure: &Closure<'_>, id: PlaceId, touched: &mut TouchedTable) -> Option<Alarm> {
    let (table, place) = (&closure.table, closure.views.place(id));
    let mut touching: BTreeMap<Access, Vec<MemberId>> = BTreeMap::new();
    for &member in &place.members {
        let local = closure.views.member(member).local;
        for access in touched.of(table, place.shared, local).accesses() {
            touching.entry(*access).or_default().push(member);
        }
    }
    let accesses: Vec<(&Access, &Vec<MemberId>)> = touching.iter().collect();
    for (idx, (one, members)) in accesses.iter().enumerate() {
        let racing = accesses[idx..].iter().filter(|(other, _)| one.races(other));
        for (_, others) in racing {
            let pairs = members.iter().flat_map(|&m| others.iter().map(move |&o| [m, o]));
            for pair in pairs {
                let locals = pair.map(|member| closure.views.member(member).local);
                if may_be_together(closure, id, pair)
                    && touched.is_race(table, place.shared, locals)
                {
                    return Some(Alarm::Race(id, pair));
                }
            }
        }
    }
    None
}
