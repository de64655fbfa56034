//! Finds choices of a step for which conditions hold, where they are too many to try all.
//!
//! Conditions that leave no choice are followed first, then one choice is tried either way.
//! Nothing is believed because it was found here: who asks evaluates the step with the
//! choices that it is given.

use model::BitExpr;

/// Choices that are tried either way, at most, in one search.
const MAX_TRIES: u32 = 10_000;

/// Values of `n_choices` choices for which all conditions hold. The conditions have no
/// other leaves than choices and constants. `None` if there are none, or if they are not
/// found with little work.
pub(super) fn choose(n_choices: usize, conditions: Vec<BitExpr>) -> Option<Vec<bool>> {
    let mut search = Search { values: vec![None; n_choices], n_tries: 0 };
    let found = search.holds(conditions);
    found.then(|| search.values.into_iter().map(|value| value.unwrap_or(false)).collect())
}

struct Search {
    values: Vec<Option<bool>>,
    n_tries: u32,
}

impl Search {
    /// Can all conditions hold with the values so far? If so, more values are set.
    fn holds(&mut self, conditions: Vec<BitExpr>) -> bool {
        let before = self.values.clone();
        let Some(open) = self.settled(conditions) else {
            self.values = before;
            return false;
        };
        let Some(choice) = open.first().and_then(first_choice) else { return true };
        for value in [true, false] {
            self.n_tries += 1;
            if self.n_tries > MAX_TRIES {
                break;
            }
            let kept = self.values.clone();
            let Some(slot) = self.values.get_mut(choice as usize) else { break };
            *slot = Some(value);
            if self.holds(open.clone()) {
                return true;
            }
            self.values = kept;
        }
        self.values = before;
        false
    }

    /// What is left of the conditions once all that is settled by them is; `None` if they
    /// contradict each other.
    fn settled(&mut self, mut conditions: Vec<BitExpr>) -> Option<Vec<BitExpr>> {
        loop {
            let mut has_learnt = false;
            let mut open = Vec::new();
            while let Some(condition) = conditions.pop() {
                match self.with_values(&condition) {
                    BitExpr::Const(true) => {}
                    BitExpr::Const(false) => return None,
                    BitExpr::And(left, right) => conditions.extend([*left, *right]),
                    BitExpr::Choice(idx) => has_learnt |= self.set(idx, true)?,
                    BitExpr::Not(inner) => match *inner {
                        BitExpr::Choice(idx) => has_learnt |= self.set(idx, false)?,
                        other => open.push(other.negated()),
                    },
                    other => open.push(other),
                }
            }
            if !has_learnt {
                return Some(open);
            }
            conditions = open;
        }
    }

    fn set(&mut self, idx: u32, value: bool) -> Option<bool> {
        *self.values.get_mut(idx as usize)? = Some(value);
        Some(true)
    }

    fn with_values(&self, expr: &BitExpr) -> BitExpr {
        expr.map_leaves(&mut |leaf| match leaf {
            BitExpr::Choice(idx) => match self.values.get(*idx as usize).copied().flatten() {
                Some(value) => BitExpr::Const(value),
                None => leaf.clone(),
            },
            other => other.clone(),
        })
    }
}

fn first_choice(expr: &BitExpr) -> Option<u32> {
    let mut found = None;
    expr.each_leaf(&mut |leaf| {
        if let (BitExpr::Choice(idx), None) = (leaf, found) {
            found = Some(*idx);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use model::BitExpr;

    use super::choose;

    fn all_of(n: u32, make: impl Fn(u32) -> BitExpr) -> BitExpr {
        (0..n).map(make).fold(BitExpr::TRUE, BitExpr::and)
    }

    fn value(expr: &BitExpr, chosen: &[bool]) -> bool {
        expr.eval(&|leaf| match leaf {
            BitExpr::Choice(idx) => chosen[*idx as usize],
            _ => false,
        })
    }

    #[test]
    fn many_choices_that_are_settled_are_found_at_once() {
        let all = all_of(200, BitExpr::Choice);
        assert_eq!(choose(200, vec![all.clone()]), Some(vec![true; 200]));
        let none = vec![all, BitExpr::Choice(7).negated()];
        assert_eq!(choose(200, none), None);
    }

    #[test]
    fn sums_and_alternatives_are_tried() {
        let pairs = all_of(40, |idx| BitExpr::Choice(idx).xor(BitExpr::Choice(idx + 1)));
        let either = BitExpr::Choice(3).or(BitExpr::Choice(40));
        let chosen = choose(41, vec![pairs.clone(), either.clone()]).expect("every other one");
        assert!(value(&pairs, &chosen) && value(&either, &chosen));
        let neither = BitExpr::Choice(3).or(BitExpr::Choice(40)).negated();
        assert_eq!(choose(41, vec![pairs, neither]), None);
    }

    #[test]
    fn random_conditions_agree_with_trying_all() {
        let mut seed = 1u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (seed >> 33) % n
        };
        for _ in 0..500 {
            let conditions: Vec<BitExpr> = (0..4)
                .map(|_| {
                    (0..3).fold(BitExpr::Choice(below(6) as u32), |expr, _| {
                        let leaf = BitExpr::Choice(below(6) as u32);
                        let leaf = if below(2) == 0 { leaf.negated() } else { leaf };
                        match below(4) {
                            0 => expr.and(leaf),
                            1 => expr.or(leaf),
                            2 => expr.xor(leaf),
                            _ => expr.and(leaf).negated(),
                        }
                    })
                })
                .collect();
            let holds = |chosen: &[bool]| conditions.iter().all(|one| value(one, chosen));
            let exists = (0..64u32).any(|number| {
                let chosen: Vec<bool> = (0..6).map(|bit| number >> bit & 1 == 1).collect();
                holds(&chosen)
            });
            match choose(6, conditions.clone()) {
                Some(chosen) => assert!(holds(&chosen), "{conditions:?}"),
                None => assert!(!exists, "{conditions:?}"),
            }
        }
    }
}
