//! Decides which of a batch of states are new, in the chosen kind of storage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{Limits, Omission, StopReason, Successors};

use super::Storage;
use crate::kernel::crew::Crew;
use crate::kernel::state_table::{
    Arena, BitTable, ExactTable, Inserted, NotStored, SignatureTable, Writer, hash, signature,
};

/// The states seen so far.
pub(super) enum Visited {
    Exact(ExactTable),
    Signatures(SignatureTable),
    Bits(BitTable, AtomicU64),
}

impl Visited {
    /// Nothing seen yet.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(super) fn new(
        storage: Storage,
        state_bits: u32,
        limits: &Limits,
    ) -> Result<Visited, StopReason> {
        Ok(match storage {
            Storage::Exact => {
                Visited::Exact(ExactTable::new(state_bits).ok_or(StopReason::MemoryLimit)?)
            }
            Storage::HashCompaction => {
                Visited::Signatures(SignatureTable::new().ok_or(StopReason::MemoryLimit)?)
            }
            Storage::Bitstate { log2_bits } => {
                Visited::Bits(BitTable::new(log2_bits, limits)?, AtomicU64::new(0))
            }
        })
    }

    /// The arena of exact storage.
    pub(super) fn arena(&self) -> Option<&Arc<Arena>> {
        match self {
            Visited::Exact(table) => Some(table.arena()),
            _ => None,
        }
    }

    /// Expected number of states missed; `None` where none can be.
    pub(super) fn expected_omissions(&self) -> Option<f64> {
        match self {
            Visited::Exact(_) => None,
            Visited::Signatures(table) => Some(table.expected_omissions()),
            Visited::Bits(table, n_stored) => {
                Some(table.expected_omissions(n_stored.load(Ordering::Relaxed)))
            }
        }
    }

    /// What storage leaves out.
    pub(super) fn omission(&self) -> Option<Omission> {
        let expected = format!("{:.1e}", self.expected_omissions()?);
        Some(Omission::LossyStorage { expected })
    }

    /// Inserts all of `states`, lists the new ones in `new`, and writes these with
    /// `writer`; lossy storage can do without. `hashes` is working memory.
    ///
    /// # Errors
    /// The table must grow first, or there is no memory; what was new up to there is
    /// in `new`.
    pub(super) fn insert_all(
        &self,
        states: &Successors,
        hashes: &mut Vec<u64>,
        mut writer: Option<&mut Writer>,
        new: &mut Vec<u32>,
    ) -> Result<(), NotStored> {
        hashes.clear();
        new.clear();
        match self {
            Visited::Exact(table) => {
                let writer = writer.as_mut().expect("exact storage is written");
                insert_exact(table, states, hashes, writer, new)
            }
            Visited::Signatures(table) => {
                sign(states, hashes, |signature| table.prefetch(signature));
                for (idx, &signature) in hashes.iter().enumerate() {
                    if table.insert(signature)? {
                        new.push(idx as u32);
                        write(writer.as_deref_mut(), states.state(idx))?;
                    }
                }
                Ok(())
            }
            Visited::Bits(table, n_stored) => {
                sign(states, hashes, |signature| table.prefetch(signature));
                for (idx, &signature) in hashes.iter().enumerate() {
                    if table.insert(signature) {
                        new.push(idx as u32);
                        write(writer.as_deref_mut(), states.state(idx))?;
                    }
                }
                n_stored.fetch_add(new.len() as u64, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Was a state met for sure? Lossy storage cannot say.
    pub(super) fn has(&self, state: &[u64]) -> bool {
        match self {
            Visited::Exact(table) => table.find(state, hash(state)).is_some(),
            Visited::Signatures(_) | Visited::Bits(..) => false,
        }
    }

    /// Makes room after an insertion that failed.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn grow(
        &mut self,
        writers: &[&Writer],
        crew: &mut Crew,
        limits: &Limits,
    ) -> Result<(), StopReason> {
        match self {
            Visited::Exact(table) => table.grow(writers, crew, limits),
            Visited::Signatures(table) => table.grow(limits),
            Visited::Bits(..) => Err(StopReason::MemoryLimit),
        }
    }
}

fn sign(states: &Successors, signatures: &mut Vec<u64>, prefetch: impl Fn(u64)) {
    signatures.extend((0..states.len()).map(|idx| signature(states.state(idx))));
    signatures.iter().for_each(|&signature| prefetch(signature));
}

/// Writes a state that the table has taken already. To grow the table would not help,
/// and a second attempt would take the state for a known one: so the search ends.
fn write(writer: Option<&mut Writer>, state: &[u64]) -> Result<(), NotStored> {
    let written = writer.map(|writer| writer.push(state, u64::MAX));
    match written {
        Some(Err(_)) => Err(NotStored::NoMemory),
        Some(Ok(_)) | None => Ok(()),
    }
}

/// Three passes, so that memory is on its way before it is needed: the slots, then
/// the states that the slots point to, then the comparison.
fn insert_exact(
    table: &ExactTable,
    states: &Successors,
    hashes: &mut Vec<u64>,
    writer: &mut Writer,
    new: &mut Vec<u32>,
) -> Result<(), NotStored> {
    for idx in 0..states.len() {
        let hashed = hash(states.state(idx));
        table.prefetch_slot(hashed);
        hashes.push(hashed);
    }
    hashes.iter().for_each(|&hashed| table.prefetch_state(hashed));
    for (idx, &hashed) in hashes.iter().enumerate() {
        if let Inserted::New(_) = table.insert(states.state(idx), hashed, writer)? {
            new.push(idx as u32);
        }
    }
    Ok(())
}
