//! Replaces conditions that have the same value whatever defined values their
//! variables hold, as rumur's `--smt-simplification` does.
//!
//! Changes the meaning of a model on purpose: `x = 1 | x != 1` is then true even
//! where reading `x` would be an error. Only done when the user asks for it.
//! A condition is decided by trying all values, so nothing is replaced where there
//! are more than [`MAX_CASES`] of them, or where the condition calls functions,
//! looks at multisets or has an index that is not constant.

use std::collections::BTreeMap;

use super::resolve::constant;
use super::typed::{
    BinaryOp, Domain, Expr, ExprKind, Local, LocalId, LocalKind, Place, Program, Projection, Root,
    Stmt, StmtKind, TypeId, Types, UnaryOp,
};

/// Combinations of values that are tried for one condition.
const MAX_CASES: u64 = 1 << 14;
/// Evaluations spent on one condition, those inside of quantifiers included.
const MAX_EVALUATIONS: u64 = 1 << 20;

/// Simplifies all conditions of `program`.
pub fn simplify(program: &mut Program) {
    let Program { types, variables, functions, starts, rules, properties, .. } = program;
    let variables: Vec<TypeId> = variables.iter().map(|variable| variable.ty).collect();
    for rule in starts.iter_mut().chain(rules) {
        let scope = Scope { types, variables: &variables, locals: &rule.locals };
        if let Some(guard) = &mut rule.guard {
            scope.condition(guard);
        }
        scope.statements(&mut rule.body);
    }
    for function in functions {
        let scope = Scope { types, variables: &variables, locals: &function.locals };
        scope.statements(&mut function.body);
    }
    for property in properties {
        let scope = Scope { types, variables: &variables, locals: &property.locals };
        scope.condition(&mut property.condition);
    }
}

struct Scope<'a> {
    types: &'a Types,
    variables: &'a [TypeId],
    locals: &'a [Local],
}

/// A place that is the same in every evaluation: fields and constant indices.
type Key = (bool, u32, Vec<i64>);

/// The unknowns of a condition, with their types and, in each case, their values.
type Unknowns = BTreeMap<Key, (TypeId, i64)>;

impl Scope<'_> {
    fn statements(&self, statements: &mut [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::If(arms) => {
                for (condition, body) in arms {
                    if let Some(condition) = condition {
                        self.condition(condition);
                    }
                    self.statements(body);
                }
            }
            StmtKind::While(condition, body) => {
                self.condition(condition);
                self.statements(body);
            }
            StmtKind::For { body, .. } | StmtKind::Alias { body, .. } => self.statements(body),
            StmtKind::Switch { arms, otherwise, .. } => {
                for (_, body) in arms {
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StmtKind::Assert(condition, _)
            | StmtKind::Assume(condition)
            | StmtKind::Cover(condition, _) => self.condition(condition),
            _ => {}
        }
    }

    /// Replaces `condition`, or those of its parts that can be decided.
    fn condition(&self, condition: &mut Expr) {
        if matches!(condition.kind, ExprKind::Constant(_)) {
            return;
        }
        if let Some(value) = self.decide(condition) {
            condition.kind = ExprKind::Constant(i64::from(value));
            condition.bounds = (i64::from(value), i64::from(value));
            return;
        }
        match &mut condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, right) => {
                self.condition(left);
                self.condition(right);
            }
            _ => {}
        }
    }

    /// The value that `condition` has in all cases.
    fn decide(&self, condition: &Expr) -> Option<bool> {
        let mut unknowns = Unknowns::new();
        self.collect(condition, &mut Vec::new(), &mut unknowns)?;
        let mut n_cases: u64 = 1;
        for (ty, _) in unknowns.values() {
            n_cases = n_cases.checked_mul(self.types.n_values(*ty)).filter(|n| *n <= MAX_CASES)?;
        }
        let mut left = MAX_EVALUATIONS;
        let mut common = None;
        for case in 0..n_cases {
            let mut rest = case;
            for (ty, value) in unknowns.values_mut() {
                let n_values = self.types.n_values(*ty);
                *value = self.types.value_of(*ty, rest % n_values + 1)?;
                rest /= n_values;
            }
            let mut case = Case { types: self.types, unknowns: &unknowns, bound: Vec::new() };
            let value = case.value(condition, &mut left)? != 0;
            if *common.get_or_insert(value) != value {
                return None;
            }
        }
        common
    }

    /// Finds the unknowns of `expr`; `None` when it has parts that are not tried.
    fn collect(
        &self,
        expr: &Expr,
        bound: &mut Vec<LocalId>,
        unknowns: &mut Unknowns,
    ) -> Option<()> {
        match &expr.kind {
            ExprKind::Constant(_) => Some(()),
            ExprKind::Read(place) => {
                if let Root::Local(local) = place.root
                    && bound.contains(&local)
                {
                    return place.path.is_empty().then_some(());
                }
                let key = self.key(place)?;
                unknowns.insert(key, (place.ty, 0));
                Some(())
            }
            ExprKind::Unary(_, inner) => self.collect(inner, bound, unknowns),
            ExprKind::Binary(_, left, right) => {
                self.collect(left, bound, unknowns)?;
                self.collect(right, bound, unknowns)
            }
            ExprKind::Conditional(condition, left, right) => {
                self.collect(condition, bound, unknowns)?;
                self.collect(left, bound, unknowns)?;
                self.collect(right, bound, unknowns)
            }
            ExprKind::Quantified { local, domain, body, .. } => {
                if let Domain::Range { from, to, by } = domain {
                    for bound_expr in [from, to, by] {
                        self.collect(bound_expr, bound, unknowns)?;
                    }
                }
                bound.push(*local);
                let found = self.collect(body, bound, unknowns);
                bound.pop();
                found
            }
            _ => None,
        }
    }

    fn key(&self, place: &Place) -> Option<Key> {
        let (is_local, number) = match place.root {
            Root::Variable(idx) => {
                self.variables.get(idx as usize)?;
                (false, idx)
            }
            Root::Local(local) => {
                // What a reference names may be the same as another unknown.
                let kind = self.locals.get(local.0 as usize)?.kind;
                if !matches!(kind, LocalKind::Value | LocalKind::Variable) {
                    return None;
                }
                (true, local.0)
            }
        };
        let steps = place.path.iter().map(|step| match step {
            Projection::Field(field) => Some(i64::from(*field)),
            Projection::Index(Expr { kind: ExprKind::Constant(value), .. }) => Some(*value),
            Projection::Index(_) | Projection::Slot(_) => None,
        });
        Some((is_local, number, steps.collect::<Option<_>>()?))
    }
}

