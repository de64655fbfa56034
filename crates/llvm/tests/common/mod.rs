//! What the tests of the reader share: reading that must succeed, and modules as
//! text in which types are spelled out.

use llvm::ir::{Definition, Function, FunctionBody, Module, Type, TypeId};

/// Our samples: name, text.
pub const SAMPLES: [(&str, &str); 7] = [
    ("opaque/arithmetic", include_str!("../samples/opaque/arithmetic.ll")),
    ("opaque/calls", include_str!("../samples/opaque/calls.ll")),
    ("opaque/debug", include_str!("../samples/opaque/debug.ll")),
    ("opaque/memory", include_str!("../samples/opaque/memory.ll")),
    ("typed/calls", include_str!("../samples/typed/calls.ll")),
    ("typed/debug", include_str!("../samples/typed/debug.ll")),
    ("typed/memory", include_str!("../samples/typed/memory.ll")),
];

/// The sample with this name.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn sample(name: &str) -> Module {
    let found = SAMPLES.iter().find(|(known, _)| *known == name);
    read(found.expect("the sample exists").1)
}

/// Reads a text that is right.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn read(text: &str) -> Module {
    match llvm::read(text) {
        Ok(module) => module,
        Err(errors) => panic!("{}", errors[0]),
    }
}

/// The function with this name.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    let id = module.find(name).expect("the symbol exists");
    module.function(id).expect("it is a function")
}

/// The body of the function with this name.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn body<'m>(module: &'m Module, name: &str) -> &'m FunctionBody {
    function(module, name).body.as_ref().expect("it is defined")
}

/// Anything that can be shown, with types spelled out.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn show(module: &Module, thing: &impl std::fmt::Debug) -> String {
    let text = format!("{thing:?}");
    let mut shown = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("TypeId(") {
        shown.push_str(&rest[..at]);
        rest = &rest[at + "TypeId(".len()..];
        let end = rest.find(')').expect("the id ends");
        let id = TypeId(rest[..end].parse().expect("the id is a number"));
        shown.push_str(&type_text(module, id));
        rest = &rest[end + 1..];
    }
    shown.push_str(rest);
    shown
}

/// A type as the language writes it.
pub fn type_text(module: &Module, id: TypeId) -> String {
    let list = |ids: &[TypeId]| {
        let texts: Vec<String> = ids.iter().map(|&id| type_text(module, id)).collect();
        texts.join(", ")
    };
    match module.types.get(id) {
        Type::Int(bits) => format!("i{bits}"),
        Type::Pointer => "ptr".to_owned(),
        Type::Array(n, element) => format!("[{n} x {}]", type_text(module, *element)),
        Type::Vector(n, element) => format!("<{n} x {}>", type_text(module, *element)),
        Type::Struct(body) => match &body.name {
            Some(name) => format!("%{name}{{{}}}", list(&body.members)),
            None => format!("{{{}}}", list(&body.members)),
        },
        Type::Opaque(name) => format!("%{name}"),
        Type::Function { result, parameters, is_variadic } => {
            let dots = if *is_variadic { ", ..." } else { "" };
            format!("{} ({}{dots})", type_text(module, *result), list(parameters))
        }
        other => format!("{other:?}"),
    }
}

/// Every symbol, with types spelled out.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn show_symbols(module: &Module) -> Vec<String> {
    let defined = module.symbols.iter();
    let defined = defined.filter(|symbol| !matches!(symbol.definition, Definition::Missing));
    defined.map(|symbol| show(module, symbol)).collect()
}
