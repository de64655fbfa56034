//! The set that proves a property, as a certificate has it: a list of nodes.

use model::{StopReason, ViewBit, ViewNode, Views};
use rustc_hash::FxHashMap;

use super::diagram::{Diagrams, Set, Variable};
use super::world::{Family, World};

/// A family of states of `n_members` threads as a diagram.
pub(super) fn views(
    world: &World<'_>,
    family: &Family,
    n_members: usize,
    is_whole: bool,
) -> Result<Views, StopReason> {
    let set = world.joined(family)?;
    let mut named = named_variables(world, n_members);
    named.sort_unstable_by_key(|(variable, _)| *variable);
    let positions = named.iter().enumerate().map(|(idx, (variable, _))| (*variable, idx as u32));
    let mut listing = Listing { positions: positions.collect(), ..Listing::default() };
    let root = listing.list(&set)?;
    Ok(Views {
        size: n_members as u32,
        is_whole,
        variables: named.into_iter().map(|(_, bit)| bit).collect(),
        nodes: listing.nodes,
        root,
    })
}

fn named_variables(world: &World<'_>, n_members: usize) -> Vec<(Variable, ViewBit)> {
    let layout = &world.layout;
    let mut named = vec![(layout.atomic(), ViewBit::InAtomic)];
    for idx in 0..layout.n_shared() {
        named.push((layout.shared(idx), ViewBit::Shared(idx as u32)));
    }
    for thread in 0..n_members {
        let member = thread as u32;
        let bits = (0u32..).zip(layout.location(thread));
        named.extend(bits.map(|(bit, &at)| (at, ViewBit::Location { member, bit })));
        let locals = (0u32..).zip(layout.locals(thread));
        named.extend(locals.map(|(local, &at)| (at, ViewBit::Local { member, local })));
    }
    named
}

#[derive(Default)]
struct Listing {
    positions: FxHashMap<Variable, u32>,
    known: FxHashMap<Set, u32>,
    nodes: Vec<ViewNode>,
}

impl Listing {
    /// The node of a set, after those below it.
    fn list(&mut self, set: &Set) -> Result<u32, StopReason> {
        if let Some(&known) = self.known.get(set) {
            return Ok(known);
        }
        let node = match Diagrams::top(set) {
            Err(is_full) => u32::from(is_full),
            Ok((variable, high, low)) => {
                let (low, high) = (self.list(&low)?, self.list(&high)?);
                let position = self.positions.get(&variable);
                let position = position.ok_or_else(|| super::odd("a view says too much"))?;
                self.nodes.push(ViewNode(*position, low, high));
                self.nodes.len() as u32 + 1
            }
        };
        self.known.insert(set.clone(), node);
        Ok(node)
    }
}
