//! Runs one instance in a process of its own, and measures it.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use super::instance::{Answer, Instance};
use crate::args::BenchArgs;
use crate::{c_program, watch};

/// A run that has not ended this long after its time limit is killed.
const GRACE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(5);
/// A message that is longer is cut in the table.
const MAX_REASON: usize = 120;

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The verdict, when there is one.
    pub answer: Option<Answer>,
    /// Why there is none.
    pub reason: String,
    /// Did the process end as it should never?
    pub has_crashed: bool,
    /// The engine that answered.
    pub engine: String,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Peak memory in bytes.
    pub peak_memory: Option<u64>,
}

/// Runs an instance; `None` when the user stopped it.
pub fn run(
    program: &Path,
    args: &BenchArgs,
    instance: &Instance,
    interrupted: &AtomicBool,
) -> anyhow::Result<Option<Reply>> {
    if interrupted.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let started = Instant::now();
    let mut child = command(program, args, instance).spawn().context("cannot start a run")?;
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let ended = wait(&mut child, started, args.time + GRACE, interrupted)?;
    let elapsed = started.elapsed();
    let (stdout, stderr) = (finish(stdout), finish(stderr));
    if interrupted.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(Some(reply(&ended, elapsed, &stdout, &stderr)))
}

fn command(program: &Path, args: &BenchArgs, instance: &Instance) -> Command {
    let mut command = Command::new(program);
    command.arg("check").arg(&instance.file);
    if let Some(property) = &instance.property {
        command.arg("--property").arg(property);
    }
    if let Some(init) = &instance.init {
        command.arg(format!("--init={init}"));
    }
    // The other languages have no memory model to choose.
    if let Some(model) = args.memory_model.filter(|_| c_program::is_c(&instance.file)) {
        command.arg("--memory-model").arg(model.name());
    }
    if let Some(jobs) = args.jobs_per_run {
        command.arg("--jobs").arg(jobs.to_string());
    }
    command.arg("--engine").arg(args.engine.name());
    command.arg("--time").arg(format!("{}ms", args.time.as_millis()));
    command.arg("--memory").arg(args.memory.to_string());
    command.args(["--format", "json", "--no-evidence", "--quiet"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// How a process ended, and the most memory it was seen with.
struct Ended {
    status: Option<ExitStatus>,
    peak_memory: Option<u64>,
}

fn wait(
    child: &mut Child,
    started: Instant,
    longest: Duration,
    interrupted: &AtomicBool,
) -> anyhow::Result<Ended> {
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_memory = None;
    let mut n_polls = 0u32;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a run")? {
            return Ok(Ended { status: Some(status), peak_memory });
        }
        if started.elapsed() > longest || interrupted.load(Ordering::Relaxed) {
            // It may have ended by itself just now: then there is nothing to kill.
            let _ = child.kill();
            child.wait().context("cannot wait for a run")?;
            return Ok(Ended { status: None, peak_memory });
        }
        if n_polls.is_multiple_of(16) {
            let seen = std::fs::read_to_string(&status_file).ok().and_then(|s| watch::peak_in(&s));
            peak_memory = peak_memory.max(seen);
        }
        n_polls = n_polls.wrapping_add(1);
        thread::sleep(POLL);
    }
}

fn reply(ended: &Ended, elapsed: Duration, stdout: &str, stderr: &str) -> Reply {
    let json: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let code = ended.status.and_then(|status| status.code());
    let answer = match (code, text("verdict").as_str()) {
        (Some(0), "holds") => Some(Answer::Safe),
        (Some(1), "violated") => Some(Answer::Unsafe),
        _ => None,
    };
    let reason = match (answer, code) {
        (Some(_), _) => String::new(),
        (None, _) if ended.status.is_none() => "killed: it did not stop at its limit".to_owned(),
        (None, Some(3)) => text("summary"),
        (None, Some(2)) => format!("rejected: {}", first_mistake(&json, stderr)),
        (None, Some(code)) => format!("crashed with code {code}: {}", first_line(stderr)),
        (None, None) => format!("crashed: {}", first_line(stderr)),
    };
    Reply {
        answer,
        reason: report::layout::clip(&report::layout::plain(&reason), MAX_REASON),
        has_crashed: answer.is_none() && !matches!(code, Some(2 | 3)),
        engine: text("engine"),
        elapsed,
        peak_memory: json.get("peak_memory").and_then(Value::as_u64).or(ended.peak_memory),
    }
}

fn first_mistake(json: &Value, stderr: &str) -> String {
    json.pointer("/diagnostics/0/message")
        .and_then(Value::as_str)
        .map_or_else(|| first_line(stderr).to_owned(), str::to_owned)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Reads a pipe to its end beside the run, which would wait for a full pipe.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Option<JoinHandle<String>> {
    let mut pipe = pipe?;
    let reader = move || {
        let mut bytes = Vec::new();
        // What was read before an error still counts.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    thread::Builder::new().name("collect".to_owned()).spawn(reader).ok()
}

fn finish(reader: Option<JoinHandle<String>>) -> String {
    reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
}
