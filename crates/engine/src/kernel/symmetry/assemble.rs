//! Makes the plan out of columns: sorts them by kind, shares out the bits of keys
//! and lists the places that relate elements.

use super::bits::{clear, mask, mix};
use super::compile::{Axis, Column, Columns, MAX_PLACES};
use super::plan::{
    Coding, Domain, KeyPart, NONE, PlainColumn, PointerColumn, Role, Segment, Slot, SlotRun,
    SymmetryPlan, Tuple, ValuePlace,
};

/// Makes the plan; nothing if it would be too large.
pub(super) fn assemble(found: Columns) -> Option<SymmetryPlan> {
    let mut plan = SymmetryPlan {
        state_words: found.state_words,
        keep: vec![u64::MAX; found.state_words + 1],
        domains: found.domains.clone(),
        ..SymmetryPlan::default()
    };
    number_elements(&mut plan);
    judge_domains(&mut plan, &found.columns);
    let mut assembly = Assembly { plan, first_slots: Vec::new(), key_bits: Vec::new() };
    assembly.key_bits.resize(found.domains.len(), 0);
    assembly.add_slots(&found)?;
    for column in &found.columns {
        assembly.add_column(column);
    }
    list_targets(&mut assembly.plan);
    assembly.add_tuples(&found.columns)?;
    list_indexed(&mut assembly.plan);
    Some(assembly.plan)
}

/// What a column is used as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain(u32),
    Value,
    Pointer(u32),
    /// A place that is moved or renamed.
    Moving,
    /// Plain bits of slots that do not move.
    Still,
}

fn kind_of(column: &Column) -> Kind {
    let is_plain = column.segments.is_empty();
    match column.axes.as_slice() {
        [] => Kind::Value,
        [Axis::Element { domain, .. }] if is_plain => Kind::Plain(*domain),
        [Axis::Element { domain, .. }] => Kind::Pointer(*domain),
        axes if is_plain && axes.iter().all(|axis| matches!(axis, Axis::Slot { .. })) => {
            Kind::Still
        }
        _ => Kind::Moving,
    }
}

fn number_elements(plan: &mut SymmetryPlan) {
    for (number, domain) in plan.domains.iter().enumerate() {
        plan.n_elements += domain.n as usize;
        plan.local.extend(0..domain.n);
        plan.domain_of.extend(std::iter::repeat_n(number as u32, domain.n as usize));
    }
}

/// Gives every element room for the targets of its pointers.
fn list_targets(plan: &mut SymmetryPlan) {
    let mut n_targets = 0;
    for domain in &plan.domains {
        let columns = plan.pointers.iter().filter(|column| column.domain.first == domain.first);
        let n_columns = columns.count() as u32;
        for _ in domain.range() {
            plan.first_target.push(n_targets);
            n_targets += n_columns;
        }
    }
    plan.first_target.push(n_targets);
}

/// Lists for every element the tuples that it indexes.
fn list_indexed(plan: &mut SymmetryPlan) {
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(plan.roles.len());
    for (number, tuple) in (0..).zip(&plan.tuples) {
        pairs.extend(plan.roles_of(tuple).iter().map(|role| (role.element, number)));
    }
    pairs.sort_unstable();
    let start_of = |element| pairs.partition_point(|pair| pair.0 < element) as u32;
    plan.first_indexed = (0..=plan.n_elements as u32).map(start_of).collect();
    plan.indexed = pairs.iter().map(|pair| pair.1).collect();
}

/// Finds out which domains have exact keys and which are in no tuple.
fn judge_domains(plan: &mut SymmetryPlan, columns: &[Column]) {
    let mut n_key_bits = vec![0u64; plan.domains.len()];
    plan.pointed_bits = vec![Some(0); plan.domains.len()];
    for column in columns {
        let kind = kind_of(column);
        if let Kind::Plain(domain) | Kind::Pointer(domain) = kind {
            n_key_bits[domain as usize] += u64::from(column.width);
        }
        for &(_, domain) in &column.segments {
            n_key_bits[domain as usize] += u64::from(n_count_bits(kind, &plan.domains));
        }
        if matches!(kind, Kind::Plain(_) | Kind::Value) {
            continue;
        }
        for axis in &column.axes {
            if let Axis::Element { domain, .. } = axis {
                plan.domains[*domain as usize].unrelated = false;
            }
        }
        for &(_, domain) in &column.segments {
            plan.domains[domain as usize].unrelated = false;
        }
        if kind == Kind::Moving {
            involved(column).for_each(|domain| plan.pointed_bits[domain as usize] = None);
        }
    }
    for (domain, n) in plan.domains.iter_mut().zip(n_key_bits) {
        domain.exact = n <= 64;
    }
    for (pointed_bits, domain) in plan.pointed_bits.iter_mut().zip(&plan.domains) {
        *pointed_bits = pointed_bits.filter(|_| domain.exact && !domain.unrelated);
    }
}