/// One combination of values.
struct Case<'a> {
    types: &'a Types,
    unknowns: &'a Unknowns,
    bound: Vec<(LocalId, i64)>,
}

impl Case<'_> {
    /// The value of `expr` here; `None` when it has none or takes too long.
    fn value(&mut self, expr: &Expr, left: &mut u64) -> Option<i64> {
        *left = left.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Constant(value) => Some(*value),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, inner) => {
                let inner = self.value(inner, left)?;
                constant::unary(*op, inner)
            }
            ExprKind::Binary(op, one, other) => {
                let one = self.value(one, left)?;
                match (op, one != 0) {
                    (BinaryOp::And, false) => return Some(0),
                    (BinaryOp::Or, true) | (BinaryOp::Implies, false) => return Some(1),
                    _ => {}
                }
                let other = self.value(other, left)?;
                constant::binary(*op, one, other)
            }
            ExprKind::Conditional(condition, yes, no) => {
                let branch = if self.value(condition, left)? != 0 { yes } else { no };
                self.value(branch, left)
            }
            ExprKind::Quantified { forall, local, domain, body } => {
                let values = self.domain(domain, left)?;
                for value in values {
                    self.bound.push((*local, value));
                    let holds = self.value(body, left);
                    self.bound.pop();
                    if (holds? != 0) != *forall {
                        return Some(i64::from(!*forall));
                    }
                }
                Some(i64::from(*forall))
            }
            _ => None,
        }
    }

    fn read(&self, place: &Place) -> Option<i64> {
        if let Root::Local(local) = place.root
            && let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| *bound == local)
        {
            return Some(*value);
        }
        let scope = place.path.iter().map(|step| match step {
            Projection::Field(field) => Some(i64::from(*field)),
            Projection::Index(Expr { kind: ExprKind::Constant(value), .. }) => Some(*value),
            _ => None,
        });
        let path = scope.collect::<Option<Vec<i64>>>()?;
        let key = match place.root {
            Root::Variable(idx) => (false, idx, path),
            Root::Local(local) => (true, local.0, path),
        };
        self.unknowns.get(&key).map(|unknown| unknown.1)
    }

    fn domain(&mut self, domain: &Domain, left: &mut u64) -> Option<Vec<i64>> {
        match domain {
            Domain::Type(ty) => {
                let n_values = self.types.n_values(*ty);
                (n_values <= MAX_CASES).then_some(())?;
                (1..=n_values).map(|code| self.types.value_of(*ty, code)).collect()
            }
            Domain::Range { from, to, by } => {
                let (from, to) = (self.value(from, left)?, self.value(to, left)?);
                let by = self.value(by, left)?;
                let mut values = Vec::new();
                let mut next = from;
                while by != 0 && (if by > 0 { next <= to } else { next >= to }) {
                    (values.len() as u64 <= MAX_CASES).then_some(())?;
                    values.push(next);
                    next = next.checked_add(by)?;
                }
                (by != 0).then_some(values)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::typed::{ExprKind, StmtKind};
    use super::super::{ReadOptions, read};
    use super::simplify;

    /// The condition of the first `if` of the first rule, after simplification.
    fn decided(declarations: &str, condition: &str) -> Option<bool> {
        let text = format!(
            "var {declarations} z: boolean; startstate z := true; end; \
             rule \"r\" begin if {condition} then z := !z; end; end;"
        );
        let options = ReadOptions::default();
        let (reader, diagnostics) = read(&text, 0, &options);
        let mut program = reader.unwrap_or_else(|| panic!("{diagnostics:?}")).program;
        simplify(&mut program);
        let StmtKind::If(arms) = &program.rules[0].body[0].kind else { panic!("no if") };
        match arms[0].0.as_ref().expect("it has a condition").kind {
            ExprKind::Constant(value) => Some(value != 0),
            _ => None,
        }
    }

    #[test]
    fn a_condition_with_one_value_for_all_values_is_replaced() {
        assert_eq!(decided("x: 4..6;", "x >= 4 & 6 >= x"), Some(true));
        assert_eq!(decided("x: boolean;", "x & !x"), Some(false));
        assert_eq!(decided("x: 64..66;", "1 << x = 0 & 4 >> (x - 66) >= 4"), Some(true));
        assert_eq!(decided("x: boolean;", "x | forall i: 1..2 do i = 1 | i = 2 end"), Some(true));
        assert_eq!(
            decided("x: record a: array[0..1] of 0..1; end;", "x.a[0] = x.a[0]"),
            Some(true)
        );
    }

    #[test]
    fn a_condition_that_depends_on_a_variable_stays() {
        assert_eq!(decided("x: 4..6;", "x > 4"), None);
        assert_eq!(decided("x: 4..6;", "10 / (x - 4) >= 0"), None);
        assert_eq!(decided("x: 0..1000000000;", "x >= 0"), None);
    }
}
