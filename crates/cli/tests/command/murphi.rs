//! Murphi models, through the built command: what results say they are about, and what
//! shows that something never happens.

use serde_json::Value;

use crate::tool::Scratch;

const ROUND: &str = "const N: 2;
var x: 0..N;
startstate x := 0; end;
rule \"round\" x := x = N ? 0 : x + 1; end;
";

/// A lock for any number of processes.
const LOCK: &str = "type proc: scalarset(2);
var lock: boolean; inside: array [proc] of boolean;
startstate lock := false; for i: proc do inside[i] := false; end; end;
ruleset i: proc do
  rule \"enter\" !lock ==> lock := true; inside[i] := true; end;
  rule \"leave\" inside[i] ==> lock := false; inside[i] := false; end;
end;
invariant \"alone\" forall i: proc do forall j: proc do
  i != j -> !(inside[i] & inside[j]) endforall endforall;
";

fn json(scratch: &Scratch, args: &[&str], code: i32) -> Value {
    let args = [&["check", "round.m", "--format", "json"], args].concat();
    let ended = scratch.run(&args).expect(code, "threadproof-result/", "");
    serde_json::from_str(&ended.stdout).expect("it is JSON")
}

#[test]
fn a_result_is_about_the_constants_of_the_model() {
    let scratch = Scratch::new();
    scratch.write("round.m", ROUND);
    scratch.run(&["check", "round.m"]).expect(0, "for the constants that the model has", "");
    let result = json(&scratch, &["--const", "N=3"], 0);
    assert_eq!((&result["threads"], &result["scope"]), (&"as_given".into(), &"as_given".into()));
    assert_eq!(result["certificate"]["scope"], "as_given");
    for (threads, why) in [("any", "no rule is for all elements"), ("3", "fixes its own")] {
        scratch.run(&["check", "round.m", "--threads", threads]).expect(2, "", why);
    }
}

#[test]
fn a_saved_claim_about_any_number_is_not_confirmed_for_a_model() {
    let scratch = Scratch::new();
    scratch.write("round.m", ROUND);
    scratch.run(&["check", "round.m", "--certificate", "proof.json"]).expect(0, "HOLDS", "");
    scratch.run(&["replay", "proof.json", "round.m"]).expect(0, "CONFIRMED: HOLDS", "");
    let widened = scratch.read("proof.json").replace("as_given", "any");
    scratch.write("wide.json", widened);
    scratch.run(&["replay", "wide.json", "round.m"]).expect(2, "", "any number of threads");
}

#[test]
fn a_search_is_the_evidence_of_an_unreached_cover() {
    let scratch = Scratch::new();
    for (text, words) in [
        (format!("{ROUND}cover \"far\" x > 5;"), "no reachable state has `far`"),
        (ROUND.replace("x + 1;", "x + 1; cover x > 5 \"far\";"), "no evaluation reaches `far`"),
    ] {
        scratch.write("round.m", text);
        let ended = scratch.run(&["check", "round.m", "--certificate", "proof.json"]);
        let ended = ended.expect(1, &format!("VIOLATED: {words}"), "");
        assert!(ended.stdout.contains("a search of all reachable states"), "{}", ended.stdout);
        assert!(!ended.stdout.contains("replayed"), "{}", ended.stdout);
        let result = json(&scratch, &[], 1);
        assert_eq!((&result["evidence"], &result["error"]), (&"search".into(), &words.into()));
        assert!(result["n_steps"].is_null() && result["steps"].is_null(), "{result}");
        let ended = scratch.run(&["replay", "proof.json", "round.m"]).expect(1, "CONFIRMED", "");
        assert!(ended.stdout.contains("a search of all reachable states"), "{}", ended.stdout);
    }
}

#[test]
fn a_run_is_the_evidence_of_other_violations() {
    let scratch = Scratch::new();
    scratch.write("round.m", format!("{ROUND}invariant \"low\" x < 2;"));
    let result = json(&scratch, &[], 1);
    assert_eq!((&result["evidence"], &result["n_steps"]), (&"run".into(), &2.into()));
}

