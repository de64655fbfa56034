//! What a program finds when it starts: its variables, and what `main` is called with.

use super::NoProgram;
use crate::code::Code;
use crate::machine::{Kind, Machine, Object, Options, Shared, variable_object};
use crate::value::{Origin, Value};

/// What a program finds as its own name.
const PROGRAM_NAME: &[u8] = b"program";

/// The shared store before the first step.
pub(super) fn first_shared(code: &Code, options: &Options) -> Result<Shared, NoProgram> {
    let mut shared = Shared::default();
    for (idx, variable) in code.globals.iter().enumerate() {
        if variable.size > options.max_object {
            let why = format!("the variable `{}` has {} bytes", variable.name, variable.size);
            return Err(NoProgram(why));
        }
        shared.objects.push(Some(variable_object(variable, idx as u32)));
    }
    shared.objects.push(Some(Machine::new_thread_object()));
    Ok(shared)
}

/// What `main` is called with if it takes arguments: a name and nothing else.
pub(super) fn main_arguments(code: &Code, main: u32, shared: &mut Shared) -> Vec<Value> {
    let body = code.functions.get(main as usize).and_then(|function| function.body.as_ref());
    if body.is_none_or(|body| body.parameters.is_empty()) {
        return Vec::new();
    }
    let mut name = Object::zeroed(Kind::Variable, PROGRAM_NAME.len() + 1, 0, 0);
    name.bytes[..PROGRAM_NAME.len()].copy_from_slice(PROGRAM_NAME);
    let name = Value::address(Origin::Shared(shared.add(name)), 0);
    let pointer_bytes = code.pointer_bytes;
    let mut list = Object::zeroed(Kind::Variable, 2 * pointer_bytes as usize, 3, 0);
    list.write(0, pointer_bytes, name);
    let list = Value::address(Origin::Shared(shared.add(list)), 0);
    let end = Object::zeroed(Kind::Variable, pointer_bytes as usize, 3, 0);
    let environment = Value::address(Origin::Shared(shared.add(end)), 0);
    vec![Value::number(1), list, environment]
}
