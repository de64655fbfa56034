//! A random thread program as the text of a `.tts` file, so that the command can run it.
//!
//! What the language has no words for is said in more states: a thread that ends goes to a
//! local state without steps; threads are created one by one, with a shared state of its own
//! between each, in which nobody else has a step; several initial shared states are reached
//! from one by steps that need no thread; an error in a step is a shared state.

use model::Multiplicity;

use super::program::{RandomProgram, TableStep};

/// The text, with initial states and property; `None` for steps without a thread that create
/// threads or are errors.
pub fn as_tts(program: &RandomProgram) -> Option<String> {
    let locals = program.steps.iter().flat_map(|step| {
        step.local.into_iter().chain(step.to_local).chain(step.spawned.iter().copied())
    });
    let moved = program.broadcasts.iter().flatten().flat_map(|(from, to)| to.iter().chain([from]));
    let wanted = program.fits.iter().flat_map(|fits| fits.1.iter().flatten());
    let initial = program.templates.iter().flat_map(|template| &template.initial);
    let initial = initial.map(|store| store.bytes()[0]);
    let locals = locals.chain(moved.copied()).chain(wanted.copied()).chain(initial);
    let shared = program.steps.iter().flat_map(|step| [step.shared, step.to_shared]);
    let wanted = program.fits.iter().flat_map(|fits| fits.0.iter().copied());
    let shared = shared.chain(program.initial_shared.iter().copied()).chain(wanted);
    let n_local = u32::from(locals.max().unwrap_or(0)) + 1;
    let n_shared = u32::from(shared.max().unwrap_or(0)) + 1;
    let mut writer = Writer {
        n_shared: n_shared + 1,
        n_local: n_local + 1,
        inert: n_local,
        error: n_shared,
        lines: Vec::new(),
    };
    for step in &program.steps {
        writer.step(program, step)?;
    }
    let init = writer.initial(program);
    let patterns = writer.patterns(program);
    let Writer { n_shared, n_local, lines, .. } = writer;
    let head = [format!("{n_shared} {n_local}"), format!("# init: {init}")];
    let all: Vec<String> = head.into_iter().chain(lines).chain(patterns).collect();
    Some(all.join("\n") + "\n")
}

struct Writer {
    n_shared: u32,
    n_local: u32,
    /// The local state of threads that have ended.
    inert: u32,
    /// The shared state after an error.
    error: u32,
    lines: Vec<String>,
}

impl Writer {
    fn new_shared(&mut self) -> u32 {
        self.n_shared += 1;
        self.n_shared - 1
    }

    fn new_local(&mut self) -> u32 {
        self.n_local += 1;
        self.n_local - 1
    }

    fn step(&mut self, program: &RandomProgram, step: &TableStep) -> Option<()> {
        let (from, to, inert, error) = (step.shared, step.to_shared, self.inert, self.error);
        let passive: String = step.broadcast.map_or_else(String::new, |broadcast| {
            let pairs = program.broadcasts[broadcast].iter();
            let pairs = pairs.flat_map(|(a, all)| all.iter().map(move |b| format!(" {a} ~> {b}")));
            pairs.collect()
        });
        let Some(local) = step.local else {
            if step.is_violation || !step.spawned.is_empty() {
                return None;
            }
            self.lines.push(format!("{from} {inert} ~> {to} {inert}{passive}"));
            return Some(());
        };
        if step.is_violation {
            self.lines.push(format!("{from} {local} -> {error} {inert}"));
            return Some(());
        }
        let to_local = step.to_local.map_or(inert, u32::from);
        if step.spawned.is_empty() {
            self.lines.push(format!("{from} {local} -> {to} {to_local}{passive}"));
            return Some(());
        }
        let (creating, mut at) = (self.new_local(), self.new_shared());
        self.lines.push(format!("{from} {local} -> {at} {creating}{passive}"));
        for spawned in &step.spawned {
            let next = self.new_shared();
            self.lines.push(format!("{at} {creating} +> {next} {spawned}"));
            at = next;
        }
        self.lines.push(format!("{at} {creating} -> {to} {to_local}"));
        Some(())
    }

