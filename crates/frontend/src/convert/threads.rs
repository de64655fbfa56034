//! A net as threads: every token is a thread, its place is the thread's local
//! state, and one more local state, the pool, holds any number of threads that are
//! no token at present.
//!
//! A transition of the net becomes a chain of thread steps through shared states
//! of its own: first threads leave the input places for the pool, then threads
//! leave the pool for the output places. While a chain runs nobody else can step,
//! since no other step starts in its shared states. A chain that lacks a token
//! stays there for ever; targets are asked for outside of chains only, so such runs
//! do not count. The pool is never short: there are as many threads as it takes.

use std::collections::BTreeMap;

use model::{Bounds, CounterId, CounterSystem, CounterTransition, Target};

use crate::convert::ConvertError;
use crate::tts::{Arrow, Initial, Pair, Pattern, Size, System, Transition};

/// A larger weight or marking makes a text nobody wants.
const MAX_STEPS: u64 = 1_000_000;

/// A larger target is written as a chain of steps.
const MAX_THREADS_IN_PROPERTY: u64 = 1000;

/// The thread transition system of a net, and remarks on it.
pub(crate) fn threads_of_counters(
    system: &CounterSystem,
) -> Result<(System, Vec<String>), ConvertError> {
    let mut builder = Builder::new(system)?;
    for transition in &system.transitions {
        builder.transition(transition)?;
    }
    let initial = builder.initial(system)?;
    let pattern = builder.targets(system)?;
    let pool = builder.pool;
    let remarks = vec![
        format!(
            "local state n is place n, in the order of the net; {pool} is the pool of threads \
                 that are no token"
        ),
        "each transition of the net is a chain of steps through shared states of its own"
            .to_owned(),
    ];
    let size = Size { n_shared: builder.next_shared, n_local: builder.next_local };
    let transitions = builder.transitions;
    Ok((System { size, transitions, initial, patterns: vec![pattern] }, remarks))
}

/// What one link of a chain does.
enum Link {
    /// A token of this place becomes an idle thread.
    Take(u32),
    /// An idle thread becomes a token of this place.
    Give(u32),
    /// All threads move at once.
    Scatter(Vec<(u32, u32)>),
}

struct Builder {
    transitions: Vec<Transition>,
    next_shared: u32,
    next_local: u32,
    pool: u32,
    n_steps: u64,
}

impl Builder {
    fn new(system: &CounterSystem) -> Result<Builder, ConvertError> {
        let too_big = |_| ConvertError::new("the net is too large");
        let next_shared = u32::try_from(system.control_names.len()).map_err(too_big)?;
        let pool = u32::try_from(system.counter_names.len()).map_err(too_big)?;
        Ok(Builder { transitions: Vec::new(), next_shared, next_local: pool + 1, pool, n_steps: 0 })
    }

    fn transition(&mut self, transition: &CounterTransition) -> Result<(), ConvertError> {
        if transition.has_upper_bounds() {
            return Err(ConvertError::new(format!(
                "`{}` tests a place for few tokens, which threads cannot do",
                transition.name
            )));
        }
        let mut links = Vec::new();
        let delta: BTreeMap<CounterId, i64> = transition.delta.iter().copied().collect();
        if transition.moves.is_empty() {
            let mut taken = delta.clone();
            taken.values_mut().for_each(|n| *n = (-*n).max(0));
            for &(id, bounds) in &transition.guard {
                let n = taken.entry(id).or_default();
                *n = (*n).max(i64::from(bounds.min));
            }
            self.repeat(&mut links, taken.iter().map(|(&id, &n)| (id, n)), Link::Take)?;
            let given = |id: &CounterId| delta.get(id).copied().unwrap_or(0);
            let given = taken.iter().map(|(id, &n)| (*id, n + given(id)));
            self.repeat(&mut links, given, Link::Give)?;
        } else {
            let guard = || transition.guard.iter().map(|&(id, b)| (id, i64::from(b.min)));
            self.repeat(&mut links, guard(), Link::Take)?;
            self.repeat(&mut links, guard(), Link::Give)?;
            links.push(Link::Scatter(self.scatter(transition)));
            self.repeat(&mut links, delta.iter().map(|(&id, &n)| (id, -n)), Link::Take)?;
            self.repeat(&mut links, delta.iter().map(|(&id, &n)| (id, n)), Link::Give)?;
        }
        self.chain(transition.from.0, transition.to.0, links)
    }

    /// Adds `link` as often as each count says; negative counts are none.
    fn repeat(
        &mut self,
        links: &mut Vec<Link>,
        counts: impl Iterator<Item = (CounterId, i64)>,
        link: impl Fn(u32) -> Link,
    ) -> Result<(), ConvertError> {
        for (id, n) in counts {
            let n = n.max(0);
            self.spend(n.unsigned_abs())?;
            links.extend((0..n).map(|_| link(id.0)));
        }
        Ok(())
    }

