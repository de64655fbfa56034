//! Where the scopes of local variables begin and end, as far as it is followed.
//!
//! A variable whose address goes somewhere is another object each time its scope
//! begins, so that a pointer to the one before does not point to it. That is right
//! where no address that was computed from the variable before its scope began is
//! used after that: so it is with code that was not optimised. Other variables with
//! scopes keep their memory, and lose their values where the scope begins. Compound literals
//! are such variables as well, by the blocks that they stand in.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::ir::{FunctionBody, LocalId, Module, Op, Operand};

use super::literals::{Literal, literals};
use super::promote::roots;
use super::uses::{Use, called_name, for_each_use, is_intrinsic};

/// What is done where scopes begin and end.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// The local whose address each local is, where it is the same one.
    root: Vec<u32>,
    /// Variables that are other objects each time.
    renewed: BTreeSet<u32>,
    /// Compound literals that begin (true) or end just before an instruction.
    literals: BTreeMap<At, Vec<(LocalId, bool)>>,
}

/// A place in a function: block and instruction.
pub(super) type At = (usize, usize);

impl Scopes {
    /// Looks through a function.
    pub fn of(module: &Module, body: &FunctionBody) -> Scopes {
        let mut scopes = Scopes { root: roots(module, body), ..Scopes::default() };
        let (starts, literals) = (scopes.starts(module, body), literals(module, body));
        if starts.is_empty() && literals.is_empty() {
            return scopes;
        }
        let facts = Facts::of(module, body);
        let followed = starts.iter().filter(|(local, starts)| facts.is_followed(**local, starts));
        scopes.renewed = followed.map(|(local, _)| *local).collect();
        // Later versions of clang may mark the lifetimes of literals themselves.
        let is_unmarked = |literal: &&Literal| !starts.contains_key(&literal.local.0);
        for literal in literals.iter().filter(is_unmarked) {
            if !facts.is_followed(literal.local.0, &literal.begins) {
                continue;
            }
            scopes.renewed.insert(literal.local.0);
            let begins = literal.begins.iter().map(|&at| (at, true));
            for (at, begins) in begins.chain(literal.ends.iter().map(|&at| (at, false))) {
                scopes.literals.entry(at).or_default().push((literal.local, begins));
            }
        }
        scopes
    }

    /// The compound literals that begin (true) or end just before an instruction.
    pub fn literals_at(&self, block: usize, idx: usize) -> Vec<(LocalId, bool)> {
        self.literals.get(&(block, idx)).cloned().unwrap_or_default()
    }

    /// The variable that an operand is the address of.
    pub fn variable(&self, operand: &Operand) -> Option<LocalId> {
        match operand {
            Operand::Local(local) => self.root.get(local.0 as usize).copied().map(LocalId),
            Operand::Constant(_) => None,
        }
    }

    /// Is the variable another object each time its scope begins?
    pub fn is_renewed(&self, local: LocalId) -> bool {
        self.renewed.contains(&local.0)
    }

    /// The first places within the scopes of variables.
    fn starts(&self, module: &Module, body: &FunctionBody) -> FxHashMap<u32, Vec<At>> {
        let mut starts: FxHashMap<u32, Vec<At>> = FxHashMap::default();
        for (at, op) in operations(body) {
            let Op::Call { callee, arguments, .. } = op else { continue };
            let name = called_name(module, callee).unwrap_or_default();
            if !is_intrinsic(name, "llvm.lifetime.start") {
                continue;
            }
            let address = arguments.last().and_then(|(last, _)| self.variable(&last.value));
            if let Some(LocalId(local)) = address {
                starts.entry(local).or_default().push((at.0, at.1 + 1));
            }
        }
        starts
    }
}

/// How locals are used in a function.
struct Facts<'a> {
    body: &'a FunctionBody,
    /// Where each local is computed.
    definitions: FxHashMap<u32, At>,
    /// Where each local is used, and how.
    uses: FxHashMap<u32, Vec<(At, Use)>>,
    /// Which locals follow each block.
    successors: Vec<Vec<usize>>,
}

