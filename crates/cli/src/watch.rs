//! A thread that looks every few milliseconds whether the run is within its
//! limits, for code that does not look itself: it samples the resident memory and
//! ends the run when that or the time is clearly past the limit.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::thread;
use std::time::{Duration, Instant};

use crate::last_words::{self, Ending};
use crate::memory;

const INTERVAL: Duration = Duration::from_millis(20);
/// When to end the run.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The run should have ended by itself well before this.
    pub deadline: Option<Instant>,
    /// Resident bytes.
    pub memory: u64,
}

/// Starts the thread. Without one the run still has the limits that engines check.
pub fn start(bounds: Bounds) {
    let _ = thread::Builder::new().name("watch".to_owned()).spawn(move || watch(bounds));
}

/// The most memory that was resident so far, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    peak_in(&status)
}

/// The peak in a `/proc/PID/status` text, in bytes.
pub fn peak_in(status: &str) -> Option<u64> {
    kibibytes_after(status, "VmHWM:")
}

fn watch(bounds: Bounds) {
    let mut status = File::open("/proc/self/status").ok();
    loop {
        if let Some(bytes) = status.as_mut().and_then(resident) {
            memory::note_resident(bytes);
            if bytes > bounds.memory {
                last_words::end(Ending::Memory);
            }
        }
        if bounds.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            last_words::end(Ending::Time);
        }
        thread::sleep(INTERVAL);
    }
}

/// The resident memory in `/proc/self/status`, in bytes. Allocates nothing.
fn resident(status: &mut File) -> Option<u64> {
    let mut buffer = [0u8; 4096];
    status.seek(SeekFrom::Start(0)).ok()?;
    let n_read = status.read(&mut buffer).ok()?;
    // Cutting the file off inside a character of the name would lose nothing else.
    let text = std::str::from_utf8(&buffer[..n_read]).ok()?;
    kibibytes_after(text, "VmRSS:")
}

fn kibibytes_after(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::peak_in;

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(peak_in("Name:\tx\nVmHWM:\t    12 kB\nVmRSS:\t 3 kB\n"), Some(12 * 1024));
        assert_eq!(peak_in("Name:\tx\n"), None);
    }
}
