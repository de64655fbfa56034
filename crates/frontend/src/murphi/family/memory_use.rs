//! What a model does with nodes that would not be the same for any number of them.

use model::{Diagnostic, Span};

use crate::murphi::typed::{
    Argument, BinaryOp, Domain, Expr, ExprKind, LocalId, Place, Program, Projection, Root, Stmt,
    StmtKind, TypeId, TypeKind, Types, UnaryOp,
};
use crate::murphi::visit::Visit;

use super::memory::NodeType;
use super::scope::{Elements, Refused, refuse};

/// Refuses what is not the same for any number of nodes.
pub(super) fn check(program: &Program, elements: &Elements, nodes: &NodeType) -> Refused<()> {
    for (ty, idx) in program.types.all.iter().zip(0..) {
        if let TypeKind::Union { members } = &ty.kind
            && members.contains(&nodes.ty)
            && members.contains(&elements.ty)
        {
            let (name, other) = (&nodes.name, &program.types.get(elements.ty).name);
            let what = format!("a union of `{name}` and `{other}` is not supported");
            let uses_it = program.variables.iter().find(|variable| variable.ty == TypeId(idx));
            return refuse(what, uses_it.map_or(Span::new(0, 0, 0), |variable| variable.span));
        }
    }
    for property in &program.properties {
        let n = claimed(program, (elements, nodes), &property.condition, true);
        if n > 1 {
            let what = format!(
                "a property may speak of one element or one of `{}` at a time, and this one speaks \
                 of {n}",
                nodes.name
            );
            return refuse(what, property.span);
        }
    }
    let mut uses = Uses { program, nodes, refused: None };
    program.functions.iter().for_each(|function| uses.block(&function.body));
    for rule in &program.rules {
        rule.guard.iter().for_each(|guard| uses.expr(guard));
        uses.block(&rule.body);
    }
    program.assumptions.iter().for_each(|assumption| uses.expr(&assumption.condition));
    uses.refused.map_or(Ok(()), Err)
}

/// The number of elements and nodes that a claim speaks of at the same time.
fn claimed(program: &Program, kinds: (&Elements, &NodeType), expr: &Expr, positive: bool) -> usize {
    let of = |expr: &Expr, positive| claimed(program, kinds, expr, positive);
    let both = |expr: &Expr| of(expr, true).max(of(expr, false));
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => of(operand, !positive),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
            let left = of(left, positive != (*op == BinaryOp::Implies));
            let right = of(right, positive);
            if (*op == BinaryOp::And) == positive { left.max(right) } else { left + right }
        }
        // Both implications, each of which is seen by itself.
        ExprKind::Binary(BinaryOp::Eq, left, right) if positive => {
            (of(left, false) + of(right, true)).max(of(left, true) + of(right, false))
        }
        ExprKind::Binary(_, left, right) => both(left) + both(right),
        ExprKind::Conditional(asked, left, right) => {
            both(asked) + of(left, positive).max(of(right, positive))
        }
        ExprKind::Quantified { forall, domain, body, .. } => {
            let inner = of(body, positive);
            match *forall == positive {
                true => usize::from(binds(program, kinds, domain)) + inner,
                // "There is one such that for all" is not what each view by itself may find
                // another one for, of whatever type.
                false => inner + usize::from(inner > 0),
            }
        }
        ExprKind::Let { target, body, .. } => {
            let mut bound = Bound { program, kinds, n: 0 };
            bound.argument(target);
            bound.n + of(body, positive)
        }
        ExprKind::SamePlace { left, .. } => usize::from(is_over(&program.types, kinds.1, left.ty)),
        // An argument or an index: it matters whether it is true and whether it is false.
        _ => {
            let mut bound = Bound { program, kinds, n: 0 };
            bound.parts_of_expr(expr);
            bound.n
        }
    }
}

/// Does a quantifier over this domain bind elements or nodes?
fn binds(program: &Program, (elements, nodes): (&Elements, &NodeType), domain: &Domain) -> bool {
    match domain {
        Domain::Type(ty) => {
            elements.are_in(&program.types, *ty) || nodes.is_in(&program.types, *ty)
        }
        Domain::Range { .. } => false,
    }
}