impl<'a> Facts<'a> {
    fn of(module: &Module, body: &'a FunctionBody) -> Facts<'a> {
        let mut facts = Facts {
            body,
            definitions: FxHashMap::default(),
            uses: FxHashMap::default(),
            successors: body
                .blocks
                .iter()
                .map(|block| ways_on(block.instructions.last()))
                .collect(),
        };
        for (at, op) in operations(body) {
            if let Some(result) = body.blocks[at.0].instructions[at.1].result {
                facts.definitions.insert(result.0, at);
            }
            for_each_use(module, op, &mut |operand, how| {
                if let Operand::Local(local) = operand {
                    facts.uses.entry(local.0).or_default().push((at, how));
                }
            });
        }
        facts
    }

    /// Does the address of a variable go somewhere, and is everything that is computed
    /// from it computed anew in each scope?
    fn is_followed(&self, variable: u32, starts: &[At]) -> bool {
        let is_alloca = self.definitions.get(&variable).is_some_and(|&(block, idx)| {
            matches!(self.body.blocks[block].instructions[idx].op, Op::Alloca { count: None, .. })
        });
        let mut escapes = false;
        let mut waiting = vec![variable];
        let mut known: BTreeSet<u32> = BTreeSet::new();
        while let Some(local) = waiting.pop() {
            if !known.insert(local) {
                continue;
            }
            for &((block, idx), how) in self.uses.get(&local).into_iter().flatten() {
                let instruction = &self.body.blocks[block].instructions[idx];
                match (&instruction.op, instruction.result) {
                    (Op::Phi { .. } | Op::Select { .. }, _) => return false,
                    (Op::Element { .. } | Op::Cast { .. }, Some(result)) => waiting.push(result.0),
                    _ => {}
                }
                let stays =
                    matches!(how, Use::Load(_) | Use::Store(_) | Use::Lifetime | Use::Debug);
                escapes |= !stays && !matches!(how, Use::Element | Use::Renamed);
            }
        }
        known.remove(&variable);
        let is_anew = |&local: &u32| starts.iter().all(|&start| !self.survives(local, start));
        is_alloca && escapes && known.iter().all(is_anew)
    }

    /// Is a local used from this place on before it is computed again?
    fn survives(&self, local: u32, start: At) -> bool {
        let definition = self.definitions.get(&local).copied();
        let uses = self.uses.get(&local).map_or(&[][..], |uses| uses);
        let mut is_met = vec![false; self.body.blocks.len()];
        let mut waiting = vec![start];
        while let Some((block, from)) = waiting.pop() {
            let end = definition.filter(|at| at.0 == block && at.1 >= from).map(|at| at.1);
            let is_within =
                |at: &At| at.0 == block && at.1 >= from && end.is_none_or(|end| at.1 < end);
            if uses.iter().any(|(at, _)| is_within(at)) {
                return true;
            }
            if end.is_some() {
                continue;
            }
            for &next in &self.successors[block] {
                if let Some(is_met @ false) = is_met.get_mut(next) {
                    *is_met = true;
                    waiting.push((next, 0));
                }
            }
        }
        false
    }
}

fn operations(body: &FunctionBody) -> impl Iterator<Item = (At, &Op)> {
    body.blocks.iter().enumerate().flat_map(|(block, content)| {
        let numbered = content.instructions.iter().enumerate();
        numbered.map(move |(idx, instruction)| ((block, idx), &instruction.op))
    })
}

/// The blocks that a block leads to.
pub(super) fn ways_on(last: Option<&crate::ir::Instruction>) -> Vec<usize> {
    let targets = match last.map(|last| &last.op) {
        Some(Op::Jump(to)) => vec![*to],
        Some(Op::Branch { targets, .. }) => vec![targets.0, targets.1],
        Some(Op::Switch { cases, default, .. }) => {
            cases.iter().map(|(_, to)| *to).chain([*default]).collect()
        }
        Some(Op::Call { invoke: Some((normal, unwind)), .. }) => vec![*normal, *unwind],
        _ => Vec::new(),
    };
    targets.into_iter().map(|block| block.0 as usize).collect()
}
