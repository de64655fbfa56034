//! What a program finds when it starts: its variables, and what `main` is called with.

use super::NoProgram;
use crate::code::Code;
use crate::machine::Options;
use crate::memory::{Kind, Object, SharedStore};
use crate::value::Value;

/// What a program finds as its own name.
const PROGRAM_NAME: &[u8] = b"program";

/// All variables together are as large as so many of the largest that are allowed.
const MAX_LARGE_VARIABLES: u64 = 16;

/// Refuses variables that are larger than memory, each or together, before any is made.
pub(super) fn refuse_large(code: &Code, options: &Options) -> Result<(), NoProgram> {
    let mut n_bytes = 0u64;
    for variable in code.globals.iter().chain(&code.constants).chain(&code.thread_locals) {
        if variable.size > options.max_object {
            let why = format!("the variable `{}` has {} bytes", variable.name, variable.size);
            return Err(NoProgram(why));
        }
        n_bytes += variable.size;
    }
    if n_bytes > options.max_object.saturating_mul(MAX_LARGE_VARIABLES) {
        return Err(NoProgram(format!("its variables have {n_bytes} bytes together")));
    }
    Ok(())
}

/// The shared store before the first step.
pub(super) fn first_shared(code: &Code) -> SharedStore {
    SharedStore::initial(code)
}

/// What `main` is called with if it takes arguments: a name and nothing else.
pub(super) fn main_arguments(code: &Code, main: u32, shared: &mut SharedStore) -> Vec<Value> {
    let body = code.functions.get(main as usize).and_then(|function| function.body.as_ref());
    if body.is_none_or(|body| body.parameters.is_empty()) {
        return Vec::new();
    }
    let mut name = Object::zeroed(Kind::Variable, PROGRAM_NAME.len() + 1, 0, 0);
    for (at, &byte) in (0u32..).zip(PROGRAM_NAME) {
        name.write(at, 1, Value::number(byte.into()));
    }
    let name = shared.add(name);
    let pointer_bytes = code.pointer_bytes;
    let mut list = Object::zeroed(Kind::Variable, 2 * pointer_bytes as usize, 3, 0);
    list.write(0, pointer_bytes, name);
    let list = shared.add(list);
    let end = Object::zeroed(Kind::Variable, pointer_bytes as usize, 3, 0);
    let environment = shared.add(end);
    vec![Value::number(1), list, environment]
}
