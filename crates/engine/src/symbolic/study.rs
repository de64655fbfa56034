//! Which search is next, and what their results say together.

use model::{
    BooleanFlow, Certificate, Context, Progress, ProgressSink, Proof, StopReason, ThreadCount,
    ThreadProgram, Trace, Variant, Verdict, Vocabulary,
};

use super::closure::{ClosureHalt, Fixpoint, n_nodes};
use super::diagram::{Set, Variable};
use super::rings::Rings;
use super::start::Population;
use super::world::{Family, World};
use super::{proof, reconstruct};

/// Numbers of threads that are tried although nothing can be proven any more.
const THREADS_WITHOUT_PROOF: usize = 3;

/// One question, and what is known about it.
pub(super) struct Study<'a> {
    program: &'a dyn ThreadProgram,
    flow: &'a BooleanFlow,
    threads: ThreadCount,
    population: Population,
    context: Context<'a>,
    /// Why nothing can be proven.
    incomplete: Option<String>,
    /// For each number of threads, the thread states that so many reach.
    n_reached: Vec<(usize, u64)>,
    figures: Figures,
    pub(super) notes: Vec<String>,
}

/// Figures for the report.
#[derive(Default)]
struct Figures {
    n_threads: u64,
    view_size: u64,
    n_thread_states: u64,
    n_rounds: u64,
    n_nodes: u64,
    n_operations: u64,
}

impl<'a> Study<'a> {
    pub(super) fn new(
        program: &'a dyn ThreadProgram,
        flow: &'a BooleanFlow,
        threads: ThreadCount,
        context: Context<'a>,
    ) -> Result<Study<'a>, StopReason> {
        let population = Population::new(flow, threads).ok_or_else(|| StopReason::Incomplete {
            why: "no run starts with so many threads".to_owned(),
        })?;
        Ok(Study {
            program,
            flow,
            threads,
            population,
            context,
            incomplete: None,
            n_reached: Vec::new(),
            figures: Figures::default(),
            notes: Vec::new(),
        })
    }

    /// The two searches in turns.
    pub(super) fn answer(&mut self) -> Result<Verdict, StopReason> {
        let fewest = (self.population.fewest() as usize).max(1);
        if let Some(verdict) = self.views(1)? {
            return Ok(verdict);
        }
        for n in 1.. {
            if n >= fewest
                && let Some(verdict) = self.runs(n)?
            {
                return Ok(verdict);
            }
            if n >= THREADS_WITHOUT_PROOF.max(fewest)
                && let Some(why) = self.incomplete.take()
            {
                return Err(StopReason::Incomplete { why });
            }
            if n >= 2
                && let Some(verdict) = self.views(n)?
            {
                return Ok(verdict);
            }
        }
        Err(super::odd("numbers came to an end"))
    }

    /// What `n` threads reach.
    fn runs(&mut self, n: usize) -> Result<Option<Verdict>, StopReason> {
        let world = World::new(self.flow, n, self.context.limits)?;
        let mut closure = Fixpoint::of_everybody(&world, &self.population, n)?;
        let progress = self.context.progress;
        let closed = closure.close(&mut |n_rounds| look(progress, ("threads", n), n_rounds));
        self.figures.n_threads = n as u64;
        self.figures.n_rounds += closure.n_rounds;
        match closed {
            Ok(()) => {}
            Err(ClosureHalt::Violation(_)) => return self.shortest(&world, n).map(Some),
            Err(ClosureHalt::Incomplete(_)) => return Err(super::odd("a run stopped in vain")),
            Err(ClosureHalt::Stopped(reason)) => return Err(reason),
        }
        let n_states = n_thread_states(&world, &closure.reached, n)?;
        self.n_reached.push((n, n_states));
        self.figures.n_thread_states = n_states;
        self.figures.n_nodes = n_nodes(&closure.reached);
        self.figures.n_operations += world.diagrams.n_operations();
        if let Some(edge_idx) = closure.incomplete {
            let why = self.flow.edges[edge_idx].incomplete.clone().unwrap_or_default();
            self.incomplete.get_or_insert(why);
        }
        // Nobody was left out: these are all states that there are.
        let is_all = self.population.size().is_some() && !closure.is_cut;
        if !is_all || self.incomplete.is_some() {
            return Ok(None);
        }
        let views = proof::views(&world, &closure.reached, n, true)?;
        self.holds(Proof::Views(views)).map(Some)
    }

    /// The views of `size` threads of what any number of threads may reach.
    fn views(&mut self, size: usize) -> Result<Option<Verdict>, StopReason> {
        if self.incomplete.is_some() {
            return Ok(None);
        }
        let world = World::new(self.flow, size + 1, self.context.limits)?;
        let mut closure = Fixpoint::of_members(&world, &self.population, size)?;
        let progress = self.context.progress;
        let closed = closure.close(&mut |n_rounds| look(progress, ("view size", size), n_rounds));
        self.figures.view_size = size as u64;
        self.figures.n_rounds += closure.n_rounds;
        self.figures.n_operations += world.diagrams.n_operations();
        match closed {
            Ok(()) => {}
            Err(ClosureHalt::Violation(_) | ClosureHalt::Incomplete(_)) => return Ok(None),
            Err(ClosureHalt::Stopped(reason)) => return Err(reason),
        }
        let n_states = n_thread_states(&world, &closure.reached, size)?;
        self.figures.n_thread_states = n_states;
        self.figures.n_nodes = n_nodes(&closure.reached);
        let views = proof::views(&world, &closure.reached, size, false)?;
        drop(closure);
        drop(world);
        if self.threads == ThreadCount::Any {
            self.tell_cutoff(n_states);
        }
        self.holds(Proof::Views(views)).map(Some)
    }

    /// A number of threads that reach all thread states that the views show: a cutoff. What
    /// one thread reaches is counted for that alone, since it is fewer than the views; if
    /// even so it is too much, nothing is reported.
    fn tell_cutoff(&mut self, n_states: u64) {
        if self.n_reached.is_empty() && self.population.fewest() <= 1 {
            let counted = self.count_reached(1);
            self.n_reached.extend(counted.into_iter().flatten());
        }
        // What is reached is among the views, so that equal numbers mean equal sets.
        let enough = self.n_reached.iter().find(|(_, n_reached)| *n_reached == n_states);
        if let Some((n, _)) = enough.filter(|_| n_states < u64::MAX) {
            let threads = if *n == 1 { "thread reaches" } else { "threads reach" };
            self.notes.push(format!(
                "{n} {threads} every thread state that any number of threads reaches ({n_states})"
            ));
        }
    }

    /// The thread states that `n` threads reach, with `n`.
    fn count_reached(&self, n: usize) -> Result<Option<(usize, u64)>, StopReason> {
        let world = World::new(self.flow, n, self.context.limits)?;
        let mut closure = Fixpoint::of_everybody(&world, &self.population, n)?;
        let progress = self.context.progress;
        match closure.close(&mut |n_rounds| look(progress, ("threads", n), n_rounds)) {
            Ok(()) => Ok(Some((n, n_thread_states(&world, &closure.reached, n)?))),
            Err(ClosureHalt::Stopped(reason)) => Err(reason),
            Err(_) => Ok(None),
        }
    }

    fn holds(&self, proof: Proof) -> Result<Verdict, StopReason> {
        let certificate = Certificate {
            variant: Variant::AS_WRITTEN,
            scope: self.threads,
            vocabulary: Vocabulary::None,
            proof,
        };
        Ok(Verdict::Holds(certificate))
    }

    fn shortest(&self, world: &World<'_>, n: usize) -> Result<Verdict, StopReason> {
        let progress = self.context.progress;
        let mut look = |n_rounds| look(progress, ("threads", n), n_rounds);
        match Rings::shortest(world, &self.population, n, &mut look) {
            Ok(run) => {
                let trace = reconstruct::trace(self.program, world, &run)?;
                Ok(Verdict::Violated(Trace::Threads(trace)))
            }
            Err(ClosureHalt::Stopped(reason)) => Err(reason),
            Err(_) => Err(super::odd("an error is met twice")),
        }
    }

    /// Named figures for the report.
    pub(super) fn statistics(&self) -> Vec<(String, u64)> {
        let figures = &self.figures;
        let named = [
            ("threads", figures.n_threads),
            ("view size", figures.view_size),
            ("thread states", figures.n_thread_states),
            ("rounds", figures.n_rounds),
            ("diagram nodes", figures.n_nodes),
            ("diagram operations", figures.n_operations),
        ];
        // A number that was too large to count is none.
        let counted = named.iter().filter(|(_, n)| *n < u64::MAX);
        counted.map(|&(name, n)| (name.to_owned(), n)).collect()
    }
}

