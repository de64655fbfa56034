//! What is computed from an input: maps that rise or fall throughout.
//!
//! So the part of a set that is mapped between two numbers lies between two numbers itself,
//! and splitting what was computed is splitting the input. The ends of an image are exact;
//! between them there may be gaps where distances of the set are not those of the image.

use super::progression::Progression;
use crate::value::{Value, mask, signed};

/// A map from numbers of some width that does not wrap around within the set it is used on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// All bits turned round.
    Complement,
    /// A product, modulo two to the width.
    Times(u64),
    /// A quotient of unsigned numbers.
    Over(u64),
    /// One from this number on, zero below.
    AtLeast(u64),
    /// A float of 32 bits, from a number that has this sign or none.
    Single(bool),
    /// A float of 64 bits.
    Double(bool),
}

/// A map, of a value of so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// What it is computed from.
    pub parent: Value,
    /// Of how many bits that is.
    pub width: u32,
    /// How.
    pub map: Map,
}

impl View {
    /// The numbers that a parent shows whose symbol is one of these.
    pub fn shown(self, values: Progression) -> Progression {
        let shown = |input: u64| input.wrapping_add(self.parent.bits) & mask(self.width);
        Progression { first: shown(values.first), last: shown(values.last), ..values }
    }
}

impl Map {
    pub(super) fn to_numbers(self) -> (u64, u64) {
        match self {
            Map::Complement => (0, 0),
            Map::Times(factor) => (1, factor),
            Map::Over(divisor) => (2, divisor),
            Map::AtLeast(number) => (3, number),
            Map::Single(is_signed) => (4, is_signed.into()),
            Map::Double(is_signed) => (5, is_signed.into()),
        }
    }

    pub(super) fn from_numbers(kind: u64, number: u64) -> Option<Map> {
        Some(match kind {
            0 => Map::Complement,
            1 => Map::Times(number),
            2 => Map::Over(number.max(1)),
            3 => Map::AtLeast(number),
            4 => Map::Single(number != 0),
            5 => Map::Double(number != 0),
            _ => return None,
        })
    }

    /// What a number of `width` bits is mapped to.
    pub fn apply(self, number: u64, width: u32) -> u64 {
        match self {
            Map::Complement => !number & mask(width),
            Map::Times(factor) => number.wrapping_mul(factor) & mask(width),
            Map::Over(divisor) => number / divisor,
            Map::AtLeast(least) => u64::from(number >= least),
            Map::Single(true) => u64::from((signed(number, width) as f32).to_bits()),
            Map::Single(false) => u64::from((number as f32).to_bits()),
            Map::Double(true) => (signed(number, width) as f64).to_bits(),
            Map::Double(false) => (number as f64).to_bits(),
        }
    }

    /// Are different numbers at one distance mapped to different numbers at one distance?
    pub fn keeps_distances(self) -> bool {
        matches!(self, Map::Complement | Map::Times(_))
    }

    /// Is the image of a set at one distance such a set as well?
    pub fn is_regular_on(self, set: Progression) -> bool {
        match self {
            Map::Complement | Map::Times(_) | Map::AtLeast(_) => true,
            Map::Over(divisor) => set.step <= divisor || set.step.is_multiple_of(divisor),
            Map::Single(_) | Map::Double(_) => set.is_single(),
        }
    }

    /// What a set is mapped to; no more than its ends and distance, see above.
    pub fn image(self, set: Progression, width: u32) -> Progression {
        let (first, last) = (self.apply(set.first, width), self.apply(set.last, width));
        let (first, last) = (first.min(last), first.max(last));
        let step = match self {
            _ if first == last => 1,
            Map::Complement => set.step,
            Map::Times(factor) => set.step.wrapping_mul(factor) & mask(width),
            Map::Over(divisor) if set.step.is_multiple_of(divisor) => set.step / divisor,
            _ => 1,
        };
        Progression { first, last, step }
    }

    /// The members of a set that are mapped to `part`; between its ends, where distances
    /// are not kept.
    pub fn preimage(self, part: Progression, set: Progression, width: u32) -> Option<Progression> {
        let kept = match self {
            Map::Complement => {
                let all = mask(width);
                return Some(Progression {
                    first: all - part.last,
                    last: all - part.first,
                    ..part
                });
            }
            Map::Times(_) => {
                let member = |image: u64| self.member_at(image, set, width);
                let (first, last) = (member(part.first)?, member(part.last)?);
                let n = (part.last - part.first) / part.step;
                let step = (last - first).checked_div(n).unwrap_or(1);
                return Some(Progression { first, last, step });
            }
            Map::Over(divisor) => {
                let last = part.last.saturating_mul(divisor).saturating_add(divisor - 1);
                (part.first.saturating_mul(divisor), last)
            }
            Map::AtLeast(least) => match (part.first, part.last) {
                (1, 1) => (least, u64::MAX),
                (0, 0) => (0, least.checked_sub(1)?),
                _ => (0, u64::MAX),
            },
            Map::Single(_) | Map::Double(_) => self.floats_within(part, set, width)?,
        };
        set.within(kept.0, kept.1)
    }