    /// The initial states, as `--init` has them. A thread that may start in several local
    /// states chooses by a step; one that has not chosen is as good as not there.
    fn initial(&mut self, program: &RandomProgram) -> String {
        let start = match program.initial_shared[..] {
            [only] => u32::from(only),
            _ => self.new_shared(),
        };
        if program.initial_shared.len() > 1 {
            for shared in &program.initial_shared {
                self.lines.push(format!("{start} {0} ~> {shared} {0}", self.inert));
            }
        }
        let (mut exact, mut any): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for template in &program.templates {
            let locals: Vec<u32> =
                template.initial.iter().map(|store| u32::from(store.bytes()[0])).collect();
            match (template.multiplicity, &locals[..]) {
                (Multiplicity::Any, _) => any.extend(locals.iter().map(u32::to_string)),
                (Multiplicity::Exactly(n), [only]) => {
                    exact.extend((0..n).map(|_| only.to_string()));
                }
                (Multiplicity::Exactly(n), _) => {
                    let undecided = self.new_local();
                    for local in &locals {
                        self.lines.push(format!("{start} {undecided} -> {start} {local}"));
                    }
                    exact.extend((0..n).map(|_| undecided.to_string()));
                }
            }
        }
        any.sort_unstable();
        any.dedup();
        let exact = if exact.is_empty() && !any.is_empty() {
            String::new()
        } else {
            format!("|{}", exact.join(","))
        };
        let any = if any.is_empty() { String::new() } else { format!("/{}", any.join(",")) };
        format!("{start}{exact}{any}")
    }

    /// What must not occur.
    fn patterns(&self, program: &RandomProgram) -> Vec<String> {
        let mut patterns = vec![format!("{}|{}", self.error, self.inert)];
        for (shape, (shared, fits)) in program.shapes.iter().zip(&program.fits) {
            let mut ways: Vec<Vec<u32>> = vec![Vec::new()];
            for (&n, locals) in shape.slots.iter().zip(fits) {
                for _ in 0..n {
                    let longer = |way: &Vec<u32>| -> Vec<Vec<u32>> {
                        let with = |&local: &u8| [&way[..], &[u32::from(local)]].concat();
                        locals.iter().map(with).collect()
                    };
                    ways = ways.iter().flat_map(longer).collect();
                }
            }
            if shape.slots.is_empty() {
                // Some thread is somewhere.
                ways = (0..self.n_local).map(|local| vec![local]).collect();
            }
            for way in &mut ways {
                way.sort_unstable();
            }
            ways.sort_unstable();
            ways.dedup();
            for (shared, way) in shared.iter().flat_map(|s| ways.iter().map(move |way| (s, way))) {
                let locals: Vec<String> = way.iter().map(u32::to_string).collect();
                patterns.push(format!("{shared}|{}", locals.join(",")));
            }
        }
        patterns
    }
}

#[cfg(test)]
mod tests {
    use engine::Engine;
    use frontend::Language;
    use model::{Context, Limits, Problem, ThreadCount, Verdict};

    use super::as_tts;
    use crate::random::program::{plain, rich};
    use crate::rng::Rng;
    use crate::texts::Texts;

    fn is_violated(problem: Problem<'_>) -> bool {
        let limits = Limits::none();
        let context = Context::silent(&limits);
        let outcome = engine::check(problem, ThreadCount::Any, Engine::Backward, context);
        match outcome.verdict {
            Verdict::Holds(_) => false,
            Verdict::Violated(_) => true,
            Verdict::Unknown(reason) => panic!("it is decidable: {reason:?}"),
        }
    }

    #[test]
    fn the_text_has_the_verdict_of_the_program() {
        let (mut n_written, mut n_violated) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let program = if seed % 4 == 0 { plain(&mut rng) } else { rich(&mut rng) };
            let Some(text) = as_tts(&program) else { continue };
            let texts = Texts::new(Language::Tts, "random.tts", &text);
            let model = texts.load().expect("it is well formed");
            let (wanted, found) =
                (is_violated(Problem::Threads(&program)), is_violated(model.problem()));
            assert_eq!(found, wanted, "seed {seed}: {program:#?}\n{text}");
            n_written += 1;
            n_violated += u32::from(found);
        }
        assert!(n_written > 320 && n_violated > 60 && n_violated < n_written - 60);
    }
}
