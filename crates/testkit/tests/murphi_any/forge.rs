//! Forged proofs by views, made of true ones of random models.
//!
//! The views that the engine finds are the least set that is closed, so a proof that lacks one
//! of them must be rejected. A proof with a changed view may be accepted only if that view is
//! the same but for the order of its elements, where one outside is as good as another.

use engine::kernel::symmetry::permute::permute;
use frontend::murphi::family::{MurphiAbstraction, MurphiFamily};
use model::parameterized::ParameterizedSystem;
use model::{
    Certificate, Limits, Problem, Proof, Store, ThreadCount, TransitionSystem, Variant, Verdict,
};
use testkit::rng::Rng;

use crate::judge::{certified, guarded};

/// Views of one proof that are left out and changed, at the most.
const MAX_FORGERIES: usize = 12;

/// Forged proofs by kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forged {
    /// One view is missing.
    pub n_lacking: u64,
    /// A bit of one view is another one.
    pub n_changed: u64,
    /// Changed so that nothing but the order of elements is another one.
    pub n_reordered: u64,
    /// About views of another size, or another model.
    pub n_misplaced: u64,
}

/// The proofs of a model by views, each with the abstraction that it is about.
pub fn proofs(family: &MurphiFamily) -> Result<Vec<(&MurphiAbstraction, Certificate)>, String> {
    let mut proofs = Vec::new();
    for abstraction in &family.abstractions {
        if let Verdict::Holds(certificate) = certified(Problem::Parameterized(abstraction))? {
            proofs.push((abstraction, Certificate::clone(&certificate)));
        }
    }
    Ok(proofs)
}

/// Forges a proof in all ways.
///
/// # Errors
/// A forged proof that is accepted.
pub fn forge(
    (system, proof): (&MurphiAbstraction, &Certificate),
    rng: &mut Rng,
    forged: &mut Forged,
) -> Result<(), String> {
    let Proof::ElementViews(claim) = &proof.proof else { return Err("another proof".into()) };
    let n_views = claim.views.len();
    if n_views == 0 {
        // An assumption drops every start.
        return Ok(());
    }
    for _ in 0..n_views.min(MAX_FORGERIES) {
        let lacking = rng.below(n_views as u32) as usize;
        let fewer = with_views(proof, |views| {
            views.remove(lacking);
        });
        forged.n_lacking += 1;
        rejected(system, fewer, &format!("view {lacking} of {n_views} is missing"))?;
        change_a_bit((system, proof), lacking, rng, forged)?;
    }
    for n in [0, claim.n_visible - 1, claim.n_visible + 1] {
        let mut other = proof.clone();
        if let Proof::ElementViews(views) = &mut other.proof {
            views.n_visible = n;
        }
        forged.n_misplaced += 1;
        rejected(system, other, &format!("views of {n} elements"))?;
    }
    let empty = with_views(proof, Vec::clear);
    rejected(system, empty, "there are no views")?;
    let variant = Variant::AS_WRITTEN;
    rejected(system, Certificate { variant, ..proof.clone() }, "of another variant")?;
    let few = Certificate { scope: ThreadCount::Exactly(3), ..proof.clone() };
    rejected(system, few, "about three elements")
}

/// A proof of one model as one of another that is wrong.
///
/// # Errors
/// It is accepted.
pub fn misplace(
    proof: &Certificate,
    wrong: &MurphiFamily,
    forged: &mut Forged,
) -> Result<(), String> {
    for abstraction in &wrong.abstractions {
        forged.n_misplaced += 1;
        rejected(abstraction, proof.clone(), "of another model")?;
    }
    Ok(())
}

fn change_a_bit(
    (system, proof): (&MurphiAbstraction, &Certificate),
    number: usize,
    rng: &mut Rng,
    forged: &mut Forged,
) -> Result<(), String> {
    let cells = system.cells();
    let n_visible = system.n_visible();
    let shown = |slots: &[u32]| slots.iter().all(|slot| *slot < n_visible);
    let bits: Vec<u32> = cells
        .cells
        .iter()
        .filter(|cell| shown(&cell.slots))
        .flat_map(|cell| cell.bit..cell.bit + cell.bits)
        .collect();
    if bits.is_empty() {
        return Ok(());
    }
    let bit = bits[rng.below(bits.len() as u32) as usize];
    let mut is_same = false;
    let other = with_views(proof, |views| {
        let before = views[number].to_words().expect("it was made of words");
        let mut after = before.clone();
        after[(bit / 64) as usize] ^= 1 << (bit % 64);
        is_same = orders(system, &before).contains(&with_rest(system, &after));
        views[number] = Store::of_words(&after);
    });
    if is_same {
        forged.n_reordered += 1;
        return Ok(());
    }
    forged.n_changed += 1;
    rejected(system, other, &format!("bit {bit} of view {number} is another one"))
}

/// A view in which each element outside is the rest.
fn with_rest(system: &MurphiAbstraction, view: &[u64]) -> Vec<u64> {
    let mut view = view.to_vec();
    let cells = system.cells();
    for cell in &cells.cells {
        let Some(first) = cell.first_code else { continue };
        let bits = (cell.bit..cell.bit + cell.bits).enumerate();
        let code: u64 = bits.clone().map(|(idx, bit)| bit_of(&view, bit) << idx).sum();
        let rest = first + u64::from(cells.n_slots);
        if code >= first + u64::from(system.n_visible()) && code < rest {
            for (idx, bit) in bits {
                let (word, mask) = ((bit / 64) as usize, 1 << (bit % 64));
                view[word] = view[word] & !mask | (rest >> idx & 1) << (bit % 64);
            }
        }
    }
    view
}

fn bit_of(view: &[u64], bit: u32) -> u64 {
    view[(bit / 64) as usize] >> (bit % 64) & 1
}

/// A view with its elements in all orders.
fn orders(system: &MurphiAbstraction, view: &[u64]) -> Vec<Vec<u64>> {
    let symmetry = system.own_model().symmetry();
    let name = system.parameter();
    let mut all = vec![view.to_vec()];
    let mut n_before = 0;
    while n_before < all.len() {
        n_before = all.len();
        for slot in 1..system.n_visible() {
            let permutation: Vec<Vec<u32>> = symmetry
                .scalarsets
                .iter()
                .map(|scalarset| {
                    let mut order: Vec<u32> = (0..scalarset.n_elements).collect();
                    if scalarset.name == name {
                        order.swap(0, slot as usize);
                    }
                    order
                })
                .collect();
            for idx in 0..n_before {
                let other = permute(symmetry, &permutation, &all[idx]);
                if !all.contains(&other) {
                    all.push(other);
                }
            }
        }
    }
    all
}

fn with_views(proof: &Certificate, change: impl FnOnce(&mut Vec<Store>)) -> Certificate {
    let mut other = proof.clone();
    if let Proof::ElementViews(claim) = &mut other.proof {
        change(&mut claim.views);
    }
    other
}

fn rejected(system: &MurphiAbstraction, proof: Certificate, how: &str) -> Result<(), String> {
    let problem = Problem::Parameterized(system);
    let verdict = Verdict::Holds(proof);
    let judged = guarded("certify", || {
        certify::check(problem, ThreadCount::Any, &verdict, &Limits::none())
    })?;
    match judged {
        Ok(_) => Err(format!("accepted: {how}: {verdict:?}")),
        Err(_) => Ok(()),
    }
}
