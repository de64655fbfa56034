//! Functions and procedures. A function is known from its own body on.

use super::super::ast::{Function, Name, Parameter};
use super::super::typed::{self, FunctionId, LocalKind, Stmt, StmtKind, TypeId};
use super::scope::Symbol;
use super::{Outcome, Owner, Resolver, Signature};

impl Resolver<'_> {
    /// Resolves a function and declares it.
    pub(super) fn function(&mut self, written: &Function) {
        // Types are found before the names of parameters can hide them.
        let result = match &written.returns {
            Some(ty) => self.type_of(ty, "").map(|ty| self.outcome(ty)),
            None => Some(Outcome::Nothing),
        };
        let types: Vec<Option<TypeId>> =
            written.parameters.iter().map(|group| self.type_of(&group.ty, "")).collect();
        let known = match (result, types.iter().copied().collect::<Option<Vec<_>>>()) {
            (Some(result), Some(types)) => Some((result, types)),
            _ => None,
        };
        let id = known.map(|(result, types)| self.announce(written, result, &types));
        self.declare(&written.name, id.map_or(Symbol::Bad, Symbol::Function));
        self.owner =
            Owner { function: Some(result.unwrap_or(Outcome::Nothing)), ..Owner::default() };
        self.known.scopes.open();
        for (group, ty) in written.parameters.iter().zip(&types) {
            self.bind_parameters(group, *ty);
        }
        let n_parameters = self.bind_result(&written.name);
        self.known.scopes.open();
        written.decls.iter().for_each(|decl| self.decl(decl));
        // A function whose type is unknown would give errors at each `return`.
        if id.is_some() {
            let mut body = self.stmts(&written.body);
            self.end_body(&mut body, &written.name);
            self.complete(id, n_parameters, body);
        }
        self.known.scopes.close();
        self.known.scopes.close();
        self.owner = Owner::default();
    }

    fn outcome(&self, ty: TypeId) -> Outcome {
        if self.program.types.is_simple(ty) { Outcome::Simple(ty) } else { Outcome::Whole(ty) }
    }

    /// Makes room for the function, so that it can call itself.
    fn announce(&mut self, written: &Function, result: Outcome, types: &[TypeId]) -> FunctionId {
        let groups = written.parameters.iter().zip(types);
        let parameters = groups
            .flat_map(|(group, ty)| group.names.iter().map(|_| (*ty, group.is_var)))
            .collect();
        self.known.signatures.push(Signature { parameters, result });
        let returns = match result {
            Outcome::Simple(ty) => Some(ty),
            _ => None,
        };
        self.program.functions.push(typed::Function {
            name: written.name.text.clone(),
            n_parameters: 0,
            locals: Vec::new(),
            returns,
            body: Vec::new(),
            has_effects: false,
            span: written.name.span,
        });
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    fn bind_parameters(&mut self, group: &Parameter, ty: Option<TypeId>) {
        let kind = if group.is_var { LocalKind::Reference } else { LocalKind::ReadOnly };
        for name in &group.names {
            match ty {
                Some(ty) => {
                    self.bind(name, ty, kind, !group.is_var);
                }
                None => self.declare(name, Symbol::Bad),
            }
        }
    }

    /// Adds the parameter for a whole result. Gives the number of parameters.
    fn bind_result(&mut self, function: &Name) -> u32 {
        if let Some(Outcome::Whole(ty)) = self.owner.function {
            // Nothing in the text has this name.
            let name = Name { text: "the result".to_owned(), span: function.span };
            self.owner.result = Some(self.bind(&name, ty, LocalKind::Reference, false));
        }
        self.owner.locals.len() as u32
    }

    /// A procedure that stands for a function must not end without a result.
    fn end_body(&self, body: &mut Vec<Stmt>, name: &Name) {
        let ends = body.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)));
        if self.owner.result.is_some() && !ends {
            let message = format!("the function `{}` ends without `return`", name.text);
            body.push(Stmt { kind: StmtKind::Error(message), span: name.span });
        }
    }

    fn complete(&mut self, id: Option<FunctionId>, n_parameters: u32, body: Vec<Stmt>) {
        let Some(id) = id else { return };
        let locals = std::mem::take(&mut self.owner.locals);
        let function = &mut self.program.functions[id.0 as usize];
        function.n_parameters = n_parameters;
        function.locals = locals;
        function.body = body;
    }
}
