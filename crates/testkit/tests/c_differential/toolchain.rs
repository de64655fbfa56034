//! Compilers: C to code for the machine by clang, C to a native program by whichever
//! is there.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use llvm::code::{Code, lower};
use llvm::ir::{Definition, Module};
use llvm::value::Value;

/// Every version in turn: each writes IR of its own.
const CLANGS: [&str; 10] = [
    "clang", "clang-19", "clang-20", "clang-21", "clang-22", "clang-18", "clang-17", "clang-16",
    "clang-15", "clang-14",
];
const NATIVE: [&str; 2] = ["gcc", "cc"];

/// The compilers of this machine.
pub struct Toolchain {
    clangs: Vec<PathBuf>,
    native: PathBuf,
    folder: PathBuf,
}

/// How to compile for the machine.
#[derive(Clone, Copy, Debug)]
pub struct Compilation {
    /// 0 to 3.
    pub optimisation: u8,
    /// Does signed arithmetic wrap around?
    pub wraps: bool,
    /// Chooses the version and whether there is debug metadata.
    pub seed: u64,
}

impl Toolchain {
    /// What is there; `None` without clang.
    pub fn find() -> Option<Toolchain> {
        let working = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(PathBuf::from).filter(|name| works(name)).collect()
        };
        let clangs = working(&CLANGS);
        let native = working(&NATIVE).into_iter().chain(clangs.iter().cloned()).next()?;
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        (!clangs.is_empty()).then_some(Toolchain { clangs, native, folder })
    }

    /// The module of a C text.
    ///
    /// # Errors
    /// What the compiler, the reader or the linker complains about.
    pub fn module(&self, text: &str, how: Compilation) -> Result<Module, String> {
        let clang = &self.clangs[how.seed as usize % self.clangs.len()];
        let mut command = Command::new(clang);
        command.args(["-S", "-emit-llvm", "-w", "-fno-vectorize", "-fno-slp-vectorize"]);
        command.args(["-ffp-contract=off", "-fno-strict-aliasing"]);
        command.arg(format!("-O{}", how.optimisation));
        if how.optimisation == 0 {
            command.args(["-Xclang", "-disable-O0-optnone"]);
            if !how.seed.is_multiple_of(3) {
                command.args(["-Xclang", "-fsanitize-address-use-after-scope"]);
            }
        }
        if how.wraps {
            command.arg("-fwrapv");
        }
        if how.seed.is_multiple_of(2) {
            command.arg("-g");
        }
        command.args(["-x", "c", "-o", "-", "-"]);
        let ir = run(command, text)?;
        let module = llvm::read(&ir).map_err(|errors| {
            let shown: Vec<String> = errors
                .iter()
                .map(|error| format!("line {}: {}", error.line, error.message))
                .collect();
            format!("the reader refuses what {} wrote: {}", clang.display(), shown.join("\n"))
        })?;
        llvm::link(vec![module]).map_err(|why| format!("the linker refuses: {why}"))
    }

    /// What the native program prints.
    ///
    /// # Errors
    /// It cannot be compiled, or it fails.
    pub fn observe(&self, text: &str, arguments: &[&str]) -> Result<String, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let program = self.folder.join(format!("native-{}-{number}", std::process::id()));
        let mut command = Command::new(&self.native);
        command.args(["-O1", "-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing"]);
        command.args(arguments).args(["-DNATIVE", "-pthread", "-x", "c", "-o"]);
        command.arg(&program).arg("-");
        run(command, text)?;
        let output = run(Command::new(&program), "");
        std::fs::remove_file(&program).map_err(|error| error.to_string())?;
        output
    }

    /// Is there a detector of data races for native programs?
    pub fn watches_races(&self) -> bool {
        self.observe("int main(void) { return 0; }", &["-fsanitize=thread"]).is_ok()
    }
}

fn works(tool: &Path) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn run(mut command: Command, input: &str) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    // A program that ends without reading everything is judged by its output.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    writer.join().expect("writing does not panic");
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{:?} fails ({}): {complaints}", command.get_program(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The code of the program whose names have this prefix, among others in one module.
pub fn isolated(module: &Module, prefix: &str) -> Code {
    let mut module = module.clone();
    let nothing = module.symbols.iter().find_map(|symbol| match &symbol.definition {
        Definition::Function(function) if function.body.is_none() => Some(function.clone()),
        _ => None,
    });
    for symbol in &mut module.symbols {
        if let Some(nothing) = &nothing
            && is_prefixed(&symbol.name)
            && !symbol.name.starts_with(prefix)
        {
            symbol.definition = Definition::Function(nothing.clone());
        }
        if symbol.name == format!("{prefix}main") {
            "main".clone_into(&mut symbol.name);
        }
    }
    lower(&module)
}

/// Does it start with `p`, a number and `_`?
fn is_prefixed(name: &str) -> bool {
    name.strip_prefix('p').and_then(|rest| rest.split_once('_')).is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Sets a global array of 64-bit numbers to these, if it is there.
pub fn set_array(code: &mut Code, name: &str, numbers: &[u64]) {
    let variables = code.globals.iter_mut().chain(&mut code.constants);
    for variable in variables.filter(|variable| variable.name == name) {
        let placed = numbers.iter().enumerate();
        variable.contents =
            placed.map(|(idx, &number)| (8 * idx as u64, 8, Value::number(number))).collect();
    }
}
