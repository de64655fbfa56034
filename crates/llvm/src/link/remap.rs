//! Types, symbols and debug ids of one module -> those of the whole.

use crate::ir::{
    ConstExpr, Constant, Debug, DebugId, DebugTypeKind, Definition, Function, Module, Operand,
    Part, StructType, SymbolId, Type, TypeId, TypedConstant, Types,
};

/// How deep types may contain each other; the reader allows less.
const MAX_TYPE_DEPTH: u32 = 1000;

/// A debug id that means nothing.
const NO_DEBUG: DebugId = DebugId(u32::MAX);

/// What each id of a module becomes.
pub(super) struct Remap {
    types: Vec<TypeId>,
    symbols: Vec<SymbolId>,
    /// The debug ids in use, ascending; the new id is `first_debug` plus the index.
    debug_ids: Vec<DebugId>,
    first_debug: u32,
}

impl Remap {
    pub(super) fn new(
        module: &Module,
        into: &mut Types,
        symbols: Vec<SymbolId>,
        first_debug: u32,
    ) -> Result<Remap, String> {
        let mut types = vec![None; module.types.len()];
        for idx in 0..module.types.len() {
            intern(TypeId(idx as u32), &module.types, (into, &mut types), 0)?;
        }
        let types = types.into_iter().flatten().collect();
        let debug_ids = debug_ids(&module.debug);
        Ok(Remap { types, symbols, debug_ids, first_debug })
    }

    /// The first debug id that is free afterwards.
    pub(super) fn next_debug(&self) -> u32 {
        self.first_debug.saturating_add(self.debug_ids.len() as u32)
    }

    pub(super) fn symbol(&self, id: SymbolId) -> SymbolId {
        self.symbols[id.0 as usize]
    }

    fn ty(&self, id: &mut TypeId) {
        *id = self.types[id.0 as usize];
    }

    fn debug_id(&self, id: &mut DebugId) {
        let found = self.debug_ids.binary_search(id).ok();
        let new = found.and_then(|idx| self.first_debug.checked_add(idx as u32));
        *id = new.map_or(NO_DEBUG, DebugId);
    }

    fn debug_option(&self, id: &mut Option<DebugId>) {
        id.iter_mut().for_each(|id| self.debug_id(id));
    }

    pub(super) fn definition(&self, definition: &mut Definition) {
        match definition {
            Definition::Function(function) => self.function(function),
            Definition::Variable(variable) => {
                self.ty(&mut variable.ty);
                variable.initializer.iter_mut().for_each(|constant| self.constant(constant));
                self.debug_option(&mut variable.debug);
            }
            Definition::Alias(target) => self.typed(target),
            Definition::Missing => {}
        }
    }

