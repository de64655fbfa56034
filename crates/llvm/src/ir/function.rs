//! Functions: parameters, blocks, and the names of values.

use super::instruction::Instruction;
use super::{DebugId, TypeId};

/// Names a value of a function: a parameter or the result of an instruction; an
/// index into [`FunctionBody::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// Names a block of a function: an index into [`FunctionBody::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// A function, defined or declared.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it returns.
    pub result: TypeId,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Does it take more arguments of any type?
    pub is_variadic: bool,
    /// What it does; `None` when it is declared only.
    pub body: Option<FunctionBody>,
    /// The C function behind it.
    pub debug: Option<DebugId>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// The type that is copied to the callee's own memory (`byval`).
    pub by_value: Option<TypeId>,
}

/// What a defined function does.
#[derive(Clone, Debug, Default)]
pub struct FunctionBody {
    /// The values: first the parameters, then results in the order of the text.
    pub locals: Vec<Local>,
    /// The blocks; the first is where it begins.
    pub blocks: Vec<Block>,
}

/// A value of a function.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, without `%`: often a number.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// Instructions in a row; the last one says where it goes on.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label.
    pub name: String,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
}
