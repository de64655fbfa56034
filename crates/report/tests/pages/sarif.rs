//! SARIF: the parts that the standard demands, and that code scanning relies on.

use model::{Diagnostic, Outcome, SourceFile, Span, StepError, StopReason, Verdict, Violation};
use report::sarif;
use serde_json::Value;

use crate::two_locks::{TwoLocks, outcome, trace, with_run};

fn shown(outcome: &Outcome) -> Value {
    read(&with_run(outcome, sarif::render))
}

/// The document, after the demands of the standard that hold for every one of ours.
fn read(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(run["tool"]["driver"]["name"], "threadproof");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let rules = list(&run["tool"]["driver"]["rules"]);
    for result in list(&run["results"]) {
        let idx = result["ruleIndex"].as_u64().expect("a result has a rule") as usize;
        assert_eq!(rules[idx]["id"], result["ruleId"]);
        assert_eq!(result["level"], "error");
        check_message(result);
        list(&result["locations"]).iter().for_each(check_location);
        for flow in list(&result["codeFlows"]) {
            check_flow(flow);
        }
    }
    document
}

fn check_flow(flow: &Value) {
    let threads = list(&flow["threadFlows"]);
    assert!(!threads.is_empty(), "a code flow has a thread flow");
    let mut orders = Vec::new();
    for thread in threads {
        let steps = list(&thread["locations"]);
        assert!(!steps.is_empty(), "a thread flow has a location");
        for step in steps {
            check_location(&step["location"]);
            orders.push(step["executionOrder"].as_u64().expect("steps are in order"));
        }
    }
    orders.sort_unstable();
    orders.dedup();
    let n_steps: usize = threads.iter().map(|thread| list(&thread["locations"]).len()).sum();
    assert_eq!(orders.len(), n_steps, "no two steps have the same place in the order");
}

fn check_location(location: &Value) {
    let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str();
    let uri = uri.expect("a location names its file");
    assert!(!uri.contains(['<', '>', ' ', '"']), "{uri} is no URI");
    if let Some(region) = location["physicalLocation"].get("region") {
        assert!(
            region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1)
        );
    }
    check_message(location);
}

fn check_message(owner: &Value) {
    assert!(owner["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{owner}");
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn a_deadlock_is_one_result_with_a_flow_for_each_thread() {
    let document = shown(&trace(&TwoLocks::new(), Violation::Deadlock));
    let results = list(&document["runs"][0]["results"]);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleId"], "deadlock");
    let flows = list(&results[0]["codeFlows"][0]["threadFlows"]);
    assert_eq!(flows.len(), 2);
    assert_eq!(flows[1]["locations"][0]["executionOrder"], 2);
    let state = flows[1]["locations"][0]["state"].as_object().expect("values are told");
    assert!(state.values().any(|value| value["text"] == "held by 2"), "{state:?}");
    let related = list(&results[0]["relatedLocations"]);
    let told: Vec<(u64, &str)> = related
        .iter()
        .filter_map(|location| {
            let line = location["physicalLocation"]["region"]["startLine"].as_u64()?;
            Some((line, location["message"]["text"].as_str()?.split_whitespace().nth(1)?))
        })
        .collect();
    assert_eq!(told, [(2, "took"), (1, "took")]);
}

#[test]
fn a_race_is_at_its_first_access_and_relates_to_both() {
    let document = shown(&trace(&TwoLocks::new(), Violation::Race));
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "data-race");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&1.into(), &1.into()));
    assert_eq!(list(&result["relatedLocations"]).len(), 2);
}

#[test]
fn a_failed_assertion_has_its_rule() {
    let violation = Violation::Step(StepError::assertion("the assertion `x` fails"));
    let document = shown(&trace(&TwoLocks::new(), violation));
    assert_eq!(document["runs"][0]["results"][0]["ruleId"], "assertion");
}

#[test]
fn an_undecided_run_has_no_result_but_a_notification() {
    let document = shown(&outcome(Verdict::Unknown(StopReason::TimeLimit)));
    let run = &document["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(0));
    let told = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(told["descriptor"]["id"], "unknown");
    assert_eq!(told["message"]["text"], "UNKNOWN: time limit reached");
}

#[test]
fn mistakes_in_an_input_are_told_with_their_place() {
    let files = [SourceFile { name: "a.m".into(), text: "x\ny z\n".into() }];
    let mistake = Diagnostic::error("MU001", "what is `z`", Span::new(0, 4, 5));
    let document = read(&sarif::render_rejection(&files, &[mistake]));
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = &invocation["toolConfigurationNotifications"][0];
    assert_eq!(told["descriptor"]["id"], "MU001");
    let region = &told["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&2.into(), &3.into()));
    read(&sarif::render_failure("no such file"));
    read(&sarif::render_stopped(&StopReason::Interrupted));
}
