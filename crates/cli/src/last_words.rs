//! What a run says when something else than its main thread has to end it: no
//! memory is left, the time is long over, or the user insists.
//!
//! The messages are made beforehand, because at the end nothing may be allocated.
//! Exactly one thread gets to print an answer: whoever claims it first.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::StopReason;

use crate::args::Format;
use crate::exit::Exit;

static CLAIMED: AtomicBool = AtomicBool::new(false);
static MESSAGES: OnceLock<Messages> = OnceLock::new();

/// Why the run is ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The memory limit.
    Memory,
    /// The time limit.
    Time,
    /// The user.
    Interrupt,
}

struct Messages {
    memory: String,
    time: String,
    interrupt: String,
}

/// Makes the messages of a verdict in the chosen format.
pub fn prepare(format: Format, input: &str) {
    prepare_with(|reason| match format {
        Format::Json => report::json::render_stopped(input, reason),
        Format::Sarif => report::sarif::render_stopped(reason),
        Format::Text => in_words(reason),
    });
}

/// Makes the messages of a verb that has a report of its own.
pub fn prepare_with(message: impl Fn(&StopReason) -> String) {
    // A second call would be a second run in one process, with the same messages.
    let _ = MESSAGES.set(Messages {
        memory: message(&StopReason::MemoryLimit),
        time: message(&StopReason::TimeLimit),
        interrupt: message(&StopReason::Interrupted),
    });
}

/// What is said to people.
pub fn in_words(reason: &StopReason) -> String {
    format!("UNKNOWN: {}\n", report::text::reason_words(reason))
}

/// May the caller print the answer? True once.
fn claim() -> bool {
    !CLAIMED.swap(true, Ordering::AcqRel)
}

/// Returns when the caller may print the answer. Where another thread was first, it
/// is ending the process with its own last words, and this does not return.
pub fn claim_or_wait() {
    while !claim() {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Prints the prepared message and ends the process, unless an answer is being
/// printed already: then it returns. Allocates nothing.
pub fn end(ending: Ending) {
    let Some(messages) = MESSAGES.get() else { return };
    if !claim() {
        return;
    }
    let (message, exit) = match ending {
        Ending::Memory => (&messages.memory, Exit::Unknown),
        Ending::Time => (&messages.time, Exit::Unknown),
        Ending::Interrupt => (&messages.interrupt, Exit::Interrupted),
    };
    write_and_exit(message.as_bytes(), exit);
}

/// Says that nothing can be written, but for a pipe that was closed: whoever read it has
/// seen enough. The exit code that says so.
#[allow(unsafe_code)]
fn complain(exit: Exit) -> Exit {
    if std::io::Error::last_os_error().kind() == std::io::ErrorKind::BrokenPipe {
        return exit;
    }
    let words = b"error: cannot write to standard output\n";
    // SAFETY: the pointer and length are those of a live slice, and descriptor 2 is standard
    // error; there is nobody left to tell if that fails.
    unsafe { libc::write(2, words.as_ptr().cast(), words.len()) };
    Exit::BadInput
}

#[allow(unsafe_code)]
fn write_and_exit(mut message: &[u8], mut exit: Exit) -> ! {
    while !message.is_empty() {
        // SAFETY: the pointer and length are those of a live slice; descriptor 1 is
        // standard output, and writing to a closed one merely fails.
        let written = unsafe { libc::write(1, message.as_ptr().cast(), message.len()) };
        match usize::try_from(written) {
            Ok(n) if n > 0 => message = message.get(n..).unwrap_or_default(),
            _ => {
                exit = complain(exit);
                break;
            }
        }
    }
    // SAFETY: `_exit` takes any number and does not return. `exit` would run
    // handlers that may wait for locks other threads hold.
    unsafe { libc::_exit(i32::from(exit.code())) }
}
