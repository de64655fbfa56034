//! Random Murphi models with any number of interchangeable elements, small enough that
//! instances with one to five elements can be searched in the plainest way.
//!
//! The type of elements is `P`, a scalarset of `N` or the subrange `1..N`, and no element is
//! ever told apart from the others but by what rules have done to it. Rules look at and change
//! their own element, another one, one that is named by a variable, or all of them.

mod expr;
mod rules;
mod stmt;

use std::fmt::Write;

use crate::rng::Rng;
use expr::Writer;

/// Variables that a model may have: the name, the type, whether elements must be a scalarset
/// for it, and how often it is there, in percent.
const VARIABLES: [(&str, &str, bool, u32); 18] = [
    ("a", "array[P] of boolean", false, 85),
    ("b", "array[P] of boolean", false, 50),
    ("s", "array[P] of S", false, 40),
    ("c", "array[P] of 0..2", false, 15),
    ("n", "array[P] of P", false, 35),
    ("u", "array[P] of U", true, 15),
    ("r", "array[P] of record b: boolean; o: P; end", false, 15),
    ("m", "array[P] of array[P] of boolean", false, 12),
    ("h", "array[P] of array[0..1] of boolean", false, 8),
    ("x", "P", false, 55),
    ("y", "P", false, 25),
    ("z", "U", true, 15),
    ("q", "array[0..1] of P", false, 15),
    ("g", "M", false, 25),
    ("d", "M", false, 15),
    ("f", "boolean", false, 70),
    ("t", "S", false, 35),
    ("k", "0..2", false, 35),
];

/// Properties that are tried on each model.
const N_CLAIMS: u32 = 10;

/// A random model and claims about it.
#[derive(Clone, Debug)]
pub struct AnyModel {
    /// Everything but the properties.
    pub body: String,
    /// Properties, each a declaration of its own. Nobody knows which of them are true.
    pub claims: Vec<String>,
}

impl AnyModel {
    /// The text of the model with some of the claims.
    pub fn with(&self, claims: &[usize]) -> String {
        let claims = claims.iter().map(|claim| self.claims[*claim].as_str());
        std::iter::once(self.body.as_str()).chain(claims).collect()
    }
}

/// What a model is made of.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The variables that there are, by name.
    variables: Vec<&'static str>,
    /// Is the type of elements a scalarset?
    is_scalarset: bool,
    /// Is `x` always some element?
    has_steady_x: bool,
    /// Is `n` always some element, of all elements?
    has_steady_n: bool,
}

impl World {
    fn random(rng: &mut Rng) -> World {
        let is_scalarset = rng.chance(80);
        let mut variables = Vec::new();
        // Few variables: instances of five elements are searched as well.
        let n_most = rng.between(2, 6) as usize;
        let first = rng.below(VARIABLES.len() as u32) as usize;
        for idx in 0..VARIABLES.len() {
            let (name, _, needs_scalarset, chance) = VARIABLES[(first + idx) % VARIABLES.len()];
            let fits = (is_scalarset || !needs_scalarset) && variables.len() < n_most;
            if rng.chance(chance) && fits {
                variables.push(name);
            }
        }
        if !variables.iter().any(|name| "abs".contains(*name)) {
            variables.push("a");
        }
        let has_steady_x = variables.contains(&"x") && rng.chance(50);
        let has_steady_n = variables.contains(&"n") && rng.chance(60);
        World { variables, is_scalarset, has_steady_x, has_steady_n }
    }

    fn has(&self, name: &str) -> bool {
        self.variables.contains(&name)
    }

    /// May a place be without an element?
    fn may_be_undefined(&self, place: &str) -> bool {
        !(self.has_steady_x && place == "x" || self.has_steady_n && place.starts_with('n'))
    }

    fn declarations(&self) -> String {
        let parameter = if self.is_scalarset { "scalarset(N)" } else { "1..N" };
        let mut text = format!(
            "const N: 3;\ntype P: {parameter};\nS: enum {{ S0, S1, S2 }};\nM: record t: S; o: P; end;\n"
        );
        if self.is_scalarset {
            text.push_str("U: union { P, enum { nil } };\n");
        }
        text.push_str("var\n");
        for (name, ty, ..) in VARIABLES.iter().filter(|(name, ..)| self.has(name)) {
            let _ = writeln!(text, "{name}: {ty};");
        }
        text
    }
}

/// A random model.
pub fn random(rng: &mut Rng) -> AnyModel {
    let world = World::random(rng);
    let mut body = world.declarations();
    let mut writer = Writer::new(rng, &world);
    for _ in 0..writer.rng.below(3) {
        body.push_str(&writer.callable());
    }
    for _ in 0..writer.pick(&[1, 1, 2]) {
        body.push_str(&writer.start());
    }
    for idx in 0..writer.rng.between(2, 5) {
        body.push_str(&writer.rule(idx));
    }
    if writer.rng.chance(5) {
        let mut scope = writer.scope();
        let condition = writer.condition(&mut scope, 3);
        let _ = writeln!(body, "assume \"a\" {condition};");
    }
    let claims = (0..N_CLAIMS).map(|idx| writer.claim(idx)).collect();
    AnyModel { body, claims }
}

#[cfg(test)]
mod tests {
    use super::random;
    use crate::rng::Rng;

    #[test]
    fn the_same_seed_gives_the_same_model() {
        let text = |seed| random(&mut Rng::new(seed)).with(&[0, 1]);
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
    }
}
