//! LLVM IR as data: what a program means, without what only helps an optimiser.
//!
//! Pointers are opaque, whichever version wrote the text: the type of what they
//! point to stands in the instructions that need it. Attributes, flags that only
//! allow optimisations, and unknown metadata are gone. What is kept of debug
//! metadata is what traces speak of: lines, variables, types.

mod constant;
mod debug;
mod function;
mod instruction;
mod types;
mod visit;

pub use constant::{ConstExpr, Constant, TypedConstant};
pub use debug::{
    Debug, DebugField, DebugFile, DebugId, DebugLocation, DebugScope, DebugType, DebugTypeKind,
    DebugVariable,
};
pub use function::{Block, BlockId, Function, FunctionBody, Local, LocalId, Parameter};
pub use instruction::{
    Assembly, BinaryOp, ByValue, Callee, CastOp, Catches, FloatPredicate, Instruction,
    IntPredicate, Op, Operand, Ordering, OverflowFlags, RmwOp, Shape, TypedOperand, UnaryOp,
};
pub use types::{FloatKind, StructType, TargetLayout, Type, TypeId, Types};
pub use visit::Part;

/// Names a symbol of a module: an index into [`Module::symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// One translation unit, or several that were linked.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Sizes and alignments on the target.
    pub layout: TargetLayout,
    /// Is it for an x86, of 32 or 64 bits?
    pub is_x86: bool,
    /// All types, each once.
    pub types: Types,
    /// Everything that has a global name, defined here or not.
    pub symbols: Vec<Symbol>,
    /// What debug metadata says.
    pub debug: Debug,
    /// Lines of `module asm`, which is refused when it matters.
    pub inline_assembly: Vec<String>,
}

/// Something with a global name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Without `@` and quotes.
    pub name: String,
    /// Is it visible to other modules?
    pub linkage: Linkage,
    /// What it is.
    pub definition: Definition,
    /// Line in the IR text where it is defined or declared; 0 if it is only used.
    pub line: u32,
}

/// How a name is seen by the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Seen by all modules.
    External,
    /// Seen by its own module only (`internal`, `private`).
    Internal,
    /// Seen by all; one of several equal definitions is used (`weak`, `linkonce`, `common`).
    Weak,
}

/// What a symbol is.
#[derive(Clone, Debug)]
pub enum Definition {
    /// A function, with a body or declared only.
    Function(Function),
    /// A global variable.
    Variable(Variable),
    /// Another name for a constant address.
    Alias(TypedConstant),
    /// Used, but neither defined nor declared in this text.
    Missing,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The type of its contents.
    pub ty: TypeId,
    /// Its first contents; `None` when it is declared only.
    pub initializer: Option<Constant>,
    /// May it not be written?
    pub is_constant: bool,
    /// Does every thread have its own?
    pub is_thread_local: bool,
    /// Bytes of alignment, where given.
    pub align: Option<u32>,
    /// The C variable behind it.
    pub debug: Option<DebugId>,
}

impl Module {
    /// The symbol with this id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// The symbol with this name.
    pub fn find(&self, name: &str) -> Option<SymbolId> {
        let idx = self.symbols.iter().position(|symbol| symbol.name == name)?;
        Some(SymbolId(idx as u32))
    }

    /// The function with this id, if it is one.
    pub fn function(&self, id: SymbolId) -> Option<&Function> {
        match &self.symbol(id).definition {
            Definition::Function(function) => Some(function),
            _ => None,
        }
    }
}
