//! Explains in words why a certificate proves the property, short enough to read.

use model::{
    Certificate, ElementViews, LinearLemma, Problem, Proof, Refutation, Support, ThreadViews, Views,
};

use crate::layout::{clip, counted, paragraph};
use crate::names::Names;
use crate::summaries;

/// Lines of a proof that are spelled out; the rest is counted.
const MAX_LINES: usize = 6;
/// An inequality with more terms is counted, not shown.
const MAX_TERMS: usize = 24;

/// The explanation, with an empty line before it.
pub(crate) fn explain(problem: Problem<'_>, certificate: &Certificate, width: usize) -> String {
    let names = Names::new(problem, Some(&certificate.vocabulary));
    let (sentence, lines) = match &certificate.proof {
        Proof::Cover { configurations } => (
            format!(
                "Every reachable state lies below one of {} (`*` is any number{}), \
                 and no state below them is an error:",
                counted(configurations.len(), "configuration"),
                match problem {
                    Problem::Threads(_) | Problem::ThreadRuns(_) =>
                        ", `#l` counts the threads in l",
                    _ => "",
                }
            ),
            listed(configurations.iter().map(|c| names.configuration(c)), configurations.len()),
        ),
        Proof::Basis { support, equal, lemmas, basis } => (
            basis_sentence(support, equal.len(), lemmas.len(), basis.len()),
            basis_lines(&names, lemmas, basis),
        ),
        Proof::Equation { support, refutations } => (
            equation_sentence(support, refutations.len()),
            listed(refutations.iter().map(|r| refutation_line(&names, r)), refutations.len()),
        ),
        Proof::Views(views) => (views_sentence(views), Vec::new()),
        Proof::Summaries(summaries) => summaries::explain(problem, summaries),
        Proof::ThreadModular(views) => (modular_sentence(views), Vec::new()),
        Proof::ElementViews(views) => (element_sentence(problem, views), Vec::new()),
        // The first line has said it all.
        Proof::Exhausted { .. } => return String::new(),
    };
    let mut out = String::from("\n");
    out.push_str(&paragraph("", 0, &sentence, width));
    for line in lines {
        out.push_str(&format!("  {}\n", clip(&line, width.saturating_sub(2))));
    }
    out
}

fn views_sentence(views: &Views) -> String {
    let (threads, nodes) = (counted(views.size as usize, "thread"), views.nodes.len());
    let nodes = counted(nodes, "node");
    match views.is_whole {
        true => format!(
            "There are never more than {threads}, and their states are among those of a \
             decision diagram with {nodes}, in none of which a step is an error."
        ),
        false => format!(
            "A decision diagram with {nodes} says where up to {threads} can be at the same time \
             and with which values: no step of a thread among any number of others leads out \
             of it, and none in it is an error."
        ),
    }
}

fn modular_sentence(views: &ThreadViews) -> String {
    let seen = match views.level {
        1 => "where one thread can be".to_owned(),
        level => format!("where any {level} threads can be together"),
    };
    let exposed = match views.exposed.len() {
        0 => String::new(),
        1 => {
            ", and how many of all threads are in a class of local stores (none, one, more)".into()
        }
        n => format!(", and how many of all threads are in each of {n} classes of local stores"),
    };
    format!(
        "{} say {seen} beside each shared store{exposed}: no step of it, and nothing that others \
         may do to the shared store, leads out of them, and none of them is an error.",
        counted(views.n_views(), "view")
    )
}

