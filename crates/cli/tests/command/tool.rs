//! Runs the built command on small files in a directory of its own.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A net in which two threads can be busy at once.
pub const BROKEN_MUTEX: &str = "\
vars idle busy lock
rules
  idle >= 1, lock >= 1 -> idle' = idle-1, busy' = busy+1;
init idle >= 1, busy = 0, lock = 1
target busy >= 2
";

/// The same with the lock taken.
pub const MUTEX: &str = "\
vars idle busy lock
rules
  idle >= 1, lock >= 1 -> idle' = idle-1, lock' = lock-1, busy' = busy+1;
  busy >= 1 -> idle' = idle+1, lock' = lock+1, busy' = busy-1;
init idle >= 1, busy = 0, lock = 1
target busy >= 2
";

/// Counts up to 3, and is then stuck.
pub const COUNT: &str = "\
const N: 3;
var x: 0..5;
startstate begin x := 0; end;
rule \"inc\" x < N ==> begin x := x + 1; end;
invariant \"small\" x <= 5;
";

/// One after the other takes a lock (shared 1) and keeps it; the error is the third.
pub const LOCK: &str = "\
4 2
0 0 -> 1 1
1 0 -> 2 1
2 0 -> 3 1
3|1,1,1
";

/// Two threads that take two locks in opposite order.
pub const AB_BA: &str = "\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}
void *two(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
";

/// A message behind a relaxed flag.
pub const RELAXED: &str = "\
#include <pthread.h>
#include <stdatomic.h>
int message;
atomic_int flag;
void *send(void *arg) {
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}
int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        message++;
    pthread_join(sender, 0);
    return 0;
}
";

/// The first of these programs that is installed.
pub fn installed(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&path).flat_map(|dir| names.iter().map(move |name| dir.join(name)));
    found.into_iter().find(|file| file.is_file())
}

/// Is there a compiler for C? Says so if there is none.
#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
pub fn has_clang() -> bool {
    let found = installed(&["clang", "clang-14", "clang-15", "clang-16", "clang-19"]).is_some();
    if !found {
        eprintln!("skipped: no clang is installed");
    }
    found
}

/// A directory that is removed at the end of the test.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "threadproof-test-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).expect("the temporary directory is writable");
        Scratch(dir)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the temporary directory is writable");
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file was written")
    }

    /// The command, started in this directory with these arguments.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_threadproof"));
        command.current_dir(&self.0).args(args).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ended {
        Ended::new(self.command(args).output().expect("the command starts"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover directory harms no test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How a run ended and what it printed.
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn new(output: Output) -> Ended {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn expect(self, code: i32, stdout: &str, stderr: &str) -> Ended {
        let all = format!("{:?}\n--\n{}\n--\n{}", self.code, self.stdout, self.stderr);
        assert_eq!(self.code, Some(code), "{all}");
        assert!(self.stdout.contains(stdout), "no `{stdout}` in {all}");
        assert!(self.stderr.contains(stderr), "no `{stderr}` in {all}");
        self
    }
}