    fn function(&self, function: &mut Function) {
        self.ty(&mut function.result);
        for parameter in &mut function.parameters {
            self.ty(&mut parameter.ty);
            parameter.by_value.iter_mut().for_each(|ty| self.ty(ty));
        }
        self.debug_option(&mut function.debug);
        let Some(body) = &mut function.body else {
            return;
        };
        body.locals.iter_mut().for_each(|local| self.ty(&mut local.ty));
        for instruction in body.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            self.debug_option(&mut instruction.location);
            instruction.op.parts_mut(&mut |part| match part {
                Part::Operand(Operand::Constant(constant)) => self.constant(constant),
                Part::Operand(Operand::Local(_)) | Part::Block(_) => {}
                Part::Constant(constant) => self.typed(constant),
                Part::Type(ty) => self.ty(ty),
                Part::Variable(id) => self.debug_id(id),
            });
        }
    }

    fn typed(&self, constant: &mut TypedConstant) {
        self.ty(&mut constant.ty);
        self.constant(&mut constant.value);
    }

    fn constant(&self, constant: &mut Constant) {
        match constant {
            Constant::Symbol(id) => *id = self.symbol(*id),
            Constant::Aggregate(members) => members.iter_mut().for_each(|c| self.typed(c)),
            Constant::Expr(expr) => self.expression(expr),
            _ => {}
        }
    }

    fn expression(&self, expr: &mut ConstExpr) {
        match expr {
            ConstExpr::Element { source, base, indices } => {
                self.ty(source);
                self.typed(base);
                indices.iter_mut().for_each(|idx| self.typed(idx));
            }
            ConstExpr::Cast(_, value) => self.typed(value),
            ConstExpr::Binary(_, left, right) | ConstExpr::Compare(_, left, right) => {
                self.typed(left);
                self.typed(right);
            }
            ConstExpr::Select(condition, yes, no) => {
                self.typed(condition);
                self.typed(yes);
                self.typed(no);
            }
        }
    }

    /// Adds what a module's metadata says to the whole.
    pub(super) fn debug(&self, from: Debug, into: &mut Debug) {
        let new = |mut id: DebugId| {
            self.debug_id(&mut id);
            id
        };
        for (id, mut location) in from.locations {
            self.debug_id(&mut location.scope);
            self.debug_option(&mut location.inlined_at);
            into.locations.insert(new(id), location);
        }
        into.files.extend(from.files.into_iter().map(|(id, file)| (new(id), file)));
        for (id, mut scope) in from.scopes {
            self.debug_option(&mut scope.file);
            self.debug_option(&mut scope.parent);
            into.scopes.insert(new(id), scope);
        }
        for (id, mut variable) in from.variables {
            self.debug_option(&mut variable.ty);
            self.debug_option(&mut variable.scope);
            self.debug_option(&mut variable.file);
            into.variables.insert(new(id), variable);
        }
        for (id, mut ty) in from.types {
            self.debug_type(&mut ty.kind);
            into.types.insert(new(id), ty);
        }
    }

    fn debug_type(&self, kind: &mut DebugTypeKind) {
        match kind {
            DebugTypeKind::Pointer(id) | DebugTypeKind::Alias(id) | DebugTypeKind::Array(id, _) => {
                self.debug_option(id);
            }
            DebugTypeKind::Record(fields) => {
                fields.iter_mut().for_each(|field| self.debug_option(&mut field.ty));
            }
            DebugTypeKind::Basic(_) | DebugTypeKind::Enumeration(_) | DebugTypeKind::Other => {}
        }
    }
}

/// All ids that mean something, ascending.
fn debug_ids(debug: &Debug) -> Vec<DebugId> {
    let mut ids: Vec<DebugId> = Vec::new();
    ids.extend(debug.locations.keys());
    ids.extend(debug.files.keys());
    ids.extend(debug.scopes.keys());
    ids.extend(debug.variables.keys());
    ids.extend(debug.types.keys());
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The type of the whole that a module's type becomes.
fn intern(
    id: TypeId,
    from: &Types,
    (into, known): (&mut Types, &mut Vec<Option<TypeId>>),
    depth: u32,
) -> Result<TypeId, String> {
    if let Some(known) = known[id.0 as usize] {
        return Ok(known);
    }
    if depth > MAX_TYPE_DEPTH {
        return Err("a type contains itself".to_owned());
    }
    let mut inner = |id: TypeId| intern(id, from, (&mut *into, &mut *known), depth + 1);
    let ty = match from.get(id) {
        Type::Array(n, element) => Type::Array(*n, inner(*element)?),
        Type::Vector(n, element) => Type::Vector(*n, inner(*element)?),
        Type::Struct(body) => {
            let members = body.members.iter().map(|&id| inner(id)).collect::<Result<_, _>>()?;
            Type::Struct(StructType { members, ..body.clone() })
        }
        Type::Function { result, parameters, is_variadic } => Type::Function {
            result: inner(*result)?,
            parameters: parameters.iter().map(|&id| inner(id)).collect::<Result<_, _>>()?,
            is_variadic: *is_variadic,
        },
        other => other.clone(),
    };
    let new = into.intern(ty);
    known[id.0 as usize] = Some(new);
    Ok(new)
}