    /// The member of a set that a product is of.
    fn member_at(self, image: u64, set: Progression, width: u32) -> Option<u64> {
        let (Map::Times(factor), at) = (self, image.wrapping_sub(self.apply(set.first, width)))
        else {
            return None;
        };
        set.first.checked_add((at & mask(width)).checked_div(factor)?)
    }

    /// The ends of what is mapped between the ends of `part`, found by halving.
    fn floats_within(self, part: Progression, set: Progression, width: u32) -> Option<(u64, u64)> {
        let image = |n: u64| self.apply(set.first + n * set.step, width);
        let n = set.n_behind();
        let rises = image(0) <= image(n);
        // The first of 0..=n + 1 from which on `holds`, which does so ever after.
        let first = |holds: &dyn Fn(u64) -> bool| {
            let (mut from, mut to) = (0, n.saturating_add(1));
            while from < to {
                let middle = from + (to - from) / 2;
                if holds(middle) { to = middle } else { from = middle + 1 }
            }
            from
        };
        let (from, behind) = match rises {
            true => (first(&|at| image(at) >= part.first), first(&|at| image(at) > part.last)),
            false => (first(&|at| image(at) <= part.last), first(&|at| image(at) < part.first)),
        };
        let member = |n: u64| set.first + n * set.step;
        (from < behind).then(|| (member(from), member(behind - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::Map;
    use crate::memory::progression::Progression;

    const WIDTH: u32 = 6;

    fn maps() -> impl Iterator<Item = Map> {
        let factors = (1..64).map(Map::Times);
        let others = (1..9).map(Map::Over).chain((0..64).map(Map::AtLeast));
        let floats = [Map::Single(true), Map::Single(false), Map::Double(true), Map::Double(false)];
        factors.chain(others).chain(floats).chain([Map::Complement])
    }

    /// Does the map rise or fall throughout, without wrapping around?
    fn is_monotone(map: Map, set: Progression) -> bool {
        let images: Vec<u64> = set.iter().map(|it| map.apply(it, WIDTH)).collect();
        let (mut up, mut down) = (images.clone(), images.clone());
        up.sort_unstable();
        down.sort_unstable_by(|a, b| b.cmp(a));
        let wraps = match map {
            Map::Times(factor) => set.first * factor / 64 != set.last * factor / 64,
            _ => false,
        };
        !wraps && (images == up || images == down)
    }

    #[test]
    fn images_and_preimages_are_those_of_each_member() {
        let steps = (0..64).step_by(3).flat_map(|first| (1..5).map(move |step| (first, step)));
        for (first, step) in steps {
            for n in 0..12 {
                let set = Progression {
                    first,
                    last: first + n * step,
                    step: if n == 0 { 1 } else { step },
                };
                if set.last > 63 {
                    continue;
                }
                maps().filter(|&map| is_monotone(map, set)).for_each(|map| check(map, set));
            }
        }
    }

    fn check(map: Map, set: Progression) {
        let mut images: Vec<u64> = set.iter().map(|it| map.apply(it, WIDTH)).collect();
        images.sort_unstable();
        images.dedup();
        let image = map.image(set, WIDTH);
        assert_eq!((image.first, image.last), (images[0], images[images.len() - 1]), "{map:?}");
        if map.is_regular_on(set) {
            assert_eq!(image.iter().collect::<Vec<_>>(), images, "{map:?} of {set:?}");
        }
        for (at, &first) in images.iter().enumerate() {
            for &last in &images[at..] {
                let part = image.within(first, last).unwrap_or(Progression::all(first, last));
                let part =
                    Progression { first, last, step: if first == last { 1 } else { part.step } };
                let wanted = |it: &u64| (first..=last).contains(&map.apply(*it, WIDTH));
                let wanted: Vec<u64> = set.iter().filter(wanted).collect();
                let found = map.preimage(part, set, WIDTH).expect("it is not empty");
                assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{map:?} {part:?} {set:?}");
            }
        }
    }
}
