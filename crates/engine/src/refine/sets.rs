//! Sets of local stores that the specification's thread may be in, and what becomes of them.

use std::rc::Rc;

use model::{StopReason, Store};
use rustc_hash::{FxHashMap, FxHashSet};

use super::table::SideTable;

/// A set by its number; equal sets have one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SetId(u32);

/// The thread has ended: a member of sets like the local stores.
const ENDED: u32 = u32::MAX;

/// The specification's steps, on sets.
pub(super) struct Sets<'p> {
    pub table: SideTable<'p>,
    members: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, SetId>,
    /// What a set becomes by steps that leave a shared store unchanged.
    settled: FxHashMap<(SetId, u32), SetId>,
    /// What it becomes where the shared store changes from the first to the second.
    after: FxHashMap<(SetId, u32, u32), SetId>,
}

impl<'p> Sets<'p> {
    pub fn new(table: SideTable<'p>) -> Sets<'p> {
        Sets {
            table,
            members: Vec::new(),
            numbers: FxHashMap::default(),
            settled: FxHashMap::default(),
            after: FxHashMap::default(),
        }
    }

    /// The local stores that a thread may start in.
    pub fn initial(&mut self) -> SetId {
        let initial = self.table.initial_locals();
        self.number(initial)
    }

    /// Is there nothing in it?
    pub fn is_empty(&self, set: SetId) -> bool {
        self.members[set.0 as usize].is_empty()
    }

    /// Is all of `small` in `large`?
    pub fn is_subset(&self, small: SetId, large: SetId) -> bool {
        if small == large {
            return true;
        }
        let (small, large) = (&self.members[small.0 as usize], &self.members[large.0 as usize]);
        let mut rest = large.iter();
        small.len() < large.len() && small.iter().all(|wanted| rest.any(|member| member == wanted))
    }

    /// How many sets there are.
    pub fn n_sets(&self) -> usize {
        self.members.len()
    }

    /// The set after any number of steps at `shared` that leave it unchanged.
    pub fn settled(&mut self, set: SetId, shared: u32) -> Result<SetId, StopReason> {
        if let Some(&settled) = self.settled.get(&(set, shared)) {
            return Ok(settled);
        }
        let mut members = self.members[set.0 as usize].to_vec();
        let mut known: FxHashSet<u32> = members.iter().copied().collect();
        let mut next = 0;
        while let Some(&local) = members.get(next) {
            next += 1;
            self.each_move(local, shared, |after, to, is_error| {
                if after == Some(shared) && !is_error && known.insert(to) {
                    members.push(to);
                }
            })?;
        }
        let settled = self.number(members);
        self.settled.insert((set, shared), settled);
        Ok(settled)
    }

    /// The set after a step of the implementation from `before` to `after` was matched.
    pub fn after(&mut self, set: SetId, before: u32, after: u32) -> Result<SetId, StopReason> {
        let settled = self.settled(set, before)?;
        if before == after {
            return Ok(settled);
        }
        if let Some(&known) = self.after.get(&(set, before, after)) {
            return Ok(known);
        }
        let mut members = Vec::new();
        for &local in Rc::clone(&self.members[settled.0 as usize]).iter() {
            self.each_move(local, before, |shared, to, is_error| {
                if shared == Some(after) && !is_error {
                    members.push(to);
                }
            })?;
        }
        let arrived = self.number(members);
        let result = self.settled(arrived, after)?;
        self.after.insert((set, before, after), result);
        Ok(result)
    }

    /// Can the thread fail at `shared`, after steps that leave it unchanged?
    pub fn can_fail(&mut self, set: SetId, shared: u32) -> Result<bool, StopReason> {
        let settled = self.settled(set, shared)?;
        let mut can_fail = false;
        for &local in Rc::clone(&self.members[settled.0 as usize]).iter() {
            self.each_move(local, shared, |_, _, is_error| can_fail |= is_error)?;
        }
        Ok(can_fail)
    }

    /// Can the thread come to fill a slot at `shared`, by steps that leave it unchanged?
    pub fn can_fill(
        &mut self,
        set: SetId,
        shared: u32,
        (target, slot): (usize, usize),
    ) -> Result<bool, StopReason> {
        let settled = self.settled(set, shared)?;
        let store = self.table.shared(shared).bytes();
        let requirements = self.table.program().requirements();
        let mut members = self.members[settled.0 as usize].iter();
        Ok(requirements.target_shared(target, store)
            && members.any(|&local| {
                local != ENDED
                    && requirements.target_local(
                        target,
                        slot,
                        store,
                        self.table.local(local).bytes(),
                    )
            }))
    }

    /// The shared stores that the thread may leave when it finds `shared`.
    pub fn allowed(&mut self, set: SetId, shared: u32) -> Result<Vec<Store>, StopReason> {
        let settled = self.settled(set, shared)?;
        let mut numbers = vec![shared];
        for &local in Rc::clone(&self.members[settled.0 as usize]).iter() {
            self.each_move(local, shared, |after, _, is_error| {
                numbers.extend(after.filter(|_| !is_error));
            })?;
        }
        let mut stores: Vec<Store> =
            numbers.into_iter().map(|number| self.table.shared(number).clone()).collect();
        stores.sort_unstable();
        stores.dedup();
        Ok(stores)
    }

    /// The members of a set as stores, ascending; `None` is a thread that has ended.
    pub fn stores(&self, set: SetId) -> Vec<Option<Store>> {
        let members = self.members[set.0 as usize].iter();
        let mut stores: Vec<Option<Store>> = members
            .map(|&local| (local != ENDED).then(|| self.table.local(local).clone()))
            .collect();
        stores.sort_unstable();
        stores
    }

    /// Tells for each step of a thread in `local`: the shared store after it, where the thread
    /// is then, and whether it is an error.
    fn each_move(
        &mut self,
        local: u32,
        shared: u32,
        mut tell: impl FnMut(Option<u32>, u32, bool),
    ) -> Result<(), StopReason> {
        if local == ENDED {
            return Ok(());
        }
        for moved in self.table.moves(local, shared)? {
            tell(moved.shared, moved.local.unwrap_or(ENDED), moved.is_error);
        }
        Ok(())
    }

    fn number(&mut self, mut members: Vec<u32>) -> SetId {
        members.sort_unstable();
        members.dedup();
        let members: Rc<[u32]> = members.into();
        if let Some(&set) = self.numbers.get(&members) {
            return set;
        }
        let set = SetId(self.members.len() as u32);
        self.members.push(members.clone());
        self.numbers.insert(members, set);
        set
    }
}
