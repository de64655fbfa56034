//! Compares addresses of different objects: what is not settled yet is settled both ways.

use super::Machine;
use super::arith::is_equality;
use super::stop::{Result, Stop};
use super::symbol_compare::holds;
use crate::ir::IntPredicate;
use crate::memory::Relation;
use crate::value::{Base, Value, signed};

impl Machine<'_> {
    /// Compares addresses of different objects.
    pub(super) fn compare_objects(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<bool> {
        let relation = self.memory.relation(left.base, right.base).ok_or_else(|| {
            Stop::refused("the address of a dead object is compared with one that is newer")
        })?;
        if is_equality(predicate) {
            let equal = self.are_equal(relation, width, (left, right))?;
            return Ok(equal == (predicate == IntPredicate::Eq));
        }
        if signed_order(predicate) {
            return Err(Stop::refused("addresses are compared as signed numbers"));
        }
        for value in [left, right] {
            if !self.is_within(value, width) {
                let why = "an address outside of its object is compared by order";
                return Err(Stop::refused(why));
            }
        }
        let relation = self.ordered(relation, left.base, right.base);
        if relation == Relation::Same {
            return Ok(holds(predicate, width, left.bits, right.bits));
        }
        let is_below = relation == Relation::Below;
        let (low, high) = if is_below { (left, right) } else { (right, left) };
        let (one, other) = if is_below { (0, 1) } else { (1, 0) };
        let apart = holds(predicate, width, one, other);
        if apart != holds(predicate, width, 0, 0) {
            self.must_not_touch(low, high)?;
        }
        Ok(apart)
    }

    fn are_equal(
        &mut self,
        relation: Relation,
        width: u32,
        (left, right): (Value, Value),
    ) -> Result<bool> {
        let is_same = match relation {
            Relation::Same => true,
            Relation::Open if left.bits == right.bits => {
                let is_same = self.choose(2) == 0;
                let settled = if is_same { Relation::Same } else { Relation::Apart };
                self.memory.decide(left.base, right.base, settled);
                is_same
            }
            _ => false,
        };
        if is_same {
            return Ok(holds(IntPredicate::Eq, width, left.bits, right.bits));
        }
        if relation != Relation::Above {
            self.must_not_touch(left, right)?;
        }
        if relation != Relation::Below {
            self.must_not_touch(right, left)?;
        }
        Ok(false)
    }

    /// Are two bases the same address, as far as is known?
    pub(super) fn are_at_one_place(&self, left: Base, right: Base) -> bool {
        left == right
            || left != Base::NUMBER
                && right != Base::NUMBER
                && self.memory.relation(left, right) == Some(Relation::Same)
    }

    /// Settles which object is lower, if they do not lie at one address.
    fn ordered(&mut self, relation: Relation, left: Base, right: Base) -> Relation {
        let ways: &[Relation] = match relation {
            Relation::Open => &[Relation::Below, Relation::Above, Relation::Same],
            Relation::Apart => &[Relation::Below, Relation::Above],
            known => return known,
        };
        let settled = ways[self.choose(ways.len() as u32) as usize];
        self.memory.decide(left, right, settled);
        settled
    }

    /// Does an address lie in its object or directly behind it?
    fn is_within(&self, value: Value, width: u32) -> bool {
        let size = self.memory.object(value.base.origin()).map_or(0, |object| object.size());
        (0..=i64::from(size)).contains(&signed(value.bits, width))
    }

    /// Goes on where the first address, at the end of its object, is not the second one, at
    /// the beginning of another one. Whether objects lie side by side is not followed.
    fn must_not_touch(&mut self, end: Value, beginning: Value) -> Result<()> {
        let size = self.memory.object(end.base.origin()).map(|object| u64::from(object.size()));
        let may_touch = size == Some(end.bits) && beginning.bits == 0;
        if may_touch && self.choose(2) == 1 {
            let why = "it is compared whether an object lies directly behind another one";
            return Err(Stop::refused(why));
        }
        Ok(())
    }
}

fn signed_order(predicate: IntPredicate) -> bool {
    use IntPredicate::{Sge, Sgt, Sle, Slt};
    matches!(predicate, Sge | Sgt | Sle | Slt)
}
