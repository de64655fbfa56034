//! Makes a program of C files: compiles them, reads and links the code, and says
//! what is asked of it.

#[path = "models/mod.rs"]
mod models;

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use llvm::code::Code;
use llvm::machine::{Granularity, Options, Rule};
use llvm::{CProgram, Questions};
use model::SourceFile;

use crate::args::{LoadArgs, ReductionName};
use crate::clang::Compilation;
use crate::input::{CInput, Input, Loaded, read_text};

/// Mistakes in IR that are shown; after this many the rest is counted.
const MAX_MISTAKES: usize = 10;

/// Bytes of an included file that are shown in traces.
const MAX_INCLUDED: u64 = 1 << 20;

/// Is it a C program, by its name?
pub fn is_c(file: &Path) -> bool {
    matches!(extension(file).as_str(), "c" | "i" | "ll" | "bc")
}

/// Reads and compiles all files that the arguments name.
pub fn load(args: &LoadArgs) -> anyhow::Result<Input> {
    refuse_other_options(args)?;
    let questions = questions(args)?;
    if args.c.optimisation > 0 && questions.rules.contains(&Rule::Overflow) {
        bail!("undefined arithmetic is looked for in the code as it was written: leave out -O");
    }
    let (mut files, mut modules, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for path in std::iter::once(&args.file).chain(&args.more) {
        let (module, source) = module(args, path)?;
        modules.push(module);
        files.extend(source);
    }
    let module = llvm::link(modules).map_err(|why| anyhow!(why))?;
    let module = models::add_models(args, module, &mut files)?;
    let module = models::add_provided(args, module, &mut files)?;
    let code = llvm::code::lower(&module);
    files.extend(included(&module, &code, &files));
    if args.c.optimisation > 0 && !questions.races {
        notes.push(
            "the code was optimised and data races were not asked about: the optimiser may have \
             deleted the bugs of a racy program"
                .to_owned(),
        );
    }
    let options = Options {
        allocation_fails: args.c.malloc_fails,
        spurious_wakeups: !args.c.no_spurious,
        tracks_leaks: questions.rules.contains(&Rule::Leak),
        checks_unset: args.c.optimisation == 0 && questions.rules.contains(&Rule::Uninitialised),
        follows_order: questions.races && code.orders_weakly(),
        checks_overflow: questions.rules.contains(&Rule::Overflow),
        checks_alignment: questions.rules.contains(&Rule::Alignment),
        nondet: args.c.nondet.0..=args.c.nondet.1,
        ..Options::default()
    };
    let program = |options: Options, questions: Questions| {
        CProgram::new(code.clone(), options, questions, &files)
            .map_err(|why| anyhow!("`{}`: {}", args.file.display(), why.0))
    };
    let asks_for_races = questions.races;
    let coarse = match args.c.reduction {
        ReductionName::Global => None,
        ReductionName::Auto => {
            let granularity = Granularity::Synchronisations;
            let questions = Questions { races: true, ..questions.clone() };
            Some(program(Options { granularity, ..options.clone() }, questions)?)
        }
    };
    let delayed = match code.has_stores_that_wait() && !args.c.no_delays {
        false => None,
        true => {
            let granularity = Granularity::Synchronisations;
            let (follows_order, delays_stores) = (false, true);
            let options = Options { granularity, follows_order, delays_stores, ..options.clone() };
            Some(program(options, Questions { races: false, ..questions.clone() })?)
        }
    };
    let fine = program(options, questions)?;
    if files.is_empty() {
        files.push(SourceFile { name: args.file.display().to_string(), text: String::new() });
    }
    let loaded = Some(Loaded::C(Box::new(CInput { coarse, fine, delayed, asks_for_races })));
    Ok(Input { files, notes, loaded, diagnostics: Vec::new() })
}

/// The code of one file, and its text where people read it.
fn module(args: &LoadArgs, path: &Path) -> anyhow::Result<(llvm::ir::Module, Option<SourceFile>)> {
    let kind = extension(path);
    let compilation = Compilation {
        clang: args.c.clang.clone(),
        optimisation: args.c.optimisation,
        is_32_bit: args.c.m32 || kind == "i" && !args.c.m64,
        arguments: compiler_arguments(args),
        max_output: args.max_input.saturating_mul(16),
    };
    let (text, source) = match kind.as_str() {
        "c" | "i" => {
            let source = read_text(path, args.max_input)?;
            (compilation.compile(path)?, Some(source))
        }
        "ll" => (read_text(path, args.max_input)?.text, None),
        "bc" => (compilation.disassemble(path)?, None),
        _ => bail!("`{}` is no C file: .c, .i, .ll or .bc", path.display()),
    };
    Ok((read_module(&text, path)?, source))
}

fn text_of(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

/// The module that the text of IR is, which was made from a file.
fn read_module(text: &str, path: &Path) -> anyhow::Result<llvm::ir::Module> {
    let module = llvm::read(text).map_err(|errors| {
        let shown = errors.iter().take(MAX_MISTAKES);
        let shown = shown.map(|error| format!("  line {}: {}", error.line, error.message));
        anyhow!(shown.collect::<Vec<_>>().join("\n"))
    });
    module.with_context(|| format!("cannot read the code of `{}`", path.display()))
}

/// The files that the code's places name beside those that the user named; those of the
/// system, and what cannot be read, are left out.
fn included(module: &llvm::ir::Module, code: &Code, known: &[SourceFile]) -> Vec<SourceFile> {
    let is_known = |name: &str| known.iter().any(|file| llvm::is_same_file(&file.name, name));
    let mut paths: Vec<PathBuf> = Vec::new();
    for file in module.debug.files.values() {
        let path = Path::new(&file.directory).join(&file.name);
        let is_named = code.places.iter().any(|place| place.file == file.name);
        if is_named && !is_known(&file.name) && !path.starts_with("/usr") {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    paths.dedup();
    paths.iter().filter_map(|path| read_text(path, MAX_INCLUDED).ok()).collect()
}

fn compiler_arguments(args: &LoadArgs) -> Vec<String> {
    let include = args.c.include.iter().map(|dir| format!("-I{dir}"));
    let define = args.c.define.iter().map(|name| format!("-D{name}"));
    include.chain(define).chain(args.c.clang_args.iter().cloned()).collect()
}

/// What is asked, by SV-COMP's names.
fn questions(args: &LoadArgs) -> anyhow::Result<Questions> {
    let mut questions = Questions::default();
    if let Some(names) = &args.property {
        questions = Questions { rules: Vec::new(), races: false, deadlocks: false };
        for name in names.to_string_lossy().split(',') {
            ask(name.trim(), &mut questions)?;
        }
    }
    for rule in [Rule::Overflow, Rule::Alignment] {
        if args.c.ub && !questions.rules.contains(&rule) {
            questions.rules.push(rule);
        }
    }
    Ok(questions)
}

fn ask(name: &str, questions: &mut Questions) -> anyhow::Result<()> {
    match name {
        "unreach-call" => questions.rules.push(Rule::Assertion),
        "valid-memsafety" => {
            questions.rules.extend([Rule::Memory, Rule::Uninitialised, Rule::Leak]);
        }
        "no-overflow" => questions.rules.extend([Rule::Overflow, Rule::Division]),
        "no-data-race" => questions.races = true,
        "no-deadlock" => questions.deadlocks = true,
        "all" => {
            *questions = Questions::default();
            questions.rules.extend([Rule::Overflow, Rule::Alignment, Rule::Leak]);
        }
        _ => bail!(
            "`{name}` is no property of C programs: unreach-call, no-data-race, valid-memsafety, \
             no-overflow, no-deadlock, all"
        ),
    }
    Ok(())
}

/// An option that would be ignored is a mistake of the user, or of ours.
fn refuse_other_options(args: &LoadArgs) -> anyhow::Result<()> {
    let given = [
        (args.init.is_some(), "--init"),
        (args.target.is_some(), "--target"),
        (!args.constants.is_empty(), "--const"),
        (args.strict, "--strict"),
        (args.simplify, "--simplify"),
        (args.ltl.is_some(), "--ltl"),
        (args.language.is_some(), "--language"),
    ];
    match given.iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => bail!("{option} is not for C programs: it would be ignored"),
        None => Ok(()),
    }
}

fn extension(file: &Path) -> String {
    file.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
