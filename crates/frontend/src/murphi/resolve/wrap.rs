//! Functions that give records, arrays or multisets.
//!
//! Such a function becomes a procedure that writes its result to one more `var`
//! parameter. Where the result is used inside an expression, a function is made
//! that has a variable for it and does what the expression asks: one that gives
//! `f(x).y` for an `x`, or one that gives `g(f(x))`.
//!
//! The other arguments of `g` are evaluated before that function is called, and so before
//! `f`. Where `f` changes something, that would not be the order in which they are written,
//! and the model is refused (`effects.rs`).

use model::Span;

use super::super::typed::{
    Argument, Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind, Place, Projection,
    Root, Stmt, StmtKind, TypeId, TypeKind,
};
use super::call::Passed;
use super::{Outcome, Resolver, Signature, Ty};

/// A call with a whole result, or a part of the result.
pub(super) struct WholeCall {
    pub function: FunctionId,
    pub arguments: Vec<Argument>,
    /// The part.
    pub path: Vec<Projection>,
    /// The type of the part.
    pub ty: TypeId,
    pub span: Span,
}

/// A function in the making.
struct Wrapper {
    n_parameters: u32,
    parameters: Vec<Local>,
    variables: Vec<Local>,
    /// What the caller passes.
    arguments: Vec<Argument>,
    body: Vec<Stmt>,
    span: Span,
}

impl Resolver<'_> {
    /// A simple part of a whole result.
    pub(super) fn simple_result(&mut self, call: WholeCall) -> Option<(Expr, Ty)> {
        let WholeCall { function, arguments, path, ty, span } = call;
        if !self.program.types.is_simple(ty) {
            let message = format!("a simple value is expected here, not {}", self.type_name(ty));
            return self.fail("MU008", message, span);
        }
        let whole = self.whole(function);
        let n_steps = path.iter().filter(|step| !matches!(step, Projection::Field(_))).count();
        if n_steps > 0 {
            self.made_late.push((function, span));
        }
        let mut wrapper = Wrapper::new(arguments.len() + n_steps, span);
        let inner = self.forward(&mut wrapper, function, arguments);
        let path = self.forward_path(&mut wrapper, whole, path);
        let result = wrapper.variable(whole);
        wrapper.call_into(function, inner, result);
        let bounds = self.program.types.bounds(ty);
        let place = Place { root: Root::Local(result), path, ty, span };
        let value = Expr { kind: ExprKind::Read(Box::new(place)), bounds, span };
        wrapper.push(StmtKind::Return(Some(value)));
        let name = format!("part of {}", self.function_name(function));
        let (function, arguments) = self.add_wrapper(wrapper, name, Outcome::Simple(ty));
        let kind = ExprKind::Call(function, arguments);
        Some((Expr { kind, bounds, span }, self.ty(ty)))
    }

    /// The call without whole results among the arguments.
    pub(super) fn without_whole_calls(
        &mut self,
        function: FunctionId,
        passed: Vec<Passed>,
        span: Span,
    ) -> (FunctionId, Vec<Argument>) {
        if passed.iter().all(|one| matches!(one, Passed::Argument(_))) {
            let arguments = passed.into_iter().filter_map(Passed::argument).collect();
            return (function, arguments);
        }
        let signature = self.signature(function).clone();
        let is_whole = matches!(signature.result, Outcome::Whole(_));
        let n_arguments: usize = passed.iter().map(Passed::n_arguments).sum();
        let has_others = passed.len() > 1;
        let mut wrapper = Wrapper::new(n_arguments + usize::from(is_whole), span);
        let mut inner = Vec::new();
        for (one, (ty, is_var)) in passed.into_iter().zip(&signature.parameters) {
            inner.push(match one {
                Passed::Argument(argument) => wrapper.parameter(*ty, *is_var, argument),
                Passed::Whole(call) => {
                    if has_others {
                        self.made_late.push((call.function, call.span));
                    }
                    let arguments = self.forward(&mut wrapper, call.function, call.arguments);
                    let result = wrapper.variable(call.ty);
                    wrapper.call_into(call.function, arguments, result);
                    result
                }
            });
        }
        self.pass_on(&mut wrapper, function, inner, signature.result);
        let name = format!("{} of another", self.function_name(function));
        self.add_wrapper(wrapper, name, signature.result)
    }

    /// Ends a wrapper with a call whose result is its own.
    fn pass_on(
        &self,
        wrapper: &mut Wrapper,
        function: FunctionId,
        inner: Vec<LocalId>,
        result: Outcome,
    ) {
        match result {
            Outcome::Simple(ty) => {
                let (span, bounds) = (wrapper.span, self.program.types.bounds(ty));
                let kind = ExprKind::Call(function, wrapper.places(&inner));
                wrapper.push(StmtKind::Return(Some(Expr { kind, bounds, span })));
            }
            Outcome::Nothing => {
                let arguments = wrapper.places(&inner);
                wrapper.push(StmtKind::Call(function, arguments));
            }
            Outcome::Whole(ty) => {
                let result = wrapper.result(ty);
                wrapper.call_into(function, inner, result);
            }
        }
    }

    /// Parameters of the wrapper for all parameters of `function`.
    fn forward(
        &self,
        wrapper: &mut Wrapper,
        function: FunctionId,
        arguments: Vec<Argument>,
    ) -> Vec<LocalId> {
        let parameters = &self.signature(function).parameters;
        let both = parameters.iter().zip(arguments);
        both.map(|(&(ty, is_var), argument)| wrapper.parameter(ty, is_var, argument)).collect()
    }

    /// The same path with parameters of the wrapper as indices.
    fn forward_path(
        &mut self,
        wrapper: &mut Wrapper,
        whole: TypeId,
        path: Vec<Projection>,
    ) -> Vec<Projection> {
        let mut ty = whole;
        let mut result = Vec::new();
        for step in path {
            let (index, is_slot) = match step {
                Projection::Field(idx) => {
                    ty = self.part(ty, idx);
                    result.push(Projection::Field(idx));
                    continue;
                }
                Projection::Index(index) => (index, false),
                Projection::Slot(index) => (index, true),
            };
            let index_ty = match *self.program.types.kind(ty) {
                TypeKind::Array { index, .. } => index,
                TypeKind::Multiset { capacity, .. } => {
                    let slot = self.intern(TypeKind::Slot { capacity }, "", index.span);
                    slot.expect("a type without parts is not deep")
                }
                _ => ty,
            };
            ty = self.part(ty, 0);
            let (bounds, span) = (index.bounds, index.span);
            let local = wrapper.parameter(index_ty, false, Argument::Value(index));
            let place = Place { root: Root::Local(local), path: Vec::new(), ty: index_ty, span };
            let index = Expr { kind: ExprKind::Read(Box::new(place)), bounds, span };
            result.push(if is_slot { Projection::Slot(index) } else { Projection::Index(index) });
        }
        result
    }

    /// The type of a field, or of an element.
    fn part(&self, ty: TypeId, idx: u32) -> TypeId {
        match self.program.types.kind(ty) {
            TypeKind::Record { fields } => fields[idx as usize].1,
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => *element,
            _ => ty,
        }
    }

    fn whole(&self, function: FunctionId) -> TypeId {
        match self.signature(function).result {
            Outcome::Whole(ty) | Outcome::Simple(ty) => ty,
            Outcome::Nothing => super::BOOLEAN,
        }
    }

    fn function_name(&self, function: FunctionId) -> &str {
        &self.program.functions[function.0 as usize].name
    }

    fn add_wrapper(
        &mut self,
        wrapper: Wrapper,
        name: String,
        result: Outcome,
    ) -> (FunctionId, Vec<Argument>) {
        let Wrapper { n_parameters, parameters, variables, arguments, body, span } = wrapper;
        let n_written = parameters.len() - usize::from(matches!(result, Outcome::Whole(_)));
        let written = parameters[..n_written].iter();
        let signature = Signature {
            parameters: written
                .map(|local| (local.ty, local.kind == LocalKind::Reference))
                .collect(),
            result,
        };
        let returns = match result {
            Outcome::Simple(ty) => Some(ty),
            _ => None,
        };
        let locals = parameters.into_iter().chain(variables).collect();
        let has_effects = false;
        let function = Function { name, n_parameters, locals, returns, body, has_effects, span };
        self.program.functions.push(function);
        self.known.signatures.push(signature);
        (FunctionId(self.program.functions.len() as u32 - 1), arguments)
    }
}

