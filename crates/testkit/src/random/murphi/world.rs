//! The types and variables of a random Murphi model, small enough that all of its
//! states can be looked at one by one.

use crate::rng::Rng;

/// Index in [`World::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeIdx(pub usize);

/// The type `boolean`, always the first.
pub const BOOLEAN: TypeIdx = TypeIdx(0);

/// The one range, always the second.
const NUMBER: TypeIdx = TypeIdx(1);

/// Variables may have so many values together, undefined ones included.
const MAX_VALUES: u64 = 60_000;

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `first .. last`
    Range {
        /// Smallest value.
        first: i32,
        /// Largest value.
        last: i32,
    },
    /// An enumeration.
    Enum {
        /// Its literals.
        literals: Vec<String>,
    },
    /// `scalarset(n)`
    Scalarset {
        /// Number of elements.
        n: u32,
    },
    /// A scalarset or one literal.
    Union {
        /// The scalarset.
        scalarset: TypeIdx,
        /// The literal.
        literal: String,
    },
    /// A record of simple fields.
    Record {
        /// Names and types.
        fields: Vec<(String, TypeIdx)>,
    },
    /// An array.
    Array {
        /// A simple type.
        index: TypeIdx,
        /// Any type.
        element: TypeIdx,
    },
    /// A multiset.
    Multiset {
        /// Number of slots.
        capacity: u32,
        /// A simple type or a record.
        element: TypeIdx,
    },
}

/// A declared type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// Types and variables.
#[derive(Clone, Debug)]
pub struct World {
    /// All types.
    pub types: Vec<NamedType>,
    /// Names and types of the state variables.
    pub variables: Vec<(String, TypeIdx)>,
}

impl World {
    /// Random types, and two to six variables of them.
    pub fn random(rng: &mut Rng) -> World {
        let boolean = NamedType { name: "boolean".into(), kind: Kind::Boolean };
        let mut world = World { types: vec![boolean], variables: Vec::new() };
        world.add_simple_types(rng);
        world.add_compound_types(rng);
        world.add_variables(rng);
        world
    }

    /// The declarations as text, one on each line.
    pub fn declarations(&self) -> String {
        let mut text = String::from("type\n");
        for ty in &self.types[1..] {
            text.push_str(&format!("  {}: {};\n", ty.name, self.type_text(&ty.kind)));
        }
        text.push_str("var\n");
        for (name, ty) in &self.variables {
            text.push_str(&format!("  {name}: {};\n", self.name(*ty)));
        }
        text
    }

    /// What a type is.
    pub fn kind(&self, ty: TypeIdx) -> &Kind {
        &self.types[ty.0].kind
    }

    /// What a type is called.
    pub fn name(&self, ty: TypeIdx) -> &str {
        &self.types[ty.0].name
    }

    /// Has it values that expressions can have?
    pub fn is_simple(&self, ty: TypeIdx) -> bool {
        !matches!(self.kind(ty), Kind::Record { .. } | Kind::Array { .. } | Kind::Multiset { .. })
    }

    /// Is it a scalarset?
    pub fn is_scalarset(&self, ty: TypeIdx) -> bool {
        matches!(self.kind(ty), Kind::Scalarset { .. })
    }

    /// Is it undefined more often than not? Then reading it needs a test.
    pub fn is_fragile(&self, ty: TypeIdx) -> bool {
        matches!(self.kind(ty), Kind::Scalarset { .. } | Kind::Union { .. })
    }

    /// All simple types that variables are made of, and numbers.
    pub fn simple_types(&self) -> Vec<TypeIdx> {
        self.used_types().into_iter().filter(|ty| self.is_simple(*ty)).collect()
    }

    /// All types that variables are made of, and numbers.
    pub fn used_types(&self) -> Vec<TypeIdx> {
        let mut used = vec![NUMBER];
        let mut open: Vec<TypeIdx> = self.variables.iter().map(|(_, ty)| *ty).collect();
        while let Some(ty) = open.pop() {
            if used.contains(&ty) {
                continue;
            }
            used.push(ty);
            match self.kind(ty) {
                Kind::Record { fields } => open.extend(fields.iter().map(|(_, ty)| *ty)),
                Kind::Array { index, element } => open.extend([*index, *element]),
                Kind::Multiset { element, .. } => open.push(*element),
                Kind::Union { scalarset, .. } => open.push(*scalarset),
                _ => {}
            }
        }
        used.sort();
        used
    }

    fn declared_simple_types(&self) -> Vec<TypeIdx> {
        (0..self.types.len()).map(TypeIdx).filter(|ty| self.is_simple(*ty)).collect()
    }

    fn add(&mut self, name: &str, kind: Kind) -> TypeIdx {
        self.types.push(NamedType { name: name.into(), kind });
        TypeIdx(self.types.len() - 1)
    }

