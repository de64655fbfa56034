//! Divides tokens of sources among destinations so that as few as possible lack some: a
//! bipartite flow, found by augmenting. Amounts are numbers, so that billions of tokens
//! cost no more than one.

/// A division while it is made.
pub struct TokenFlow {
    /// Per source, its destinations.
    pub destinations: Vec<Vec<usize>>,
    /// Per source, tokens not given yet.
    pub left: Vec<i64>,
    /// Per source and destination, tokens given.
    pub given: Vec<Vec<i64>>,
    /// Per destination, what it still lacks.
    pub lacking: Vec<i64>,
}

impl TokenFlow {
    /// Gives destinations as much of what they lack as there is.
    pub fn saturate(&mut self) {
        for source in 0..self.left.len() {
            while self.left[source] > 0 {
                let mut seen = vec![false; self.left.len()];
                match self.give(source, self.left[source], &mut seen) {
                    0 => break,
                    given => self.left[source] -= given,
                }
            }
        }
    }

    /// Gives what nobody lacks to the first destination of each source.
    pub fn give_rest_to_first(&mut self) {
        for (given, left) in self.given.iter_mut().zip(&mut self.left) {
            if let Some(first) = given.first_mut() {
                *first += std::mem::take(left);
            }
        }
    }

    /// Gives up to `amount` more tokens of `source` to a destination that lacks some, if
    /// need be by sending another source's tokens elsewhere; tells how many.
    fn give(&mut self, source: usize, amount: i64, seen: &mut [bool]) -> i64 {
        seen[source] = true;
        for at in 0..self.destinations[source].len() {
            let destination = self.destinations[source][at];
            if self.lacking[destination] > 0 {
                let given = amount.min(self.lacking[destination]);
                self.lacking[destination] -= given;
                self.given[source][at] += given;
                return given;
            }
        }
        for at in 0..self.destinations[source].len() {
            let destination = self.destinations[source][at];
            for other in 0..self.destinations.len() {
                let theirs = self.destinations[other].iter().position(|d| *d == destination);
                let Some(theirs) = theirs.filter(|_| !seen[other]) else { continue };
                let movable = amount.min(self.given[other][theirs]);
                if movable > 0 {
                    let moved = self.give(other, movable, seen);
                    self.given[other][theirs] -= moved;
                    self.given[source][at] += moved;
                    if moved > 0 {
                        return moved;
                    }
                }
            }
        }
        0
    }
}
