//! A true proof of one model is none of another one that goes wrong where no view shows it.

use frontend::murphi::family::MurphiFamily;
use model::Limits;
use model::{Problem, ThreadCount, Verdict};

use crate::forge::proofs;
use crate::judge::family;

/// A critical section of which the elements are let in one by one.
const BODY: &str = "const N: 3; type P: scalarset(N); var a: array[P] of boolean; f: boolean;\n\
    startstate begin f := false; for i: P do a[i] := false; end; end;\n\
    ruleset i: P do rule \"in\" !f ==> begin f := true; a[i] := true; end;\n\
    rule \"out\" a[i] ==> begin CLAIM a[i] := false; f := false; end; end;\n\
    invariant \"mutex\" forall i: P do forall j: P do a[i] & a[j] -> i = j end end;\n";

fn model(claim: &str, more: &str) -> Box<MurphiFamily> {
    let text = BODY.replace("CLAIM", claim) + more;
    family(&text).expect("it is a model").expect("it is one of any number of elements")
}

/// How the proof of the model as it is fares as one of another model.
fn borrowed(other: &MurphiFamily) -> String {
    let right = model("", "");
    let proofs = proofs(&right).expect("its proof is accepted");
    let (system, proof) = proofs.first().expect("there is one");
    let at = right.abstractions.iter().position(|one| std::ptr::eq(one, *system));
    let problem = Problem::Parameterized(&other.abstractions[at.expect("it is one of them")]);
    let verdict = Verdict::Holds(proof.clone());
    match certify::check(problem, ThreadCount::Any, &verdict, &Limits::none()) {
        Ok(_) => "accepted".to_owned(),
        Err(rejection) => rejection.to_string(),
    }
}

#[test]
fn a_proof_is_one_of_the_same_model_written_otherwise() {
    assert_eq!(borrowed(&model("assert a[i] & f;", "")), "accepted");
}

#[test]
fn what_fewer_elements_than_a_view_shows_do_is_searched() {
    let several = "invariant \"several\" exists i: P do exists j: P do i != j end end;\n";
    let told = borrowed(&model("", several));
    assert!(told.contains("several"), "{told}");
}

#[test]
fn a_fault_of_a_step_is_not_forgiven() {
    // One element alone makes no fault: that would be found where fewer are searched.
    let told = borrowed(&model("assert forall j: P do j = i end;", ""));
    assert!(told.contains("assertion"), "{told}");
}
