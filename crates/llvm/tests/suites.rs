//! Programs nobody here wrote, as every installed clang compiles them: the reader
//! finds the functions, blocks and instructions that a count of lines and LLVM's own
//! `opt` find. And what rustc makes of a small crate.
//!
//! `THREADPROOF_SUITES` names the folder that holds `c/`. A few programs are read by
//! default, all of them with `THREADPROOF_IR=all`.

#![allow(clippy::print_stdout, reason = "how much was compared belongs in the log")]

#[path = "common/written.rs"]
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use llvm::ir::{Definition, FunctionBody, Module, Op};

/// Versions that we look for, newest first.
const VERSIONS: [u32; 9] = [22, 21, 20, 19, 18, 17, 16, 15, 14];

/// Without `THREADPROOF_IR=all`, one program of so many is read.
const SAMPLE_STEP: usize = 96;

/// What is counted in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    blocks: usize,
    /// Without what is only said about variables of the source.
    instructions: usize,
    loads: usize,
    stores: usize,
}

type Table = BTreeMap<String, Counts>;

fn counts_of_body(body: &FunctionBody) -> Counts {
    let mut counts = Counts { blocks: body.blocks.len(), ..Counts::default() };
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        counts.instructions += usize::from(!matches!(instruction.op, Op::DebugValue { .. }));
        counts.loads += usize::from(matches!(instruction.op, Op::Load { .. }));
        counts.stores += usize::from(matches!(instruction.op, Op::Store { .. }));
    }
    counts
}

fn counts_of_module(module: &Module) -> Table {
    let mut table = Table::new();
    for symbol in &module.symbols {
        if let Definition::Function(function) = &symbol.definition
            && let Some(body) = &function.body
        {
            table.insert(symbol.name.clone(), counts_of_body(body));
        }
    }
    table
}

/// Counts lines, knowing of the language only which lines go on with the line before.
fn counts_of_text(text: &str) -> Table {
    let mut table = Table::new();
    let mut current: Option<(String, Counts)> = None;
    let mut is_new_block = false;
    for line in text.lines() {
        let Some((_, counts)) = &mut current else {
            if line.starts_with("define ") {
                current = Some((name_of(line), Counts::default()));
                is_new_block = true;
            }
            continue;
        };
        if line == "}" {
            table.extend(current.take());
        } else if !line.starts_with(' ') && !line.is_empty() && !line.starts_with(';') {
            counts.blocks += 1;
            is_new_block = false;
        } else if is_instruction(line.trim_start()) {
            counts.blocks += usize::from(std::mem::take(&mut is_new_block));
            counts.instructions += 1;
            let words = line.trim_start().split(' ').collect::<Vec<_>>();
            counts.loads += usize::from(words.get(2) == Some(&"load"));
            counts.stores += usize::from(words[0] == "store");
        }
    }
    table
}

fn name_of(line: &str) -> String {
    let after = line.split_once('@').map_or("", |(_, after)| after);
    match after.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or("").to_owned(),
        None => after.split('(').next().unwrap_or("").to_owned(),
    }
}

fn is_instruction(line: &str) -> bool {
    let goes_on = ["to label ", "cleanup", "catch ", "filter ", "]", "i1 ", "i8 ", "i16 ", "i32 "];
    let goes_on = goes_on.iter().any(|start| line.starts_with(start))
        || (line.starts_with('i') && line.contains(", label %") && !line.contains(" to "));
    let is_about_source = line.starts_with("#dbg") || line.contains(" @llvm.dbg.");
    !(line.is_empty() || line.starts_with(';') || goes_on || is_about_source)
}

/// Blocks, loads, stores and, where the version says so, instructions, as `opt`
/// counts them; `None` where this `opt` does not read the text.
fn counts_of_opt(opt: &str, path: &Path) -> Option<BTreeMap<String, BTreeMap<String, usize>>> {
    let run = Command::new(opt)
        .args(["-passes=print<func-properties>", "-disable-output"])
        .arg(path)
        .output()
        .ok()?;
    if !run.status.success() {
        return None;
    }
    let mut table: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut current = String::new();
    for line in String::from_utf8_lossy(&run.stderr).lines() {
        if let Some((_, name)) = line.split_once("for function '") {
            current = name.trim_end_matches(['\'', ':']).to_owned();
        } else if let Some((key, number)) = line.split_once(": ") {
            let number = number.trim().parse().unwrap_or(0);
            table.entry(current.clone()).or_default().insert(key.to_owned(), number);
        }
    }
    Some(table)
}

fn is_installed(program: &str) -> bool {
    let run = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// The program as LLVM IR; `None` where this clang does not compile it.
fn compile(clang: &str, level: &str, source: &Path) -> Option<String> {
    let is_preprocessed = source.extension().is_some_and(|ext| ext == "i");
    let mut command = Command::new(clang);
    command.args(["-S", "-emit-llvm", "-g", level, "-Xclang", "-disable-O0-optnone", "-w"]);
    command.args(["-std=gnu11", "-Wno-error=implicit-function-declaration"]);
    command.args(["-Wno-error=int-conversion", "-Wno-error=implicit-int"]);
    command.arg("-Wno-error=incompatible-pointer-types");
    if is_preprocessed {
        command.arg("-m32");
    }
    let run = command.arg(source).args(["-o", "-"]).output().ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}

/// All preprocessed programs, and the others that stand for themselves.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder of the suites is readable");
    for entry in entries {
        let path = entry.expect("its entries are readable").path();
        let is_variant = folder.ends_with("variants");
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "i" || (ext == "c" && is_variant)) {
            found.push(path);
        }
    }
}