impl Wrapper {
    fn new(n_parameters: usize, span: Span) -> Wrapper {
        Wrapper {
            n_parameters: n_parameters as u32,
            parameters: Vec::new(),
            variables: Vec::new(),
            arguments: Vec::new(),
            body: Vec::new(),
            span,
        }
    }

    /// One more parameter, for which the caller passes `argument`.
    fn parameter(&mut self, ty: TypeId, is_var: bool, argument: Argument) -> LocalId {
        let kind = if is_var { LocalKind::Reference } else { LocalKind::ReadOnly };
        self.arguments.push(argument);
        self.add_parameter(ty, kind)
    }

    /// The parameter for a whole result, behind all others.
    fn result(&mut self, ty: TypeId) -> LocalId {
        self.add_parameter(ty, LocalKind::Reference)
    }

    fn add_parameter(&mut self, ty: TypeId, kind: LocalKind) -> LocalId {
        let name = format!("p{}", self.parameters.len());
        self.parameters.push(Local { name, ty, kind, span: self.span });
        LocalId(self.parameters.len() as u32 - 1)
    }

    fn variable(&mut self, ty: TypeId) -> LocalId {
        let name = format!("v{}", self.variables.len());
        let kind = LocalKind::Variable;
        self.variables.push(Local { name, ty, kind, span: self.span });
        LocalId(self.n_parameters + self.variables.len() as u32 - 1)
    }

    fn call_into(&mut self, function: FunctionId, mut inner: Vec<LocalId>, result: LocalId) {
        inner.push(result);
        let arguments = self.places(&inner);
        self.push(StmtKind::Call(function, arguments));
    }

    fn places(&self, locals: &[LocalId]) -> Vec<Argument> {
        let place = |local: &LocalId| {
            let ty = match local.0.checked_sub(self.n_parameters) {
                Some(idx) => self.variables[idx as usize].ty,
                None => self.parameters[local.0 as usize].ty,
            };
            let (root, path, span) = (Root::Local(*local), Vec::new(), self.span);
            Argument::Place(Place { root, path, ty, span })
        };
        locals.iter().map(place).collect()
    }

    fn push(&mut self, kind: StmtKind) {
        self.body.push(Stmt { kind, span: self.span });
    }
}

impl Passed {
    fn argument(self) -> Option<Argument> {
        match self {
            Passed::Argument(argument) => Some(argument),
            Passed::Whole(_) => None,
        }
    }

    /// Number of parameters that a wrapper needs for it.
    fn n_arguments(&self) -> usize {
        match self {
            Passed::Argument(_) => 1,
            Passed::Whole(call) => call.arguments.len(),
        }
    }
}
