//! Ctrl-C and termination: asks the search to stop, and ends the run if it has
//! not done so after a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::exit::Exit;
use crate::last_words::{self, Ending};

/// How long a search may take to stop by itself. People press Ctrl-C twice after
/// about a second.
const PATIENCE: Duration = Duration::from_millis(800);
/// How long an answer that is already being printed may take after that.
const PRINTING_PATIENCE: Duration = Duration::from_millis(2000);

/// A flag that is set when the user wants to stop.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // Where signals cannot be caught, Ctrl-C ends the process at once.
    let _ = ctrlc::set_handler(move || {
        seen.store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        last_words::end(Ending::Interrupt);
        thread::sleep(PRINTING_PATIENCE);
        std::process::exit(i32::from(Exit::Interrupted.code()));
    });
    flag
}