/// Counts what speaks of all elements, or of all nodes.
struct Bound<'a> {
    program: &'a Program,
    kinds: (&'a Elements, &'a NodeType),
    n: usize,
}

impl Visit for Bound<'_> {
    fn expr(&mut self, expr: &Expr) {
        let says_something_of_all = match &expr.kind {
            ExprKind::Quantified { domain, .. } => binds(self.program, self.kinds, domain),
            ExprKind::SamePlace { left, .. } => is_over(&self.program.types, self.kinds.1, left.ty),
            _ => false,
        };
        self.n += usize::from(says_something_of_all);
        self.parts_of_expr(expr);
    }
}

/// Is something within values of this type an array over nodes?
fn is_over(types: &Types, nodes: &NodeType, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Array { index, element } => {
            nodes.is_in(types, *index) || is_over(types, nodes, *element)
        }
        TypeKind::Record { fields } => fields.iter().any(|(_, ty)| is_over(types, nodes, *ty)),
        _ => false,
    }
}

struct Uses<'a> {
    program: &'a Program,
    nodes: &'a NodeType,
    refused: Option<Box<Diagnostic>>,
}

impl Visit for Uses<'_> {
    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::For { local, domain, body } if self.is_of_nodes(domain) => {
                self.loop_over_nodes(*local, body, statement.span);
            }
            StmtKind::Assign(place, source) => {
                self.written(place);
                if let Argument::Place(from) = source {
                    self.written(from);
                }
            }
            StmtKind::Clear(place) => {
                if self.nodes.is_in(&self.program.types, place.ty) {
                    self.refuse("`clear` of a name of", statement.span);
                }
                self.written(place);
            }
            StmtKind::Undefine(place) => self.written(place),
            _ => {}
        }
        self.parts_of_statement(statement);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Quantified { domain, .. } if self.is_of_nodes(domain) => {
                self.refuse("a quantifier over all", expr.span);
            }
            // Arrays of names too: what is told is whether all nodes are alike.
            ExprKind::SamePlace { left, .. }
                if is_over(&self.program.types, self.nodes, left.ty) =>
            {
                self.refuse("a comparison of what belongs to all", expr.span);
            }
            _ => {}
        }
        self.parts_of_expr(expr);
    }
}

impl Uses<'_> {
    fn is_of_nodes(&self, domain: &Domain) -> bool {
        matches!(domain, Domain::Type(ty) if self.nodes.is_in(&self.program.types, *ty))
    }

    fn loop_over_nodes(&mut self, node: LocalId, body: &[Stmt], span: Span) {
        if !body.iter().all(|statement| self.is_by_node(node, statement)) {
            self.refuse("a loop over all", span);
        }
    }

    fn refuse(&mut self, what: &str, span: Span) {
        let what =
            format!("{what} `{}` in a rule does something that depends on others", self.nodes.name);
        if let (None, Err(diagnostic)) = (&self.refused, refuse::<()>(what, span)) {
            self.refused = Some(diagnostic);
        }
    }

    /// What is written or compared is not what belongs to all nodes at once.
    fn written(&mut self, place: &Place) {
        if matches!(place.root, Root::Variable(_))
            && is_over(&self.program.types, self.nodes, place.ty)
        {
            self.refuse("what belongs to all", place.span);
        }
    }

    /// Is a value computed by a function that changes something, once for each node?
    fn has_effects(&self, source: &Argument) -> bool {
        matches!(source, Argument::Value(Expr { kind: ExprKind::Call(function, _), .. })
            if self.program.functions[function.0 as usize].has_effects)
    }

    /// Does a statement change what belongs to one node alone, or a local array there?
    fn is_by_node(&self, node: LocalId, statement: &Stmt) -> bool {
        let is_own = |place: &Place| {
            matches!(place.path.first(), Some(Projection::Index(index))
                if matches!(&index.kind, ExprKind::Read(name)
                    if name.path.is_empty() && name.root == Root::Local(node)))
        };
        match &statement.kind {
            StmtKind::Assign(place, source) => is_own(place) && !self.has_effects(source),
            StmtKind::Undefine(place) | StmtKind::Clear(place) => is_own(place),
            StmtKind::If(arms) => {
                arms.iter().flat_map(|(_, body)| body).all(|part| self.is_by_node(node, part))
            }
            _ => false,
        }
    }
}
