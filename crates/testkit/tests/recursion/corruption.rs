//! Proofs with one part left out are rejected: each entry, summary edge and guaranteed change
//! that an engine lists is needed, since it lists the least sets.

use model::{Certificate, Limits, Problem, Proof, Summaries, ThreadProgram};
use testkit::rng::Rng;

/// Parts that are left out of one proof, each on its own.
const N_PARTS: u32 = 3;

/// Is the proof rejected without some of its parts?
pub fn every_part_matters(
    program: &dyn ThreadProgram,
    certificate: &Certificate,
    seed: u64,
) -> Result<(), String> {
    let Proof::Summaries(summaries) = &certificate.proof else {
        return Err("a proof of another kind".into());
    };
    let mut rng = Rng::new(seed);
    for _ in 0..N_PARTS {
        let mut without_edge = summaries.clone();
        let at = rng.below(summaries.edges.len() as u32) as usize;
        without_edge.edges.remove(at);
        rejected(program, certificate, without_edge, "an edge")?;
        if !summaries.guarantee.is_empty() {
            let mut without_pair = summaries.clone();
            let at = rng.below(summaries.guarantee.len() as u32) as usize;
            without_pair.guarantee.remove(at);
            rejected(program, certificate, without_pair, "a pair of the guarantee")?;
        }
    }
    let mut without_entry = summaries.clone();
    let entry = summaries.edges[0];
    without_entry.edges.retain(|edge| {
        (edge.entry_world, edge.entry_view) != (entry.entry_world, entry.entry_view)
    });
    rejected(program, certificate, without_entry, "an entry")?;
    if !summaries.exposed.is_empty() {
        let mut without_class = summaries.clone();
        without_class.exposed.pop();
        rejected(program, certificate, without_class, "a class")?;
    }
    Ok(())
}

fn rejected(
    program: &dyn ThreadProgram,
    certificate: &Certificate,
    summaries: Summaries,
    what: &str,
) -> Result<(), String> {
    let certificate = Certificate { proof: Proof::Summaries(summaries), ..certificate.clone() };
    let scope = certificate.scope;
    let problem = Problem::Threads(program);
    match certify::check_certificate(problem, scope, &certificate, &Limits::none()) {
        Ok(_) => Err(format!("a proof without {what} is accepted")),
        Err(_) => Ok(()),
    }
}
