//! The successors of a counted state.
//!
//! A broadcast lets each of the other threads choose; threads in the same local store
//! are alike, so what is chosen is how many of them go where.

use model::BroadcastId;

use super::states::{add, count_of, local_of, remove};
use super::table::{ENDED, Local, MAX_LOCALS, Step, Table};

/// Who moves where by a broadcast: so many threads from one local store to another.
pub type Moved = Vec<(Local, Local, u32)>;

/// What is done with each result: its row, and what a broadcast moved on the way.
pub type Each<'e, E> = dyn FnMut(&mut Table<'_>, &[u32], &Moved) -> Result<(), E> + 'e;

/// Every result of a step of a thread in `active` (`None`: of the environment) in the
/// state `row`, with what a broadcast moved on the way.
///
/// `active` must be in the row. What `each` answers ends it.
pub fn for_each_result<E>(
    table: &mut Table<'_>,
    row: &[u32],
    (active, step): (Option<Local>, &Step),
    each: &mut Each<'_, E>,
) -> Result<(), E> {
    let mut others = row.to_vec();
    if let Some(active) = active {
        remove(&mut others, active);
    }
    others[0] = step.to;
    let Some(broadcast) = step.broadcast else {
        join(&mut others, active, step);
        return each(table, &others, &Vec::new());
    };
    let entries: Vec<u32> = others.split_off(1);
    let mut choice = PassiveChoice { table, broadcast, active, step, each };
    choice.distribute(&entries, &mut others, &mut Vec::new())
}

/// Adds the thread that stepped, and those that it created.
fn join(row: &mut Vec<u32>, active: Option<Local>, step: &Step) {
    if active.is_some() {
        add(row, step.after);
    }
    step.spawned.iter().for_each(|&local| add(row, local));
}

struct PassiveChoice<'c, 't, E> {
    table: &'c mut Table<'t>,
    broadcast: BroadcastId,
    active: Option<Local>,
    step: &'c Step,
    each: &'c mut Each<'c, E>,
}

impl<E> PassiveChoice<'_, '_, E> {
    /// Moves the threads of `entries`, in every way.
    fn distribute(
        &mut self,
        entries: &[u32],
        row: &mut Vec<u32>,
        moved: &mut Moved,
    ) -> Result<(), E> {
        let Some((&first, rest)) = entries.split_first() else {
            let mut after = row.clone();
            join(&mut after, self.active, self.step);
            return (self.each)(self.table, &after, moved);
        };
        let (local, count) = (local_of(first), count_of(first));
        // Marks and threads that have ended stay.
        let becomes = match local == ENDED || local >= MAX_LOCALS {
            true => vec![local],
            false => self.table.passive(self.broadcast, local).collect(),
        };
        self.split((local, count), &becomes, (rest, row, moved))
    }

    fn split(
        &mut self,
        (local, count): (Local, u32),
        becomes: &[Local],
        (rest, row, moved): (&[u32], &mut Vec<u32>, &mut Moved),
    ) -> Result<(), E> {
        let Some((&to, others)) = becomes.split_first() else { return Ok(()) };
        let fewest = if others.is_empty() { count } else { 0 };
        for amount in fewest..=count {
            let mut after = row.clone();
            (0..amount).for_each(|_| add(&mut after, to));
            if amount > 0 {
                moved.push((local, to, amount));
            }
            match count - amount {
                0 => self.distribute(rest, &mut after, moved)?,
                left => self.split((local, left), others, (rest, &mut after, moved))?,
            }
            if amount > 0 {
                moved.pop();
            }
        }
        Ok(())
    }
}