/// The domains that a column is indexed by, and those whose elements it holds.
fn involved(column: &Column) -> impl Iterator<Item = u32> {
    let indices = column.axes.iter().filter_map(|axis| match axis {
        Axis::Element { domain, .. } => Some(*domain),
        Axis::Slot { .. } => None,
    });
    indices.chain(column.segments.iter().map(|&(_, domain)| domain))
}

/// Bits of a key that count how often its element is stored in a column.
fn n_count_bits(kind: Kind, domains: &[Domain]) -> u32 {
    match kind {
        Kind::Value => 1,
        Kind::Pointer(domain) => u32::BITS - domains[domain as usize].n.leading_zeros(),
        Kind::Plain(_) | Kind::Moving | Kind::Still => 0,
    }
}

struct Assembly {
    plan: SymmetryPlan,
    /// By multiset.
    first_slots: Vec<u32>,
    /// By domain, how many bits of keys are taken.
    key_bits: Vec<u32>,
}

impl Assembly {
    fn add_slots(&mut self, found: &Columns) -> Option<()> {
        for multiset in &found.multisets {
            self.first_slots.push(self.plan.slots.len() as u32);
            let (mut runs, mut slots) = (Vec::new(), Vec::new());
            self.for_each_place(&multiset.axes, multiset.origin, |place| {
                runs.push(SlotRun { bit: place.bit, stride: multiset.stride, n: multiset.n_slots });
                for slot in 0..multiset.n_slots {
                    let used_bit = place.bit + (slot + 1) * multiset.stride - 1;
                    slots.push(Slot { used_bit, parent: place.slot });
                }
                slots.len() <= MAX_PLACES
            })?;
            self.plan.slots.extend(slots);
            self.plan.runs.extend(runs);
            if self.plan.slots.len() > MAX_PLACES {
                return None;
            }
        }
        // Inner multisets come later in the list and are to be sorted first.
        self.plan.runs.reverse();
        Some(())
    }

    fn add_column(&mut self, column: &Column) {
        let (bit, mask) = (column.origin, mask(column.width));
        match kind_of(column) {
            Kind::Plain(number) => {
                let key = self.key_part(number, column);
                let domain = self.plan.domains[number as usize];
                let stride = stride_of(&column.axes[0]);
                self.plan.plain.push(PlainColumn { bit, stride, mask, domain, key });
            }
            Kind::Value => {
                let coding = self.coding(column);
                self.plan.values.push(ValuePlace { bit, mask, coding });
                clear(&mut self.plan.keep, bit, mask);
            }
            Kind::Pointer(number) => {
                let key = self.key_part(number, column);
                let coding = self.coding(column);
                let domain = self.plan.domains[number as usize];
                let stride = stride_of(&column.axes[0]);
                let pointers = &mut self.plan.pointers;
                let rank = pointers.iter().filter(|other| other.domain.first == domain.first);
                let rank = rank.count() as u32;
                pointers.push(PointerColumn { bit, stride, mask, domain, key, coding, rank });
            }
            Kind::Moving | Kind::Still => {}
        }
    }

    fn key_part(&mut self, domain: u32, column: &Column) -> KeyPart {
        if !self.plan.domains[domain as usize].exact {
            return KeyPart::Hashed(mix(u64::from(column.origin)));
        }
        let shift = self.key_bits[domain as usize];
        self.key_bits[domain as usize] += column.width;
        // The width is at least one, so the shift stays below 64.
        KeyPart::Shifted(shift)
    }

    fn coding(&mut self, column: &Column) -> Coding {
        let n_bits = n_count_bits(kind_of(column), &self.plan.domains);
        let first = self.plan.segments.len() as u32;
        for &(code, number) in &column.segments {
            let domain = self.plan.domains[number as usize];
            let mut key_term = mix(u64::from(column.origin) ^ (code << 32));
            if domain.exact && n_bits > 0 {
                let shift = self.key_bits[number as usize];
                key_term = 1 << shift;
                if let (Kind::Pointer(_), Some(bits)) =
                    (kind_of(column), &mut self.plan.pointed_bits[number as usize])
                {
                    *bits |= mask(n_bits) << shift;
                }
                self.key_bits[number as usize] += n_bits;
            }
            let (n, element) = (u64::from(domain.n), domain.first);
            self.plan.segments.push(Segment { first: code, n, element, key_term });
        }
        Coding { first, n: column.segments.len() as u32 }
    }

