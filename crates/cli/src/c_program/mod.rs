//! Makes a program of C files: compiles them, reads and links the code, and says
//! what is asked of it.

mod models;

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use llvm::code::Code;
use llvm::machine::{Granularity, MemoryModel, Options, Rule};
use llvm::{CVariants, Compiled, Crowd, NoProgram, Questions, Reservation, Wanted};
use model::{Diagnostic, SourceFile};

use crate::args::{
    Accepted, AskedArgs, ExternName, LoadArgs, MemoryModelName, ModelLanguage, ReductionName,
    VolatileName,
};
use crate::c_formula;
use crate::clang::Compilation;
use crate::input::{Input, Loaded, read_text, show};

/// Mistakes in IR that are shown; after this many the rest is counted.
const MAX_MISTAKES: usize = 10;

/// Bytes of an included file that are shown in traces.
const MAX_INCLUDED: u64 = 1 << 20;

/// Is it a C program, by its name?
pub fn is_c(file: &Path) -> bool {
    matches!(extension(file).as_str(), "c" | "i" | "ll" | "bc")
}

/// Is it the text of a C program, by its name?
pub fn is_source(file: &Path) -> bool {
    matches!(extension(file).as_str(), "c" | "i")
}

/// Is a file compiled for a machine with pointers of 32 bits?
pub fn is_32_bit(args: &LoadArgs, file: &Path) -> bool {
    args.c.m32 || extension(file) == "i" && !args.c.m64
}

/// Reads and compiles all files that the arguments name.
pub fn load(args: &LoadArgs, asked: &AskedArgs) -> anyhow::Result<Input> {
    refuse_other_options(args, asked)?;
    let mut questions = questions(args, asked)?;
    if args.c.optimisation > 0 && questions.rules.contains(&Rule::Overflow) {
        bail!("undefined arithmetic is looked for in the code as it was written: leave out -O");
    }
    let (mut files, mut modules, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for path in std::iter::once(&args.file).chain(&args.more) {
        let (module, source) = module(args, path, &questions)?;
        modules.push(module);
        files.extend(source);
    }
    let module = llvm::link(modules).map_err(|why| anyhow!(why))?;
    let module = models::add_models(args, &questions, module, &mut files)?;
    let module = models::add_provided(args, module, &mut files)?;
    let code = lowered(args, &module, &mut notes);
    questions.accepted = accepted_places(&asked.c.accept, &code)?;
    notes.extend(accepted_note(&asked.c.accept));
    files.extend(included(&module, &code, &files));
    notes.extend(optimiser_note(args, &questions));
    notes.extend(any_number_notes(asked, &questions, &code));
    if files.is_empty() {
        files.push(SourceFile { name: args.file.display().to_string(), text: String::new() });
    }
    let compiled = Compiled {
        options: options(args, asked, &code, &questions),
        code,
        questions,
        sources: &files,
        invariants: &asked.c.invariant,
        abstraction: asked.c.abstraction.as_deref(),
    };
    let source = Source { args, asked, compiled };
    if asks_about_runs(args, asked) {
        let formula = asked
            .ltl
            .as_ref()
            .map(|text| SourceFile { name: "--ltl".to_owned(), text: text.clone() });
        let loaded = source.runs(formula.as_ref());
        files.extend(formula);
        return Ok(match loaded? {
            Ok(input) => {
                let loaded = Some(Loaded::C(Box::new(input)));
                Input { files, notes, loaded, diagnostics: Vec::new() }
            }
            Err(diagnostics) => {
                show(&files, &diagnostics);
                Input { files, notes, loaded: None, diagnostics }
            }
        });
    }
    let loaded = Some(Loaded::C(Box::new(source.states()?)));
    Ok(Input { files, notes, loaded, diagnostics: Vec::new() })
}

/// The code of a module, as the options want it.
fn lowered(
    args: &LoadArgs,
    module: &llvm::ir::Module,
    notes: &mut Vec<String>,
) -> llvm::code::Code {
    let mut code = llvm::code::lower(module);
    if args.c.volatile == VolatileName::Atomic {
        code.make_volatile_atomic();
        notes.push("`volatile` accesses count as atomic ones, sequentially consistent".to_owned());
    }
    code
}

/// A program that was compiled, and what is asked of it.
struct Source<'a> {
    args: &'a LoadArgs,
    asked: &'a AskedArgs,
    compiled: Compiled<'a>,
}

