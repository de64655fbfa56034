//! Rows one after the other, without an allocation for each.

use super::states::{RowId, count_of, entry, local_of};
use super::table::{Local, Shared};

/// Rows, one after the other.
#[derive(Default)]
pub struct Rows {
    words: Vec<u32>,
    /// Where each begins.
    starts: Vec<usize>,
}

/// What a step does to a row.
#[derive(Clone, Copy)]
pub struct Change {
    /// The shared store after it.
    pub shared: Shared,
    /// The entry that one thread leaves.
    pub from: Option<usize>,
    /// Where one more thread is then.
    pub to: Option<Local>,
}

impl Rows {
    /// Keeps the first so many.
    pub fn truncate(&mut self, len: usize) {
        if let Some(&start) = self.starts.get(len) {
            self.words.truncate(start);
            self.starts.truncate(len);
        }
    }

    /// One of them.
    #[inline]
    pub fn get(&self, idx: usize) -> &[u32] {
        let end = self.starts.get(idx + 1).copied().unwrap_or(self.words.len());
        &self.words[self.starts[idx]..end]
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[u32]) {
        self.starts.push(self.words.len());
        self.words.extend_from_slice(row);
    }

    /// Adds what a step makes of a row.
    #[inline]
    pub fn push_after(&mut self, row: &[u32], change: Change) {
        let start = self.words.len();
        self.starts.push(start);
        // One entry more than there are now, at most.
        self.words.resize(start + row.len() + 1, 0);
        let len = write_after(&mut self.words[start..], row, change);
        self.words.truncate(start + len);
    }

    /// Makes `row` the last one, which is gone then; false if there is none.
    #[inline]
    pub fn pop(&mut self, row: &mut Vec<u32>) -> bool {
        let Some(start) = self.starts.pop() else { return false };
        row.clear();
        row.extend_from_slice(&self.words[start..]);
        self.words.truncate(start);
        true
    }
}

/// Writes what a step makes of a row, and says how long it is.
#[inline]
fn write_after(out: &mut [u32], row: &[u32], change: Change) -> usize {
    let from = change.from.unwrap_or(row.len());
    // Behind all others there is nobody that it could come before.
    let to = change.to.map_or(u32::MAX, |to| entry(to, 0));
    let mut is_there = change.to.is_none();
    out[0] = change.shared;
    let mut len = 1;
    for (at, &word) in row.iter().enumerate().skip(1) {
        let mut left = word - u32::from(at == from);
        if !is_there && to <= word {
            is_there = true;
            match local_of(to) == local_of(word) {
                true => left += 1,
                false => {
                    out[len] = to | 1;
                    len += 1;
                }
            }
        }
        out[len] = left;
        len += usize::from(count_of(left) > 0);
    }
    if !is_there {
        out[len] = to | 1;
        len += 1;
    }
    len
}

/// Rows that are to be stored, each with the state that it was met from.
#[derive(Default)]
pub struct PendingRows {
    rows: Rows,
    parents: Vec<RowId>,
}

impl PendingRows {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Keeps the first so many.
    pub fn truncate(&mut self, len: usize) {
        self.rows.truncate(len);
        self.parents.truncate(len);
    }

    /// One of them.
    #[inline]
    pub fn get(&self, idx: usize) -> (&[u32], RowId) {
        (self.rows.get(idx), self.parents[idx])
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[u32], parent: RowId) {
        self.rows.push(row);
        self.parents.push(parent);
    }

    /// Adds what a step makes of a row.
    #[inline]
    pub fn push_after(&mut self, row: &[u32], change: Change, parent: RowId) {
        self.rows.push_after(row, change);
        self.parents.push(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::{add, remove};
    use super::{Change, Rows};

    #[test]
    fn a_step_moves_one_thread() {
        let mut row = vec![7];
        [5, 3, 5].iter().for_each(|&local| add(&mut row, local));
        let changes = [
            (None, None),
            (None, Some(9)),
            (Some(1), None),
            (Some(1), Some(3)),
            (Some(1), Some(5)),
            (Some(2), Some(2)),
            (Some(2), Some(4)),
            (Some(2), Some(5)),
        ];
        let mut rows = Rows::default();
        for (idx, (from, to)) in changes.into_iter().enumerate() {
            rows.push_after(&row, Change { shared: 8, from, to });
            let mut expected = row.clone();
            expected[0] = 8;
            from.into_iter().for_each(|at: usize| remove(&mut expected, [3, 5][at - 1]));
            to.into_iter().for_each(|local| add(&mut expected, local));
            assert_eq!(rows.get(idx), expected);
        }
        rows.truncate(2);
        let mut last = Vec::new();
        assert!(rows.pop(&mut last) && rows.pop(&mut row) && !rows.pop(&mut last));
        assert_eq!((row[0], row.len(), last.len()), (8, 3, 4));
    }
}
