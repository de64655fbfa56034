//! Functions that programs take from files beside them: the user's models, and library
//! functions that are easiest said in C.
//!
//! A model defines functions that the program calls and does not define. It replaces
//! functions of our library only where the user says so. Our own files are compiled
//! only if a program needs them, and for its target.

use anyhow::{Context, bail};
use llvm::Questions;
use llvm::ir::{Definition, Module};
use model::SourceFile;

use super::{read_module, text_of};
use crate::args::LoadArgs;
use crate::clang::Compilation;

/// A file of ours, and what it defines.
struct Provided {
    name: &'static str,
    text: &'static str,
    functions: &'static [&'static str],
}

const PROVIDED: [Provided; 9] = [
    Provided { name: "threadproof/token.c", text: include_str!("token.c"), functions: &["strtok"] },
    Provided {
        name: "threadproof/sort.c",
        text: include_str!("sort.c"),
        functions: &["qsort", "qsort_r", "bsearch", "lfind"],
    },
    Provided {
        name: "threadproof/text.c",
        text: include_str!("text.c"),
        functions: &[
            "strtok_r",
            "__strtok_r",
            "strsep",
            "strpbrk",
            "strchrnul",
            "strcoll",
            "strerror",
            "strerror_r",
            "memmem",
            "strlcpy",
            "strlcat",
        ],
    },
    Provided {
        name: "threadproof/classes.c",
        text: include_str!("classes.c"),
        functions: &["__ctype_b_loc"],
    },
    Provided {
        name: "threadproof/failure.c",
        text: include_str!("failure.c"),
        functions: &["err", "errx", "warn", "warnx", "vwarn", "vwarnx"],
    },
    Provided {
        name: "threadproof/division.c",
        text: include_str!("division.c"),
        functions: &["div", "ldiv", "lldiv"],
    },
    Provided {
        name: "threadproof/signals.c",
        text: include_str!("signals.c"),
        functions: &[
            "signal",
            "sigaction",
            "sigemptyset",
            "sigfillset",
            "sigaddset",
            "sigdelset",
            "sigismember",
            "pthread_sigmask",
            "sigprocmask",
        ],
    },
    Provided {
        name: "threadproof/options.c",
        text: include_str!("options.c"),
        functions: &["getopt"],
    },
    Provided {
        name: "threadproof/system.c",
        text: include_str!("system.c"),
        functions: &["difftime", "mmap", "mmap64", "rand_r", "getdelim", "getline"],
    },
];

/// Adds the user's models to a program.
pub fn add_models(
    args: &LoadArgs,
    questions: &Questions,
    mut program: Module,
    files: &mut Vec<SourceFile>,
) -> anyhow::Result<Module> {
    let mut replaced = Vec::new();
    for path in &args.c.model {
        let (model, source) = super::module(args, path, questions)?;
        for name in defined(&model) {
            if is_defined(&program, name) && !is_weak(&model, name) {
                bail!("`{name}` is defined in the program and in the model `{}`", path.display());
            }
            if !is_known(name) {
                continue;
            }
            if !args.c.model_replaces.iter().any(|other| other == name) {
                bail!(
                    "the model `{}` defines `{name}`, which is known: say `--model-replaces \
                     {name}` if it shall replace it",
                    path.display()
                );
            }
            replaced.push(name.to_owned());
        }
        files.extend(source);
        program = link(vec![program, model])?;
    }
    match args.c.model_replaces.iter().find(|name| !replaced.contains(name)) {
        Some(name) => {
            bail!("`{name}` is to be replaced, but no model defines it, or it is unknown")
        }
        None => Ok(program),
    }
}

/// Adds those of our own files that a program needs.
pub fn add_provided(
    args: &LoadArgs,
    mut program: Module,
    files: &mut Vec<SourceFile>,
) -> anyhow::Result<Module> {
    for provided in &PROVIDED {
        let is_needed = |name: &&str| is_missing(&program, name);
        let Some(needed) = provided.functions.iter().find(|name| is_needed(name)) else {
            continue;
        };
        let text = format!("#line 1 \"{}\"\n{}", provided.name, provided.text);
        let compilation = Compilation {
            clang: args.c.clang.clone(),
            optimisation: args.c.optimisation,
            is_32_bit: program.layout.pointer_bytes == 4,
            is_old: false,
            checks_shifts: false,
            arguments: Vec::new(),
            max_output: u64::MAX / 2,
        };
        let compiled = compilation
            .compile_text(&text)
            .with_context(|| format!("`{needed}` must be compiled, and that fails"))?;
        let mut module = read_module(&compiled, provided.name.as_ref())?;
        keep_missing(&program, &mut module);
        program = link(vec![program, module])?;
        files.push(text_of(provided.name, provided.text));
    }
    Ok(program)
}

/// Drops the definitions of functions that the program has itself.
fn keep_missing(program: &Module, module: &mut Module) {
    for symbol in &mut module.symbols {
        let is_external = symbol.linkage == llvm::ir::Linkage::External;
        if let Definition::Function(function) = &mut symbol.definition
            && is_external
            && is_defined(program, &symbol.name)
        {
            function.body = None;
        }
    }
}

fn link(modules: Vec<Module>) -> anyhow::Result<Module> {
    llvm::link(modules).map_err(|why| anyhow::anyhow!(why))
}

/// Is it a function that programs need not define?
fn is_known(name: &str) -> bool {
    let is_provided = |provided: &Provided| provided.functions.contains(&name);
    llvm::library::find(name).is_some() || PROVIDED.iter().any(is_provided)
}

/// The functions that a module defines for others.
fn defined(module: &Module) -> impl Iterator<Item = &str> {
    let is_internal = |linkage| linkage == llvm::ir::Linkage::Internal;
    let visible = module.symbols.iter().filter(move |symbol| !is_internal(symbol.linkage));
    visible.filter_map(|symbol| match &symbol.definition {
        Definition::Function(function) if function.body.is_some() => Some(symbol.name.as_str()),
        _ => None,
    })
}

fn is_defined(module: &Module, name: &str) -> bool {
    defined(module).any(|other| other == name)
}

/// Does a definition give way to others?
fn is_weak(module: &Module, name: &str) -> bool {
    let symbol = module.find(name).map(|id| module.symbol(id));
    symbol.is_some_and(|symbol| symbol.linkage == llvm::ir::Linkage::Weak)
}

/// Is it a function that the module uses and does not define?
fn is_missing(module: &Module, name: &str) -> bool {
    module.symbols.iter().any(|symbol| {
        let is_declared = match &symbol.definition {
            Definition::Function(function) => function.body.is_none(),
            Definition::Missing => true,
            _ => false,
        };
        is_declared && symbol.name == name
    })
}