impl Source<'_> {
    /// The program, for questions about its states.
    fn states(&self) -> anyhow::Result<CVariants> {
        // Large steps hide states that an invariant must see.
        // And after a data race that is accepted, others can tell when accesses happen.
        let mut accepted = self.asked.c.accept.iter();
        let large_steps = self.asked.c.reduction == ReductionName::Auto
            && self.asked.c.invariant.is_empty()
            && !accepted.any(|known| known.rule == Rule::Race);
        // In sequential consistency no store is seen late.
        let is_sc = self.asked.c.memory_model == Some(MemoryModelName::Sc);
        let store_buffers = !self.asked.c.no_delays && !is_sc;
        let (crowd, any_number) = (self.crowd()?, self.asked.any_number);
        let wanted = Wanted { large_steps, store_buffers, crowd, any_number };
        CVariants::new(&self.compiled, &wanted).map_err(|why| self.refused(&why))
    }

    /// What is forgotten where any number of threads are looked at; `None` where they are
    /// not.
    fn crowd(&self) -> anyhow::Result<Option<Crowd>> {
        let any_number = self.asked.any_number;
        if !any_number && !self.compiled.code.creates_threads_in_loops() {
            return Ok(None);
        }
        match self.compiled.may_be_any_number() {
            Ok(()) => {
                let crowd = Crowd::choose(&self.compiled, &engine::thread_modular::first_stores);
                crowd.map(Some).map_err(|why| self.refused(&why))
            }
            Err(Reservation::Other(what)) if any_number => bail!(
                "{what} are asked of the threads that a program creates, not of any number: leave \
                 out --threads any"
            ),
            Err(_) => Ok(None),
        }
    }

    /// The program, for a question about its runs; or what is wrong with the formula.
    fn runs(
        &self,
        formula: Option<&SourceFile>,
    ) -> anyhow::Result<Result<CVariants, Vec<Diagnostic>>> {
        let program = self.compiled.smallest_steps().map_err(|why| self.refused(&why))?;
        let read = match formula {
            None => Ok(c_formula::termination(&program)),
            Some(file) => c_formula::read(&program, self.compiled.sources.len() as u32, file),
        };
        let formula = match read {
            Ok(formula) => formula,
            Err(diagnostics) => return Ok(Err(diagnostics)),
        };
        if formula.named.formula.has_next() && self.asked.c.reduction != ReductionName::None {
            bail!(
                "`X` speaks of the next step, and steps are joined by reductions: say \
                 --reduction none, or leave it out"
            );
        }
        let program = program.with_propositions(&formula.propositions);
        let program = program.map_err(|why| self.refused(&why))?;
        Ok(Ok(CVariants::of_runs(program, formula.named)))
    }

    fn refused(&self, why: &NoProgram) -> anyhow::Error {
        anyhow!("`{}`: {}", self.args.file.display(), why.0)
    }
}

/// How the smallest steps that are wanted run.
fn options(args: &LoadArgs, asked: &AskedArgs, code: &Code, questions: &Questions) -> Options {
    let rules = &questions.rules;
    let is_as_written = args.c.optimisation == 0;
    Options {
        granularity: match asked.c.reduction {
            ReductionName::None => Granularity::Operations,
            _ => Granularity::Accesses,
        },
        allocation_fails: args.c.malloc_fails,
        spurious_wakeups: !args.c.no_spurious,
        rwlock: args.c.rwlock.preference(),
        tracks_leaks: rules.contains(&Rule::MemoryLeak),
        checks_unset: is_as_written && rules.contains(&Rule::UninitialisedMemory),
        unset_is_any: !rules.contains(&Rule::UninitialisedMemory),
        externs_return_anything: args.c.externs == ExternName::Any,
        memory_model: match questions.races && code.orders_weakly() {
            true => MemoryModel::HappensBefore,
            false => MemoryModel::SequentiallyConsistent,
        },
        accepted_races: places_of_races(questions),
        checks_overflow: rules.contains(&Rule::Overflow),
        checks_alignment: rules.contains(&Rule::Alignment),
        nondet: args.c.nondet.0..=args.c.nondet.1,
        ..Options::default()
    }
}

/// What an optimiser may have done that nobody asked about.
fn optimiser_note(args: &LoadArgs, questions: &Questions) -> Option<String> {
    (args.c.optimisation > 0 && !questions.races).then(|| {
        "the code was optimised and data races were not asked about: the optimiser may have \
         deleted the bugs of a racy program"
            .to_owned()
    })
}

/// What is not asked, or not proved, where any number of threads are asked about.
fn any_number_notes(asked: &AskedArgs, questions: &Questions, code: &Code) -> Vec<String> {
    if !asked.any_number {
        return Vec::new();
    }
    let names = asked.property.as_ref().map(|names| names.to_string_lossy().into_owned());
    let asks_for_leaks = |names: &String| names.contains("valid-memsafety") || names == "all";
    let left_out = match &names {
        None => Some("deadlocks and memory leaks"),
        Some(names) => asks_for_leaks(names).then_some("memory leaks"),
    };
    let left_out = left_out.map(|what| format!("not asked of any number of threads: {what}"));
    let has_open_races = questions.races && code.orders_weakly();
    let open_races = has_open_races.then(|| {
        "data races are not proved for any number of threads where atomics are weaker than \
         `seq_cst` or locks are tried: --property unreach-call leaves them out"
            .to_owned()
    });
    left_out.into_iter().chain(open_races).collect()
}

