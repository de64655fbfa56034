//! Turns the limits a user asked for into those a run works under, and puts them
//! in force.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use model::{Limits, MemoryLimit};

use crate::args::LimitArgs;
use crate::{memory, watch};

/// What the process needs beside what it allocates: code, stacks, the allocator's
/// own tables.
const OVERHEAD: u64 = 8 << 20;
/// The limit where the system does not tell how much memory there is.
const MEMORY_IF_UNTOLD: u64 = 4 << 30;
/// The longest that a run may go on after its time is over.
const MAX_GRACE: Duration = Duration::from_secs(3);

/// Puts the limits in force and returns those for engines and checker.
///
/// A search stops by itself at 90 % of the memory (less what the process needs
/// beside it); past 97 % the process is ended. Time past its limit ends the
/// process after a grace of a fifth of it, at least 500 ms and at most 3 s.
pub fn put_in_force(args: &LimitArgs, started: Instant, cancel: Arc<AtomicBool>) -> Limits {
    let memory = args.memory.unwrap_or_else(default_memory);
    let for_heap = memory.saturating_sub(OVERHEAD);
    memory::set_hard_limit(for_heap / 100 * 97);
    let deadline = args.time.and_then(|time| started.checked_add(time));
    let grace = args.time.map(|time| (time / 5).clamp(Duration::from_millis(500), MAX_GRACE));
    watch::start(watch::Bounds {
        deadline: deadline.zip(grace).and_then(|(at, grace)| at.checked_add(grace)),
        memory: memory / 100 * 97,
    });
    Limits {
        deadline,
        memory: Some(MemoryLimit { bytes: for_heap / 100 * 90, gauge: memory::gauge }),
        cancel: vec![cancel],
        jobs: args.jobs.map_or_else(n_cores, usize::from),
    }
}

fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// 80 % of what the machine has, or of what the container may use.
fn default_memory() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_in(&text));
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    let known = [machine, container].into_iter().flatten().min();
    known.map_or(MEMORY_IF_UNTOLD, |bytes| bytes / 10 * 8)
}

fn total_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}