/// What was done, and what was not.
#[derive(Default)]
struct Log {
    n_read: usize,
    n_compared: usize,
    n_written: usize,
    skipped: Vec<String>,
    failures: Vec<String>,
}

/// Reads one text and compares all counts.
fn compare(name: &str, text: &str, opts: &[String], log: &mut Log) {
    let module = match llvm::read(text) {
        Ok(module) => module,
        Err(errors) => {
            log.failures.push(format!("{name}:{}", errors[0]));
            return;
        }
    };
    log.n_read += 1;
    let ours = counts_of_module(&module);
    let lines = counts_of_text(text);
    if ours != lines {
        let differs = ours.iter().find(|&(name, counts)| lines.get(name) != Some(counts));
        let other = differs.map(|(name, _)| lines.get(name));
        log.failures.push(format!("{name}: read {differs:?}, lines {other:?}"));
    }
    if text.contains("i8*") || text.contains("i32*") {
        log.skipped.push(format!("{name}: lines not compared, as pointers have types"));
    } else {
        let comparison = written::compare(&module, text);
        log.n_written += comparison.n_compared;
        let differences = comparison.differences.into_iter();
        let differences = differences.map(|(read, line)| format!("{name}: {read}\n  {line}"));
        log.failures.extend(differences);
    }
    let compiler = name.split(' ').next().unwrap_or("");
    let file = format!("{compiler}-{}.ll", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, text).expect("the folder for temporary files is writable");
    let found = opts.iter().find_map(|opt| counts_of_opt(opt, &path));
    std::fs::remove_file(&path).expect("it was just written");
    let Some(found) = found else {
        log.skipped.push(format!("{name}: no `opt` that reads it"));
        return;
    };
    log.n_compared += 1;
    for (function, counts) in &ours {
        let differs = |key: &str, ours: usize| {
            found.get(function).and_then(|f| f.get(key)).is_some_and(|&theirs| theirs != ours)
        };
        if !found.contains_key(function)
            || differs("BasicBlockCount", counts.blocks)
            || differs("LoadInstCount", counts.loads)
            || differs("StoreInstCount", counts.stores)
            || differs("TotalInstructionCount", counts.instructions)
        {
            log.failures.push(format!("{name}: {function}: {counts:?}, {:?}", found.get(function)));
        }
    }
}

fn report(log: &Log) {
    println!("{} texts read, {} compared with opt", log.n_read, log.n_compared);
    println!("{} instructions compared with their lines", log.n_written);
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &log.skipped {
        *skipped.entry(line.rsplit(": ").next().unwrap_or("")).or_default() += 1;
    }
    skipped.iter().for_each(|(why, n)| println!("skipped {n}: {why}"));
    let shown = log.failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(log.failures.is_empty(), "{} failures:\n{shown}", log.failures.len());
}

#[test]
fn what_clang_writes_is_read_and_counted_alike() {
    let Some(suites) = std::env::var_os("THREADPROOF_SUITES") else {
        println!("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let is_all = std::env::var("THREADPROOF_IR").is_ok_and(|value| value == "all");
    let mut sources = Vec::new();
    programs(&Path::new(&suites).join("c"), &mut sources);
    sources.sort();
    let opts: Vec<String> = VERSIONS.iter().map(|version| format!("opt-{version}")).collect();
    let opts: Vec<String> = opts.into_iter().filter(|opt| is_installed(opt)).collect();
    let clangs = VERSIONS.iter().map(|version| format!("clang-{version}"));
    let mut log = Log::default();
    for clang in clangs {
        if !is_installed(&clang) {
            println!("skipped: {clang} is not installed");
            continue;
        }
        let levels: &[&str] = if is_all { &["-O0", "-O1", "-O2"] } else { &["-O0", "-O2"] };
        for level in levels {
            for source in sources.iter().step_by(if is_all { 1 } else { SAMPLE_STEP }) {
                let name = format!("{clang} {level} {}", source.display());
                match compile(&clang, level, source) {
                    Some(text) => compare(&name, &text, &opts, &mut log),
                    None => log.skipped.push(format!("{name}: does not compile with {clang}")),
                }
            }
        }
    }
    report(&log);
}

#[test]
fn what_rustc_writes_is_read_and_counted_alike() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if !is_installed(&rustc) {
        println!("skipped: {rustc} is not installed");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/crate.rs");
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crate.ll");
    let mut log = Log::default();
    for (level, debug) in [("0", "2"), ("2", "0")] {
        let run = Command::new(&rustc)
            .args(["--edition", "2021", "--crate-type", "lib", "--emit", "llvm-ir"])
            .args(["-C", &format!("opt-level={level}"), "-C", &format!("debuginfo={debug}")])
            .arg(&folder)
            .arg("-o")
            .arg(&output)
            .stderr(Stdio::null())
            .status();
        assert!(run.is_ok_and(|status| status.success()), "our crate compiles");
        let text = std::fs::read_to_string(&output).expect("rustc wrote it");
        compare(&format!("rustc -O{level}"), &text, &["opt-22".to_owned()], &mut log);
    }
    report(&log);
}
