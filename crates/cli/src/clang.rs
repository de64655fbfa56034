//! Finds clang and has it translate C to LLVM IR.
//!
//! By default nothing is optimised: an optimiser may delete the bugs of a racy
//! program. With `-O1` and more the code is checked as it runs in the end.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Names that clang goes by, the best first.
const NAMES: [&str; 10] = [
    "clang", "clang-19", "clang-20", "clang-21", "clang-22", "clang-18", "clang-17", "clang-16",
    "clang-15", "clang-14",
];

/// Warnings about old C that are errors by default.
const TOLERATED: [&str; 6] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-type",
    "-Wno-unknown-warning-option",
];

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Compilation {
    /// The compiler; otherwise one is looked for.
    pub clang: Option<PathBuf>,
    /// 0 to 3.
    pub optimisation: u8,
    /// For a 32-bit machine?
    pub is_32_bit: bool,
    /// Is it C of before 1999, in which a function that is `inline` can be called from
    /// everywhere, as others can?
    pub is_old: bool,
    /// Are left shifts of signed numbers checked? Instructions do not tell them from
    /// those of unsigned ones.
    pub checks_shifts: bool,
    /// Further arguments, in order.
    pub arguments: Vec<String>,
    /// Bytes of IR that are read at most.
    pub max_output: u64,
}

impl Compilation {
    /// The IR of a C file.
    pub fn compile(&self, file: &Path) -> anyhow::Result<String> {
        let clang = self.find()?;
        let mut command = self.command(&clang);
        command.arg(file);
        self.run(command, &clang, file, None)
    }

    /// The IR of a C text.
    pub fn compile_text(&self, text: &str) -> anyhow::Result<String> {
        let clang = self.find()?;
        let mut command = self.command(&clang);
        command.args(["-x", "c", "-"]);
        self.run(command, &clang, "its own text".as_ref(), Some(text))
    }

    fn command(&self, clang: &Path) -> Command {
        let mut command = Command::new(clang);
        command.args(["-S", "-emit-llvm", "-g", "-w", "-fno-vectorize", "-fno-slp-vectorize"]);
        command.arg(format!("-O{}", self.optimisation));
        if self.optimisation == 0 {
            // Compound literals are known by their names.
            command.args(["-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]);
            // Without it, the ends of scopes are marked in optimised code alone.
            command.args(["-Xclang", "-fsanitize-address-use-after-scope"]);
        }
        if self.checks_shifts {
            command.args(["-fsanitize=shift-base", "-fsanitize-trap=shift-base"]);
        }
        if self.is_32_bit {
            command.arg("-m32");
        }
        if self.is_old {
            command.arg("-fgnu89-inline");
        }
        command.args(TOLERATED).args(&self.arguments);
        command.args(["-o", "-"]);
        command
    }

    /// The text of a bitcode file.
    pub fn disassemble(&self, file: &Path) -> anyhow::Result<String> {
        let clang = self.find()?;
        let version = clang.to_string_lossy().rsplit_once("clang").map(|(_, tail)| tail.to_owned());
        let beside = clang.with_file_name(format!("llvm-dis{}", version.unwrap_or_default()));
        let tool = if works(&beside) { beside } else { PathBuf::from("llvm-dis") };
        let mut command = Command::new(&tool);
        command.args(["-o", "-"]).arg(file);
        self.run(command, &tool, file, None)
    }

    fn run(
        &self,
        mut command: Command,
        tool: &Path,
        file: &Path,
        input: Option<&str>,
    ) -> anyhow::Result<String> {
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().with_context(|| format!("cannot run `{}`", tool.display()))?;
        if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
            stdin.write_all(input.as_bytes())?;
        }
        let stderr = child.stderr.take();
        let complaints = std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(stderr) = stderr {
                // What cannot be read is no complaint of the compiler's.
                let _ = stderr.take(1 << 16).read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut output = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            stdout.take(self.max_output + 1).read_to_end(&mut output)?;
        }
        let status = if output.len() as u64 > self.max_output {
            child.kill()?;
            child.wait()?;
            bail!("the code of `{}` is larger than --max-input", file.display());
        } else {
            child.wait()?
        };
        let complaints = complaints.join().unwrap_or_default();
        if !status.success() {
            bail!("`{}` refuses `{}`:\n{}", tool.display(), file.display(), complaints.trim_end());
        }
        String::from_utf8(output).context("the compiler's output is not text")
    }

    fn find(&self) -> anyhow::Result<PathBuf> {
        if let Some(clang) = &self.clang {
            return Ok(clang.clone());
        }
        let found = NAMES.iter().map(PathBuf::from).find(|name| works(name));
        found.with_context(|| {
            "clang is needed to read C and was not found: install it (`apt-get install clang`), \
             or name it with --clang"
        })
    }
}

fn works(tool: &Path) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