fn basis_sentence(support: &Support, n_equal: usize, n_lemmas: usize, n_zones: usize) -> String {
    if support.controls.is_empty() {
        return "No state is reachable at all.".to_owned();
    }
    let mut facts = Vec::new();
    if n_equal > 0 {
        facts.push(format!("{} of counters that are always equal", counted(n_equal, "pair")));
    }
    if n_lemmas > 0 {
        facts.push(counted(n_lemmas, "linear fact"));
    }
    let with =
        if facts.is_empty() { String::new() } else { format!(" With {},", facts.join(" and ")) };
    if n_zones == 0 {
        return format!("No error can ever be entered:{with} no state leads to one.");
    }
    format!(
        "An error can only be reached from within {}; no initial state lies there and no step \
         from outside leads in.{with} the zones are closed under going backwards:",
        counted(n_zones, "zone")
    )
    .replace("in. the zones", "in. The zones")
}

fn basis_lines(names: &Names<'_>, lemmas: &[LinearLemma], basis: &[model::Zone]) -> Vec<String> {
    let mut lines: Vec<String> =
        lemmas.iter().take(MAX_LINES).map(|lemma| lemma_line(names, lemma)).collect();
    lines.extend(listed(basis.iter().map(|zone| names.zone(zone)), basis.len()));
    lines
}

fn equation_sentence(support: &Support, n_facts: usize) -> String {
    if support.controls.is_empty() {
        return "No state is reachable at all.".to_owned();
    }
    if n_facts == 0 {
        return "What can be reached never holds what the error needs.".to_owned();
    }
    format!(
        "{} true at the start, kept by every step, and false in every error:",
        if n_facts == 1 {
            "A linear fact is".to_owned()
        } else {
            format!("{n_facts} linear facts are")
        }
    )
}

fn refutation_line(names: &Names<'_>, refutation: &Refutation) -> String {
    let lemma = lemma_line(names, &refutation.lemma);
    if refutation.traps.is_empty() {
        return lemma;
    }
    format!("{lemma}, with {}", counted(refutation.traps.len(), "trap"))
}

/// `busy + 2 lock <= 1`, or the number of its terms when there are many.
fn lemma_line(names: &Names<'_>, lemma: &LinearLemma) -> String {
    let n_terms = lemma.controls.len() + lemma.counters.len();
    if n_terms > MAX_TERMS {
        return format!("a weighted sum of {n_terms} terms <= {}", lemma.bound);
    }
    let controls =
        lemma.controls.iter().map(|(id, weight)| (format!("[{}]", names.control(*id)), *weight));
    let counters = lemma.counters.iter().map(|(id, weight)| (names.counter(*id), *weight));
    let mut sum = String::new();
    for (name, weight) in controls.chain(counters) {
        push_term(&mut sum, &name, weight);
    }
    if sum.is_empty() {
        sum.push('0');
    }
    format!("{sum} <= {}", lemma.bound)
}

fn push_term(sum: &mut String, name: &str, weight: i64) {
    let sign = match (sum.is_empty(), weight < 0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    };
    sum.push_str(sign);
    if weight.unsigned_abs() != 1 {
        sum.push_str(&format!("{} ", weight.unsigned_abs()));
    }
    sum.push_str(name);
}

fn listed(lines: impl Iterator<Item = String>, n_lines: usize) -> Vec<String> {
    let mut shown: Vec<String> = lines.take(MAX_LINES).collect();
    if n_lines > MAX_LINES {
        shown.push(format!("… and {} more", n_lines - MAX_LINES));
    }
    shown
}

fn element_sentence(problem: Problem<'_>, views: &ElementViews) -> String {
    let (parameter, nodes) = match problem {
        Problem::Parameterized(system) => (system.parameter(), system.nodes()),
        _ => ("the parameter", None),
    };
    let shared = match nodes {
        Some(nodes) => format!("all that is shared and each of `{nodes}` that it leads to"),
        None => "all that is shared".to_owned(),
    };
    let seen = match views.n_visible {
        1 => format!("each element of `{parameter}` looks"),
        n => format!("each {n} elements of `{parameter}` look"),
    };
    format!(
        "However many there are, {seen}, together with {shared}, like one of {}. Their \
         steps, and those of others beside them, lead from these views to these views, and none \
         of them is an error.",
        counted(views.views.len(), "view"),
    )
}
