//! CMP by views of elements: does a property hold for any number of interchangeable elements?
//!
//! A view is what a state is when all but c elements are forgotten. The engine computes the
//! least set of views that contains those of initial states and is closed under two kinds of
//! steps: of elements in a view, and of others beside it. An actor beside a view may be whatever
//! it is in views together with elements of that view: each choice of c among actors and
//! elements must be a view. If no view fails a property, no state of any size does.
//!
//! This is the CMP method with the strongest lemmas about c elements that there are: whatever is
//! true of each c elements restrains what Other may do, and nobody has to guess it.
//!
//! **Answers.** `Holds` carries the views, which `certify` checks without this module.
//! Otherwise `Unknown`, with the step beside a view that leads to the alarm: an alarm is not a
//! run of any instance.
//! **Sound for** invariants, assertions and faults of the abstraction that the front end makes.
//! **Not for** deadlocks and liveness. **Incomplete**: facts about more than c elements, and
//! counting, are lost.
//! **Ends** always, within limits: there are finitely many views.
//! **Source** Abdulla, Haziza, Holík, *All for the Price of Few*, VMCAI 2013; Hoenicke,
//! Majumdar, Podelski, POPL 2017; for CMP, Chou, Mannava, Park, FMCAD 2004. We differ: an actor
//! has only what its step looks at.
//! **Read first** `space.rs`, `groups.rs`, `closure.rs`; where elements share memory, `memory`.

mod alarm;
mod classes;
mod closure;
mod groups;
mod memory;
mod space;
mod store;

use model::parameterized::{ElementViews, ParameterizedSystem};
use model::{
    Certificate, Context, Deadlock, Fairness, Outcome, Proof, Scope, StateProblem, StopReason,
    Store, Variant, Verdict, Vocabulary,
};

use crate::explicit::{self, SearchOptions};

use closure::{Closure, End};
use groups::Groups;
use space::Space;

/// The name of the engine in reports.
pub const NAME: &str = "cmp";

/// Looks whether the properties hold for any number of elements.
pub fn check(system: &dyn ParameterizedSystem, context: Context<'_>) -> Outcome {
    let n_visible = system.n_visible();
    if let Some(reason) = smaller_fail(system, context) {
        return outcome(Verdict::Unknown(reason), Vec::new(), Vec::new());
    }
    if system.cells().memory.is_some() {
        return memory::check(system, context);
    }
    let space = Space::new(system.cells(), n_visible, system.own().state_words());
    let groups = Groups::new(system, &space);
    if let Some(why) = not_supported(system, &space, &groups) {
        return outcome(Verdict::Unknown(StopReason::Incomplete { why }), Vec::new(), Vec::new());
    }
    let mut closure = Closure::new(system, (&space, &groups), context);
    let end = closure.run();
    let statistics = vec![
        ("elements in a view".to_owned(), u64::from(n_visible)),
        ("views".to_owned(), closure.views.len() as u64),
        ("steps".to_owned(), closure.n_steps),
        ("companies of actors".to_owned(), closure.n_joint),
    ];
    match end {
        End::Closed => outcome(Verdict::Holds(proof(&closure, n_visible)), statistics, Vec::new()),
        End::Stopped(reason) => outcome(Verdict::Unknown(reason), statistics, Vec::new()),
        End::Alarm(alarm) => {
            let (why, notes) = alarm::told(system, &closure.origins, &alarm);
            outcome(Verdict::Unknown(StopReason::Incomplete { why }), statistics, notes)
        }
    }
}

/// Why it is not known of all systems with fewer elements than a view shows that they are right.
fn smaller_fail(system: &dyn ParameterizedSystem, context: Context<'_>) -> Option<StopReason> {
    for idx in 0..system.n_smaller() {
        let (deadlock, fairness) = (Deadlock::Off, Fairness::default());
        let smaller = system.smaller(idx);
        let problem = StateProblem { system: smaller, deadlock, formula: None, fairness };
        match explicit::check(&problem, &SearchOptions::default(), context).verdict {
            Verdict::Holds(_) => {}
            Verdict::Violated(_) => {
                let why = format!("with {} elements there is an error", idx + 1);
                return Some(StopReason::Incomplete { why });
            }
            Verdict::Unknown(reason) => return Some(reason),
        }
    }
    None
}

/// What belongs to two elements at once is not seen in views of one.
fn not_supported(
    system: &dyn ParameterizedSystem,
    space: &Space,
    groups: &Groups,
) -> Option<String> {
    let is_unknown =
        |group: &groups::Group| group.unknown[..space.state_words].iter().any(|word| *word != 0);
    groups.groups.iter().any(is_unknown).then(|| {
        let (n, parameter) = (space.n_visible, system.parameter());
        format!("views of {n} cannot show what belongs to several elements of `{parameter}`")
    })
}

fn proof(closure: &Closure<'_>, n_visible: u32) -> Certificate {
    let mut packed = vec![0; closure.space.state_words];
    let views = (0..closure.views.len() as u32).map(|number| {
        closure.space.pack(closure.views.get(number), &mut packed);
        Store::of_words(&packed)
    });
    certificate(n_visible, views.collect())
}

fn certificate(n_visible: u32, views: Vec<Store>) -> Certificate {
    Certificate {
        variant: Variant::AS_WRITTEN,
        scope: Scope::Any,
        vocabulary: Vocabulary::None,
        proof: Proof::ElementViews(ElementViews { n_visible, views }),
    }
}

fn outcome(verdict: Verdict, statistics: Vec<(String, u64)>, notes: Vec<String>) -> Outcome {
    Outcome { verdict, engine: NAME.to_owned(), statistics, notes }
}