    fn add_tuples(&mut self, columns: &[Column]) -> Option<()> {
        // Plain columns are no tuples, but their bits move as well.
        for column in columns.iter().filter(|column| matches!(kind_of(column), Kind::Plain(_))) {
            self.add_places(column, false)?;
        }
        let mut codings =
            self.plan.pointers.iter().map(|p| p.coding).collect::<Vec<_>>().into_iter();
        for column in columns.iter().filter(|column| matches!(kind_of(column), Kind::Pointer(_))) {
            let coding = codings.next().expect("every pointer column has been added");
            self.add_places_with(column, true, coding)?;
        }
        self.plan.n_pointer_tuples = self.plan.tuples.len();
        for column in columns.iter().filter(|column| kind_of(column) == Kind::Moving) {
            self.add_places(column, true)?;
        }
        self.plan.n_moving_tuples = self.plan.tuples.len();
        for column in columns.iter().filter(|column| kind_of(column) == Kind::Still) {
            self.add_places(column, true)?;
        }
        Some(())
    }

    fn add_places(&mut self, column: &Column, are_tuples: bool) -> Option<()> {
        let coding = self.coding(column);
        self.add_places_with(column, are_tuples, coding)
    }

    /// Lists the places of a column, unless they stay clears their bits in `keep`.
    fn add_places_with(&mut self, column: &Column, are_tuples: bool, coding: Coding) -> Option<()> {
        let mask = mask(column.width);
        let moves = kind_of(column) != Kind::Still;
        let mut keep = std::mem::take(&mut self.plan.keep);
        let (mut tuples, mut roles) = (Vec::new(), Vec::new());
        let first_role = self.plan.roles.len();
        let n_left = MAX_PLACES.saturating_sub(self.plan.tuples.len().max(first_role));
        self.for_each_place(&column.axes, column.origin, |place| {
            if moves {
                clear(&mut keep, place.bit, mask);
            }
            if are_tuples {
                tuples.push(Tuple {
                    bit: place.bit,
                    home: place.home,
                    mask,
                    seed: place.seed(column.origin),
                    first_role: (first_role + roles.len()) as u32,
                    n_roles: place.roles.len() as u32,
                    slot: place.slot,
                    coding,
                });
                roles.extend_from_slice(&place.roles);
            }
            tuples.len().max(roles.len()) <= n_left
        })?;
        self.plan.keep = keep;
        self.plan.tuples.extend(tuples);
        self.plan.roles.extend(roles);
        Some(())
    }

    /// Visits all places along `axes`, until the visitor refuses to go on.
    fn for_each_place(
        &self,
        axes: &[Axis],
        origin: u32,
        mut visit: impl FnMut(&ColumnPlace) -> bool,
    ) -> Option<()> {
        let lengths: Vec<u32> = axes.iter().map(|axis| self.length_of(axis)).collect();
        if lengths.contains(&0) {
            return Some(());
        }
        let mut indices = vec![0; axes.len()];
        loop {
            if !visit(&self.place(axes, origin, &indices)) {
                return None;
            }
            // Counts on, the innermost axis fastest.
            let Some(axis) = (0..axes.len()).rev().find(|&axis| indices[axis] + 1 < lengths[axis])
            else {
                return Some(());
            };
            indices[axis] += 1;
            indices[axis + 1..].fill(0);
        }
    }

    fn length_of(&self, axis: &Axis) -> u32 {
        match *axis {
            Axis::Element { domain, .. } => self.plan.domains[domain as usize].n,
            Axis::Slot { n, .. } => n,
        }
    }

    fn place(&self, axes: &[Axis], origin: u32, indices: &[u32]) -> ColumnPlace {
        let mut place = ColumnPlace { bit: origin, home: origin, roles: Vec::new(), slot: NONE };
        let mut instance = 0;
        for (axis, &idx) in axes.iter().zip(indices) {
            instance = instance * self.length_of(axis) + idx;
            place.bit += idx * stride_of(axis);
            match *axis {
                Axis::Element { domain, stride } => {
                    let element = self.plan.domains[domain as usize].first + idx;
                    place.roles.push(Role { element, stride });
                }
                Axis::Slot { multiset, stride, .. } => {
                    place.home += idx * stride;
                    place.slot = self.first_slots[multiset as usize] + instance;
                }
            }
        }
        place
    }
}

/// One of the places of a column.
struct ColumnPlace {
    bit: u32,
    home: u32,
    roles: Vec<Role>,
    slot: u32,
}

impl ColumnPlace {
    /// Tells apart columns, and within a column which indices are equal.
    fn seed(&self, origin: u32) -> u64 {
        let mut seed = mix(u64::from(origin));
        for (number, role) in self.roles.iter().enumerate() {
            let same = |other: &Role| other.element == role.element;
            let first = self.roles.iter().position(same).unwrap_or(number);
            seed = mix(seed ^ first as u64);
        }
        seed
    }
}

fn stride_of(axis: &Axis) -> u32 {
    match *axis {
        Axis::Element { stride, .. } | Axis::Slot { stride, .. } => stride,
    }
}