    fn add_simple_types(&mut self, rng: &mut Rng) {
        let first = rng.below(3) as i32 - 1;
        let last = first + rng.between(1, 3) as i32;
        self.add("number", Kind::Range { first, last });
        let literals = (0..rng.between(2, 3)).map(|idx| format!("c{idx}")).collect();
        self.add("colour", Kind::Enum { literals });
        if rng.chance(85) {
            let scalarset = self.add("id", Kind::Scalarset { n: rng.between(2, 3) });
            if rng.chance(40) {
                self.add("link", Kind::Union { scalarset, literal: "nil".into() });
            }
        }
        if rng.chance(25) {
            self.add("key", Kind::Scalarset { n: 2 });
        }
    }

    fn add_compound_types(&mut self, rng: &mut Rng) {
        let simple = self.declared_simple_types();
        let mut elements = simple.clone();
        if rng.chance(50) {
            let n_fields = rng.between(1, 2);
            let fields = (0..n_fields).map(|idx| (format!("f{idx}"), pick(rng, &simple)));
            let fields = fields.collect();
            elements.push(self.add("item", Kind::Record { fields }));
        }
        for idx in 0..rng.between(1, 3) {
            let scalarsets = simple.iter().copied().filter(|ty| self.is_fragile(*ty));
            let scalarsets: Vec<TypeIdx> = scalarsets.collect();
            let by_scalarset = !scalarsets.is_empty() && rng.chance(75);
            let index = pick(rng, if by_scalarset { &scalarsets } else { &simple });
            let element = pick(rng, &elements);
            let array = self.add(&format!("row{idx}"), Kind::Array { index, element });
            if rng.chance(15) {
                elements.push(array);
            }
        }
        if rng.chance(40) {
            elements.retain(|ty| !matches!(self.kind(*ty), Kind::Array { .. }));
            let capacity = rng.between(1, 3);
            let element = pick(rng, &elements);
            let bag = self.add("bag", Kind::Multiset { capacity, element });
            if rng.chance(30) {
                let index = pick(rng, &simple);
                self.add("bags", Kind::Array { index, element: bag });
            }
        }
    }

    fn add_variables(&mut self, rng: &mut Rng) {
        let mut n_values: u64 = 1;
        let wanted = rng.between(2, 6);
        for _ in 0..24 {
            let idx = self.variables.len();
            // The later types are the more interesting ones.
            let compound = rng.chance(65);
            let n_simple = self.declared_simple_types().len() as u32;
            let ty = match compound {
                true => TypeIdx(rng.between(n_simple, self.types.len() as u32 - 1) as usize),
                false => TypeIdx(rng.below(n_simple) as usize),
            };
            let product = n_values.saturating_mul(self.n_values(ty));
            if product <= MAX_VALUES {
                n_values = product;
                self.variables.push((format!("v{idx}"), ty));
            }
            if self.variables.len() as u32 >= wanted {
                break;
            }
        }
        if self.variables.is_empty() {
            self.variables.push(("v0".into(), BOOLEAN));
        }
    }

    fn n_values(&self, ty: TypeIdx) -> u64 {
        match self.kind(ty) {
            Kind::Boolean => 3,
            Kind::Range { first, last } => (last - first + 2) as u64,
            Kind::Enum { literals } => literals.len() as u64 + 1,
            Kind::Scalarset { n } => u64::from(*n) + 1,
            Kind::Union { scalarset, .. } => self.n_values(*scalarset) + 1,
            Kind::Record { fields } => fields
                .iter()
                .fold(1, |product: u64, (_, ty)| product.saturating_mul(self.n_values(*ty))),
            Kind::Array { index, element } => {
                let n_elements = self.n_values(*index) as u32 - 1;
                self.n_values(*element).saturating_pow(n_elements)
            }
            Kind::Multiset { capacity, element } => {
                (self.n_values(*element) + 1).saturating_pow(*capacity)
            }
        }
    }

    fn type_text(&self, kind: &Kind) -> String {
        match kind {
            Kind::Boolean => "boolean".into(),
            Kind::Range { first, last } => format!("{first}..{last}"),
            Kind::Enum { literals } => format!("enum {{ {} }}", literals.join(", ")),
            Kind::Scalarset { n } => format!("scalarset({n})"),
            Kind::Union { scalarset, literal } => {
                format!("union {{ {}, enum {{ {literal} }} }}", self.name(*scalarset))
            }
            Kind::Record { fields } => {
                let fields = fields.iter().map(|(name, ty)| format!("{name}: {};", self.name(*ty)));
                format!("record {} end", fields.collect::<Vec<_>>().join(" "))
            }
            Kind::Array { index, element } => {
                format!("array [{}] of {}", self.name(*index), self.name(*element))
            }
            Kind::Multiset { capacity, element } => {
                format!("multiset [{capacity}] of {}", self.name(*element))
            }
        }
    }
}

/// One of them.
pub fn pick<T: Clone>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize].clone()
}