fn places_of_races(questions: &Questions) -> Vec<u32> {
    let races = questions.accepted.iter().filter(|(rule, _)| *rule == Rule::Race);
    races.map(|&(_, place)| place).collect()
}

/// The places of the code at which findings are accepted.
fn accepted_places(accepted: &[Accepted], code: &Code) -> anyhow::Result<Vec<(Rule, u32)>> {
    let mut all = Vec::new();
    for known in accepted {
        let n_before = all.len();
        for (place, number) in code.places.iter().zip(0..) {
            if place.line == known.line && llvm::is_same_file(&known.file, &place.file) {
                all.push((known.rule, number));
            }
        }
        if all.len() == n_before {
            bail!("there is no code at {}:{}, so nothing to accept", known.file, known.line);
        }
    }
    Ok(all)
}

/// What is not reported, for the verdict.
fn accepted_note(accepted: &[Accepted]) -> Option<String> {
    let one = |known: &Accepted| format!("{}@{}:{}", known.rule.name(), known.file, known.line);
    let all: Vec<String> = accepted.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("accepted, and not reported: {}", all.join(", ")))
}

/// The property that every fair run comes to its end.
const TERMINATION: &str = "termination";

/// Is it a formula about runs that is asked?
pub fn asks_about_runs(args: &LoadArgs, asked: &AskedArgs) -> bool {
    asked.ltl.is_some() || asks_for_termination(args, asked)
}

/// Is it asked that every fair run comes to its end?
pub fn asks_for_termination(args: &LoadArgs, asked: &AskedArgs) -> bool {
    let property = asked.property.as_ref().map(|name| name.to_string_lossy());
    is_c(&args.file) && property.is_some_and(|name| name.trim() == TERMINATION)
}

/// The code of one file, and its text where people read it.
fn module(
    args: &LoadArgs,
    path: &Path,
    questions: &Questions,
) -> anyhow::Result<(llvm::ir::Module, Option<SourceFile>)> {
    let kind = extension(path);
    let compilation = Compilation {
        clang: args.c.clang.clone(),
        optimisation: args.c.optimisation,
        is_32_bit: is_32_bit(args, path),
        is_old: kind == "i",
        checks_shifts: questions.rules.contains(&Rule::Overflow),
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
fn questions(args: &LoadArgs, asked: &AskedArgs) -> anyhow::Result<Questions> {
    let mut questions = Questions::default();
    let nothing =
        Questions { rules: Vec::new(), races: false, deadlocks: false, accepted: Vec::new() };
    if asks_about_runs(args, asked) {
        return Ok(nothing);
    }
    if let Some(names) = &asked.property {
        questions = nothing;
        for name in names.to_string_lossy().split(',') {
            ask(name.trim(), &mut questions)?;
        }
    }
    if asked.any_number {
        // A deadlock and lost memory are facts about all threads of a state.
        questions.deadlocks &= asked.property.is_some();
        questions.rules.retain(|rule| *rule != Rule::MemoryLeak);
    }
    for rule in [Rule::Overflow, Rule::Alignment] {
        if asked.c.ub && !questions.rules.contains(&rule) {
            questions.rules.push(rule);
        }
    }
    Ok(questions)
}

fn ask(name: &str, questions: &mut Questions) -> anyhow::Result<()> {
    match name {
        "unreach-call" => questions.rules.push(Rule::Assertion),
        "valid-memsafety" => {
            questions.rules.extend([
                Rule::MemorySafety,
                Rule::InvalidFree,
                Rule::UninitialisedMemory,
                Rule::MemoryLeak,
            ]);
        }
        "no-overflow" => questions.rules.extend([Rule::Overflow, Rule::Division]),
        "no-data-race" => questions.races = true,
        "no-deadlock" => questions.deadlocks = true,
        "all" => {
            *questions = Questions::default();
            questions.rules.extend([Rule::Overflow, Rule::Alignment, Rule::MemoryLeak]);
        }
        TERMINATION => bail!("termination is a question about runs: ask it alone"),
        _ => bail!(
            "`{name}` is no property of C programs: unreach-call, no-data-race, valid-memsafety, \
             no-overflow, no-deadlock, termination, all"
        ),
    }
    Ok(())
}

/// An option that would be ignored is a mistake of the user, or of ours.
fn refuse_other_options(args: &LoadArgs, asked: &AskedArgs) -> anyhow::Result<()> {
    if asked.ltl.is_some() && asked.property.is_some() {
        bail!("--ltl and --property ask different questions: ask them one by one");
    }
    if asks_about_runs(args, asked) && !asked.c.invariant.is_empty() {
        bail!("an invariant is asked of states, not together with a question about runs");
    }
    if asks_about_runs(args, asked) && asked.c.abstraction.is_some() {
        bail!("states are abstracted for questions about states, not about runs");
    }
    args.given.refuse_strangers(ModelLanguage::C)
}

fn extension(file: &Path) -> String {
    file.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
