//! Random expressions over the variables of a procedure.

use crate::rng::Rng;

/// What an expression may speak of.
pub(super) struct Names {
    pub globals: Vec<String>,
    pub locals: Vec<String>,
    /// Is the last global a lock with an owner?
    pub has_lock: bool,
    /// Is there a label `error` outside of procedures?
    pub has_error: bool,
    /// Is it the dialect in which `main` creates threads?
    pub is_braced: bool,
    /// Do procedures call themselves? Then no local of other threads is assigned.
    pub is_recursive: bool,
    /// Is it `main`, whose locals other threads have as well?
    pub is_main: bool,
}

/// Which kinds of values an expression may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// No `*`.
    Settled,
    /// With primed names, for `constrain`.
    Primed,
    /// With locals of other threads, and no `*`, of which each would be one per thread.
    Passive,
}

const OPERATORS: [&str; 7] = ["&", "|", "^", "=", "!=", "->", "<->"];

impl Names {
    /// Variables that can be assigned.
    pub fn assignable(&self) -> Vec<&str> {
        let n_globals = self.globals.len() - usize::from(self.has_lock);
        let all = self.globals[..n_globals].iter().chain(&self.locals);
        all.map(String::as_str).collect()
    }

    pub fn any<'a>(&'a self, rng: &mut Rng) -> &'a str {
        let idx = rng.below((self.globals.len() + self.locals.len()) as u32) as usize;
        self.globals.iter().chain(&self.locals).nth(idx).map_or("1", String::as_str)
    }

    /// A random expression of at most `depth` operators on top of each other.
    pub fn expr(&self, rng: &mut Rng, kind: Kind, depth: u32) -> String {
        if depth == 0 || rng.chance(30) {
            return self.leaf(rng, kind);
        }
        let operand = |rng: &mut Rng| self.expr(rng, kind, depth - 1);
        let has_choices = matches!(kind, Kind::Plain | Kind::Primed);
        match rng.below(10) {
            0 | 1 => format!("!{}", self.leaf(rng, kind)),
            2 if has_choices => format!("schoose[{}, {}]", operand(rng), operand(rng)),
            3 => format!("({} ? {} : {})", operand(rng), operand(rng), operand(rng)),
            // Without parentheses, so that both sides must agree on what binds how.
            4 | 5 => {
                let (first, second) = (operator(rng), operator(rng));
                let leaves: Vec<String> = (0..3).map(|_| self.leaf(rng, kind)).collect();
                format!("({} {first} {} {second} {})", leaves[0], leaves[1], leaves[2])
            }
            _ => format!("({} {} {})", operand(rng), operator(rng), operand(rng)),
        }
    }

    /// A condition that a procedure enforces.
    pub fn enforcement(&self, rng: &mut Rng) -> String {
        format!("enforce({});", self.expr(rng, Kind::Settled, 1))
    }

    fn leaf(&self, rng: &mut Rng, kind: Kind) -> String {
        let has_choices = matches!(kind, Kind::Plain | Kind::Primed);
        match rng.below(12) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 | 3 if has_choices => "*".to_owned(),
            4..=6 if kind == Kind::Primed => format!("'{}", self.any(rng)),
            4..=6 if kind == Kind::Passive && !self.locals.is_empty() => {
                let idx = rng.below(self.locals.len() as u32) as usize;
                format!("{}$", self.locals[idx])
            }
            _ => self.any(rng).to_owned(),
        }
    }
}

fn operator(rng: &mut Rng) -> &'static str {
    OPERATORS[rng.below(OPERATORS.len() as u32) as usize]
}