#[test]
fn a_proof_for_any_number_of_elements_is_saved_and_confirmed() {
    let scratch = Scratch::new();
    scratch.write("lock.m", LOCK);
    let any = ["check", "lock.m", "--threads", "any", "--no-timing"];
    let holds = "HOLDS for any number of elements of `proc`";
    let compiled = scratch.run(&any).expect(0, holds, "");
    let interpreted = scratch.run(&[&any[..], &["--interpret"]].concat()).expect(0, holds, "");
    assert_eq!(compiled.stdout, interpreted.stdout);
    scratch.run(&[&any[..], &["--certificate", "proof.json"]].concat()).expect(0, holds, "");
    let confirmed = format!("CONFIRMED: {holds}");
    scratch.run(&["replay", "proof.json", "lock.m"]).expect(0, &confirmed, "");
    // The proof is none of another model.
    scratch.write("lock.m", LOCK.replace("!lock ==>", "true ==>"));
    scratch.run(&["replay", "proof.json", "lock.m"]).expect(2, "", "does not stand up");
}

#[test]
fn a_run_of_some_elements_is_saved_and_confirmed() {
    let scratch = Scratch::new();
    scratch.write("lock.m", LOCK.replace("!lock ==>", "true ==>"));
    let found = "VIOLATED with 2 elements of `proc` in 2 steps";
    let any = ["check", "lock.m", "--threads", "any", "--certificate", "run.json"];
    scratch.run(&any).expect(1, found, "");
    scratch.run(&["replay", "run.json", "lock.m"]).expect(1, &format!("CONFIRMED: {found}"), "");
}

#[test]
fn what_would_be_ignored_for_any_number_of_elements_is_refused() {
    let scratch = Scratch::new();
    scratch.write("lock.m", LOCK);
    for option in ["--deadlock=stuck", "--order=dfs", "--no-symmetry", "--bound=3"] {
        let args = ["check", "lock.m", "--threads", "any", option];
        scratch.run(&args).expect(2, "", "is for a fixed number of elements");
    }
    let off = ["check", "lock.m", "--threads", "any", "--deadlock", "off"];
    scratch.run(&off).expect(0, "HOLDS for any number", "");
    scratch.run(&["check", "lock.m", "--param", "proc"]).expect(2, "", "--threads any as well");
    let unknown = ["check", "lock.m", "--threads", "any", "--param", "thread"];
    scratch.run(&unknown).expect(2, "", "MU023");
}

#[test]
fn an_abstract_model_can_be_checked() {
    let scratch = Scratch::new();
    scratch.write("lock.m", LOCK);
    scratch.run(&["abstract", "lock.m"]).expect(0, "rule \"leave, i = Other\"", "");
    scratch.run(&["abstract", "lock.m", "--views", "3", "-o", "few.m"]).expect(0, "", "");
    scratch.run(&["check", "few.m", "--deadlock", "off"]).expect(1, "`alone` is false", "");
    let kept = LOCK.replace("inside[i] ==> lock := false;", "inside[i] ==>");
    scratch.write("kept.m", kept);
    scratch.run(&["abstract", "kept.m", "-o", "few.m"]).expect(0, "", "");
    scratch.run(&["check", "few.m", "--deadlock", "off"]).expect(0, "HOLDS", "");
}

#[test]
fn what_has_no_abstract_model_is_refused_with_the_reason() {
    let scratch = Scratch::new();
    scratch.write("lock.m", LOCK);
    scratch.write("round.m", ROUND);
    scratch.write("pair.tts", "2 3\n0 0 -> 0 1\n1|2,1\n");
    for (args, why) in [
        (&["round.m"][..], "no rule is for all elements"),
        (&["lock.m", "--views", "1"], "speak of 2 elements of `proc` at once"),
        (&["lock.m", "--views", "10"], "too many to keep"),
        (&["lock.m", "--param", "nothing"], "no scalarset or subrange is declared as `nothing`"),
        (&["lock.m", "-o", "lock.m"], "is an input of this run"),
        (&["pair.tts"], "is no Murphi model"),
    ] {
        scratch.run(&[&["abstract"], args].concat()).expect(2, "", why);
    }
}
