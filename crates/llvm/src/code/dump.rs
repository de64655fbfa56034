//! A whole program as text: what runs, function by function, under the source lines that it
//! comes from.

use std::fmt::Write;

use model::SourceFile;

use super::print::Printer;
use super::{Body, Code, FunctionCode, Instr, Place, Variable};
use crate::places::is_same_file;

/// The listing of a program; `sources` are the files whose lines are shown.
pub fn dump(code: &Code, sources: &[SourceFile]) -> String {
    let sources = sources.iter().map(|file| (file.name.as_str(), file.text.lines().collect()));
    let dump = Dump { code, sources: sources.collect() };
    let mut out = String::new();
    for (what, variables) in [
        ("variable", &code.globals),
        ("constant", &code.constants),
        ("thread-local variable", &code.thread_locals),
    ] {
        for variable in variables {
            let _ = writeln!(out, "{what} {}", about(variable));
        }
    }
    let (defined, declared): (Vec<&FunctionCode>, Vec<&FunctionCode>) =
        code.functions.iter().partition(|function| function.body.is_some());
    for function in declared {
        let kind = if function.builtin.is_some() { "of the library" } else { "not defined" };
        let _ = writeln!(out, "function @{}, {kind}", function.name);
    }
    for function in defined {
        dump.function(function, &mut out);
    }
    out
}

fn about(variable: &Variable) -> String {
    let size = variable.size;
    let kind = match (&variable.unsupported, variable.is_missing) {
        (Some(why), _) => format!(", refused where it is used: {why}"),
        (None, true) => ", not defined".to_owned(),
        (None, false) => String::new(),
    };
    format!("@{}: {size} byte{}{kind}", variable.name, if size == 1 { "" } else { "s" })
}

struct Dump<'c> {
    code: &'c Code,
    /// The inputs: their names and their lines.
    sources: Vec<(&'c str, Vec<&'c str>)>,
}

impl Dump<'_> {
    fn function(&self, function: &FunctionCode, out: &mut String) {
        let Some(body) = &function.body else { return };
        let parameters: Vec<String> =
            body.parameters.iter().map(|&reg| with_variable(body, reg)).collect();
        let atomic = if body.is_atomic { ", one step for all other threads" } else { "" };
        let _ = writeln!(out, "\nfunction @{}({}){atomic}", function.name, parameters.join(", "));
        let locals = body.variables.iter().filter(|it| !body.parameters.contains(&it.register));
        for local in locals {
            let _ = writeln!(out, "        r{} is `{}`", local.register, local.name);
        }
        let mut before = None;
        for (pc, instr) in body.ops.iter().enumerate() {
            self.line(instr, &mut before, out);
            let printer = Printer { code: Some(self.code) };
            let _ = writeln!(out, "  {pc:4}  {}", printer.operation(&instr.op));
        }
    }

    /// The source line of an operation, where it is another than that of the one before.
    fn line<'p>(&'p self, instr: &Instr, before: &mut Option<&'p Place>, out: &mut String) {
        let Some(place) = self.code.places.get(instr.place as usize) else { return };
        let is_same =
            before.is_some_and(|last| (&last.file, last.line) == (&place.file, place.line));
        if is_same || place.line == 0 {
            return;
        }
        *before = Some(place);
        let text = self.text(place).map_or_else(String::new, |text| format!("  {text}"));
        let _ = writeln!(out, " {}:{}{text}", place.file, place.line);
    }

    fn text(&self, place: &Place) -> Option<&str> {
        let (_, lines) = self.sources.iter().find(|(name, _)| is_same_file(name, &place.file))?;
        Some(lines.get(place.line as usize - 1)?.trim())
    }
}

/// A register, with the C variable that it is.
fn with_variable(body: &Body, register: u32) -> String {
    let variable = body.variables.iter().find(|variable| variable.register == register);
    variable.map_or_else(|| format!("r{register}"), |it| format!("r{register}: {}", it.name))
}
