//! Everything that clang makes of the suites can be lowered, and what is left
//! unsupported is counted. The suites are not part of this repository: set
//! `THREADPROOF_SUITES`. With `THREADPROOF_IR`, a folder of `.ll` files is taken
//! instead of compiling.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::code::{Code, Op, lower};

#[test]
fn everything_in_the_suites_can_be_lowered() {
    let Some(modules) = modules() else {
        report("skipped: THREADPROOF_SUITES is not set");
        return;
    };
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let (mut n_modules, mut n_ops) = (0, 0);
    for text in modules {
        let Ok(module) = crate::read(&text) else { continue };
        let code = lower(&module);
        n_modules += 1;
        n_ops += check(&code);
        count(&code, &mut reasons);
    }
    report(&format!("{n_modules} modules, {n_ops} operations; unsupported: {reasons:#?}"));
    assert!(n_modules > 0, "no module could be read");
}

#[expect(clippy::print_stderr, reason = "counts are what this test is read for")]
fn report(text: &str) {
    eprintln!("{text}");
}

fn count(code: &Code, reasons: &mut BTreeMap<String, u32>) {
    let bodies = code.functions.iter().filter_map(|function| function.body.as_ref());
    for instr in bodies.flat_map(|body| &body.ops) {
        if let Op::Unsupported(why) = &instr.op {
            *reasons.entry(why.to_string()).or_default() += 1;
        }
    }
    for variable in code.globals.iter().chain(&code.constants).chain(&code.thread_locals) {
        variable.unsupported.iter().for_each(|why| *reasons.entry(why.clone()).or_default() += 1);
    }
}

/// Checks that everything named exists; gives the number of operations.
fn check(code: &Code) -> usize {
    let mut n_ops = 0;
    for body in code.functions.iter().filter_map(|function| function.body.as_ref()) {
        n_ops += body.ops.len();
        let n_registers = body.n_registers;
        for (pc, instr) in body.ops.iter().enumerate() {
            for next in super::super::registers::successors(&instr.op, pc as u32) {
                assert!((next as usize) < body.ops.len(), "goes on outside");
            }
            super::super::registers::for_each_read(&instr.op, |reg| assert!(reg < n_registers));
            super::super::registers::for_each_write(&instr.op, |reg| assert!(reg < n_registers));
            assert!((instr.place as usize) < code.places.len());
            assert!((instr.live as usize) < body.live_sets.len());
            assert!((instr.live_during as usize) < body.live_sets.len());
        }
        let live = &body.live_sets[body.ops[0].live as usize];
        let is_known = |reg: &u32| body.parameters.contains(reg);
        assert!(live.iter().all(is_known), "only parameters are live at the start");
    }
    n_ops
}

/// The text of each module, one after the other.
fn modules() -> Option<Box<dyn Iterator<Item = String>>> {
    if let Some(folder) = std::env::var_os("THREADPROOF_IR") {
        let files = files(&PathBuf::from(folder), &["ll"]);
        return Some(Box::new(
            files.into_iter().filter_map(|path| std::fs::read_to_string(path).ok()),
        ));
    }
    let root = PathBuf::from(std::env::var_os("THREADPROOF_SUITES")?).join("c");
    Some(Box::new(files(&root, &["c", "i"]).into_iter().filter_map(|path| compile(&path))))
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                waiting.push(path);
            } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What clang makes of a file; nothing where it is no program of its own.
fn compile(path: &Path) -> Option<String> {
    let mut command = Command::new("clang-14");
    command.args(["-S", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w"]);
    if path.extension().is_some_and(|extension| extension == "i") {
        command.arg("-m32");
    }
    let output = command.arg(path).args(["-o", "-"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