fn look(progress: &dyn ProgressSink, (what, n): (&str, usize), n_rounds: u64) {
    let figures = [(what, n as u64), ("rounds", n_rounds)];
    progress.report(&Progress { engine: "symbolic", figures: &figures, n_ahead: None });
}

/// The number of thread states in a family: values of the shared variables, with where a
/// thread is and those of its locals that matter there.
fn n_thread_states(
    world: &World<'_>,
    family: &Family,
    n_members: usize,
) -> Result<u64, StopReason> {
    let (layout, diagrams) = (&world.layout, &world.diagrams);
    let mut hidden = vec![layout.atomic()];
    hidden.extend((1..n_members).flat_map(|thread| layout.thread(thread)));
    let hidden: Set = diagrams.variables(&hidden)?;
    let n_variables = (layout.n_shared() + layout.locals(0).len()) as u32;
    let mut n_states = 0u64;
    for (location, set) in family.sets[..layout.absent()].iter().enumerate() {
        let locals = layout.locals(0).iter().enumerate();
        let dead = locals.filter(|(idx, _)| world.liveness.is_dead(location, *idx));
        let dead: Vec<Variable> = dead.map(|(_, &variable)| variable).collect();
        let shown = diagrams.exists(set, &hidden)?;
        let shown = diagrams.exists(&shown, &diagrams.variables(&dead)?)?;
        let n_variables = n_variables - world.liveness.n_dead(location);
        n_states = n_states.saturating_add(diagrams.count(&shown, n_variables));
    }
    Ok(n_states)
}
