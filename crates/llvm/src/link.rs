//! Several modules -> one, by the names of their symbols.
//!
//! A name that other modules see is one symbol. A definition wins over a
//! declaration, a strong definition over a weak one, the first over its equals; two
//! strong definitions are an error. Names that only their own module sees stay
//! apart, and are renamed where they clash. Lists that the compiler collects over
//! modules (`llvm.global_ctors`) are joined.

mod remap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{
    Constant, Definition, Linkage, Module, Symbol, SymbolId, Type, TypedConstant, Variable,
};
use remap::Remap;

/// Joins modules into one; the error names the symbol or says what differs.
pub fn link(mut modules: Vec<Module>) -> Result<Module, String> {
    if modules.len() <= 1 {
        return Ok(modules.pop().unwrap_or_default());
    }
    let mut linker = Linker::new(&modules);
    for module in modules {
        linker.add(module)?;
    }
    Ok(linker.merged)
}

struct Linker {
    merged: Module,
    /// Symbols that all modules see.
    shared: FxHashMap<String, SymbolId>,
    /// All names that are taken.
    taken: FxHashSet<String>,
    n_debug: u32,
}

impl Linker {
    fn new(modules: &[Module]) -> Linker {
        let symbols = modules.iter().flat_map(|module| &module.symbols);
        let visible = symbols.filter(|symbol| symbol.linkage != Linkage::Internal);
        let taken = visible.map(|symbol| symbol.name.clone()).collect();
        let layout = modules.first().map(|module| module.layout.clone()).unwrap_or_default();
        Linker {
            merged: Module {
                layout,
                is_x86: modules.iter().all(|m| m.is_x86),
                ..Module::default()
            },
            shared: FxHashMap::default(),
            taken,
            n_debug: 0,
        }
    }

    fn add(&mut self, module: Module) -> Result<(), String> {
        if module.layout != self.merged.layout {
            return Err("the files were compiled for different targets".to_owned());
        }
        let symbols: Vec<SymbolId> = module.symbols.iter().map(|s| self.place(s)).collect();
        let remap = Remap::new(&module, &mut self.merged.types, symbols, self.n_debug)?;
        self.n_debug = remap.next_debug();
        let Module { symbols, debug, inline_assembly, .. } = module;
        remap.debug(debug, &mut self.merged.debug);
        self.merged.inline_assembly.extend(inline_assembly);
        for (idx, mut symbol) in symbols.into_iter().enumerate() {
            remap.definition(&mut symbol.definition);
            let id = remap.symbol(SymbolId(idx as u32));
            self.merge(id, symbol)?;
        }
        Ok(())
    }

    /// The symbol of the whole that a module's symbol becomes.
    fn place(&mut self, symbol: &Symbol) -> SymbolId {
        let is_shared = symbol.linkage != Linkage::Internal;
        if let (true, Some(&id)) = (is_shared, self.shared.get(&symbol.name)) {
            return id;
        }
        let id = SymbolId(self.merged.symbols.len() as u32);
        let name = if is_shared { symbol.name.clone() } else { self.free_name(&symbol.name) };
        if is_shared {
            self.shared.insert(name.clone(), id);
        }
        let definition = Definition::Missing;
        self.merged.symbols.push(Symbol { name, linkage: symbol.linkage, definition, line: 0 });
        id
    }

    /// The name, or the name with a number that no other symbol has.
    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 0u32;
        while !self.taken.insert(free.clone()) {
            number += 1;
            free = format!("{name}.{number}");
        }
        free
    }

    /// Gives the symbol a definition, where it is better than the one it has.
    fn merge(&mut self, id: SymbolId, new: Symbol) -> Result<(), String> {
        let old = &self.merged.symbols[id.0 as usize];
        let is_collected = is_collected(&new.name);
        let new = match (&old.definition, new.definition) {
            (Definition::Variable(old), Definition::Variable(more)) if is_collected => {
                let definition = Definition::Variable(self.joined(old.clone(), more));
                Symbol { definition, ..new }
            }
            (_, definition) => {
                let new = Symbol { definition, ..new };
                match (strength(old), strength(&new)) {
                    (Strength::Strong, Strength::Strong) => {
                        return Err(format!("symbol `{}` is defined in two files", old.name));
                    }
                    (Strength::Weak, Strength::Weak) if self.is_larger(&new, old) => {}
                    // Whoever needs the symbol for certain decides that it must exist.
                    (Strength::Declared, Strength::Declared) if old.linkage == Linkage::Weak => {}
                    (before, after) if after <= before => return Ok(()),
                    _ => {}
                }
                new
            }
        };
        let symbol = &mut self.merged.symbols[id.0 as usize];
        symbol.linkage = new.linkage;
        symbol.definition = new.definition;
        symbol.line = new.line;
        Ok(())
    }

    /// Is the new one a larger tentative definition (`int a[];` in several files)?
    fn is_larger(&self, new: &Symbol, old: &Symbol) -> bool {
        let size = |symbol: &Symbol| match &symbol.definition {
            Definition::Variable(variable) if is_zero(variable.initializer.as_ref()?) => {
                self.merged.types.size(&self.merged.layout, variable.ty)
            }
            _ => None,
        };
        matches!((size(new), size(old)), (Some(new), Some(old)) if new > old)
    }

    /// One list of two.
    fn joined(&mut self, mut old: Variable, more: Variable) -> Variable {
        let mut members = list(old.initializer.take());
        members.extend(list(more.initializer));
        if let Some(first) = members.first() {
            let ty = Type::Array(members.len() as u64, first.ty);
            old.ty = self.merged.types.intern(ty);
            old.initializer = Some(Constant::Aggregate(members));
        } else {
            old.initializer = Some(Constant::Zero);
        }
        old
    }
}

/// How much a definition weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Missing,
    Declared,
    Weak,
    Strong,
}

fn strength(symbol: &Symbol) -> Strength {
    let is_defined = match &symbol.definition {
        Definition::Missing => return Strength::Missing,
        Definition::Function(function) => function.body.is_some(),
        Definition::Variable(variable) => variable.initializer.is_some(),
        Definition::Alias(_) => true,
    };
    match symbol.linkage {
        _ if !is_defined => Strength::Declared,
        Linkage::Weak => Strength::Weak,
        Linkage::External | Linkage::Internal => Strength::Strong,
    }
}

/// Is it a list that grows with every module?
fn is_collected(name: &str) -> bool {
    matches!(name, "llvm.global_ctors" | "llvm.global_dtors" | "llvm.used" | "llvm.compiler.used")
}

fn is_zero(constant: &Constant) -> bool {
    matches!(constant, Constant::Zero | Constant::Null | Constant::Int(0) | Constant::Float(0))
}

fn list(initializer: Option<Constant>) -> Vec<TypedConstant> {
    match initializer {
        Some(Constant::Aggregate(members)) => members,
        _ => Vec::new(),
    }
}