    fn spend(&mut self, n_steps: u64) -> Result<(), ConvertError> {
        self.n_steps = self.n_steps.saturating_add(n_steps);
        if self.n_steps > MAX_STEPS {
            let reason = format!("its weights and markings need more than {MAX_STEPS} steps");
            return Err(ConvertError::new(reason));
        }
        Ok(())
    }

    fn scatter(&self, transition: &CounterTransition) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for one in &transition.moves {
            if one.to.is_empty() {
                pairs.push((one.from.0, self.pool));
            }
            pairs.extend(one.to.iter().map(|to| (one.from.0, to.0)));
        }
        pairs.sort_unstable();
        pairs
    }

    fn chain(&mut self, from: u32, to: u32, links: Vec<Link>) -> Result<(), ConvertError> {
        if links.is_empty() && from != to {
            return self.link(from, to, &Link::Scatter(vec![(self.pool, self.pool)]));
        }
        let mut at = from;
        let n_links = links.len();
        for (idx, link) in links.iter().enumerate() {
            let next = if idx + 1 == n_links { to } else { self.fresh_shared()? };
            self.link(at, next, link)?;
            at = next;
        }
        Ok(())
    }

    fn link(&mut self, from: u32, to: u32, link: &Link) -> Result<(), ConvertError> {
        let (arrow, source, target, passive) = match link {
            Link::Take(place) => (Arrow::Step, *place, self.pool, Vec::new()),
            Link::Give(place) => (Arrow::Step, self.pool, *place, Vec::new()),
            Link::Scatter(pairs) => match pairs.first() {
                Some(&(source, target)) => (Arrow::Transfer, source, target, pairs.clone()),
                None => return Ok(()),
            },
        };
        self.transitions.push(Transition {
            arrow,
            from: Pair { shared: from, local: source },
            to: Pair { shared: to, local: target },
            passive,
            span: None,
        });
        Ok(())
    }

    fn fresh_shared(&mut self) -> Result<u32, ConvertError> {
        self.spend(1)?;
        self.next_shared += 1;
        Ok(self.next_shared - 1)
    }

    /// Places with a range of initial tokens get theirs from a local state with
    /// that many threads, in a first shared state that is left for good.
    fn initial(&mut self, system: &CounterSystem) -> Result<Initial, ConvertError> {
        let [zone] = system.initial.as_slice() else {
            return Err(ConvertError::new("the net has several initial zones"));
        };
        let mut initial =
            Initial { shared: zone.control.0, exact: Vec::new(), any: vec![self.pool] };
        let is_range = |bounds: &Bounds| bounds.max.is_some_and(|max| max > bounds.min);
        let has_ranges = zone.bounds.iter().any(|(_, bounds)| is_range(bounds));
        if has_ranges {
            initial.shared = self.fresh_shared()?;
            let stay = Link::Scatter(vec![(self.pool, self.pool)]);
            self.link(initial.shared, zone.control.0, &stay)?;
        }
        for &(id, bounds) in &zone.bounds {
            self.spend(u64::from(bounds.min))?;
            initial.exact.extend((0..bounds.min).map(|_| id.0));
            match bounds.max {
                None => initial.any.push(id.0),
                Some(max) if max > bounds.min => {
                    self.spend(u64::from(max - bounds.min))?;
                    let reserve = self.next_local;
                    self.next_local += 1;
                    initial.exact.extend((bounds.min..max).map(|_| reserve));
                    self.transitions.push(Transition {
                        arrow: Arrow::Step,
                        from: Pair { shared: initial.shared, local: reserve },
                        to: Pair { shared: initial.shared, local: id.0 },
                        passive: Vec::new(),
                        span: None,
                    });
                }
                Some(_) => {}
            }
        }
        initial.exact.sort_unstable();
        initial.any.sort_unstable();
        Ok(initial)
    }

    fn targets(&mut self, system: &CounterSystem) -> Result<Pattern, ConvertError> {
        if system.targets.iter().any(|target| !target.zone.is_upward_closed()) {
            let reason = "a target asks for few tokens somewhere, which threads cannot say";
            return Err(ConvertError::new(reason));
        }
        if let [only] = system.targets.as_slice()
            && n_threads(only) <= MAX_THREADS_IN_PROPERTY
        {
            let bounds = only.zone.bounds.iter();
            let locals = bounds.flat_map(|(id, b)| std::iter::repeat_n(id.0, b.min as usize));
            return Ok(Pattern { shared: only.zone.control.0, locals: locals.collect() });
        }
        let goal = self.fresh_shared()?;
        for target in &system.targets {
            let mut links = Vec::new();
            let counts = target.zone.bounds.iter().map(|&(id, b)| (id, i64::from(b.min)));
            self.repeat(&mut links, counts, Link::Take)?;
            self.chain(target.zone.control.0, goal, links)?;
        }
        Ok(Pattern { shared: goal, locals: Vec::new() })
    }
}

fn n_threads(target: &Target) -> u64 {
    target.zone.bounds.iter().map(|(_, bounds)| u64::from(bounds.min)).sum()
}
