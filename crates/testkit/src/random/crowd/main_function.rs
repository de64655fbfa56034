//! Prints the function that creates the threads.

use super::print::{Count, Lines, initialise};
use super::tree::{Argument, Handles, Joins, Program};

/// Prints it behind all other functions.
pub fn print(program: &Program, count: Count, lines: &mut Lines) {
    lines.open("int @main(void) {");
    lines.locals(false);
    match count {
        Count::Any => {
            lines.line("int n = __VERIFIER_nondet_int();");
            lines.line("if (n < 1) return 0;");
        }
        Count::Exactly(n) => lines.line(&format!("int n = {n};")),
    }
    initialise(program, lines);
    lines.all(&program.first.before);
    handles(program, lines);
    let n_workers = program.workers.len();
    match program.first.has_loops_of_their_own {
        true => {
            (0..n_workers).for_each(|worker| creation(program, &format!("@worker{worker}"), lines))
        }
        false if n_workers == 1 => creation(program, "@worker0", lines),
        false => creation(program, "i % 2 ? @worker1 : @worker0", lines),
    }
    lines.all(&program.first.meanwhile);
    joins(program, lines);
    lines.all(&program.first.after);
    lines.line(if program.first.leaves_threads { "pthread_exit(0);" } else { "return 0;" });
    lines.close();
}

fn handles(program: &Program, lines: &mut Lines) {
    match program.first.handles {
        Handles::One => lines.line("pthread_t t;"),
        Handles::Ring => {}
        Handles::Allocated => lines.line("pthread_t *t = malloc(n * sizeof *t);"),
        Handles::Local => lines.line("pthread_t t[n];"),
    }
}

fn thread_name(program: &Program) -> &'static str {
    match program.first.handles {
        Handles::One => "t",
        Handles::Ring => "@ring[i & 3]",
        Handles::Allocated | Handles::Local => "t[i]",
    }
}

fn creation(program: &Program, worker: &str, lines: &mut Lines) {
    lines.open("for (int i = 0; i < n; i++) {");
    let argument = match program.argument {
        Argument::Null => "0",
        Argument::Number => "(void *)(long)(i % 2)",
        Argument::Input => "(void *)(long)__VERIFIER_nondet_int()",
        Argument::Cell => "&@v[i % 2]",
        Argument::Block => {
            lines.line("int *block = malloc(sizeof *block);");
            lines.line("*block = i % 2;");
            "block"
        }
    };
    let handle = thread_name(program);
    lines.line(&format!("pthread_create(&{handle}, 0, {worker}, {argument});"));
    if program.first.joins == Joins::Detached {
        lines.line(&format!("pthread_detach({handle});"));
    }
    lines.all(&program.first.between);
    lines.close();
}

fn joins(program: &Program, lines: &mut Lines) {
    let n = match program.first.joins {
        Joins::All => "n",
        Joins::Half => "n / 2",
        Joins::Detached | Joins::Nobody => return,
    };
    match program.first.handles {
        Handles::One => lines.line("pthread_join(t, 0);"),
        Handles::Ring => {
            lines.line(&format!(
                "for (int i = 0; i < {n} && i < 4; i++) pthread_join(@ring[i], 0);"
            ));
        }
        Handles::Allocated | Handles::Local => {
            lines.line(&format!("for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);"));
        }
    }
}
