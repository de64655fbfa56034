//! Reports for the browser and for code scanning, through the built command; pages are
//! loaded in a headless Chromium where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tool::{
    AB_BA, BROKEN_MUTEX, COUNT, LOCK, MUTEX, RELAXED, Scratch, has_clang, installed,
};

/// A Murphi model whose text is a script wherever text is taken for markup.
const HOSTILE_MODEL: &str = "\
-- </script><script>document.title = 'taken over'</script>
-- <!-- <script> <img src=x onerror=\"document.title = 'taken over'\">
var x: 0..5;
startstate \"</script><script>document.title = 'taken over'</script>\" x := 0; end;
rule \"<img src=x onerror=document.title='taken_over'>\" x < 3 ==> begin x := x + 1; end;
invariant \"<!--<script>document.title = 'taken over'\" x <= 1;
";

#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
fn browser() -> Option<PathBuf> {
    let found = installed(&["chromium", "chromium-browser", "google-chrome", "chrome"]);
    if found.is_none() {
        eprintln!("skipped: no Chromium is installed");
    }
    found
}

/// The document as the browser has it after all scripts have run. Nothing may have been
/// said on the console: neither errors nor breaches of the page's policy.
#[track_caller]
fn loaded(browser: &Path, scratch: &Scratch, page: &str, fragment: &str) -> String {
    let profile = scratch.path("profile");
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--enable-logging=stderr", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}{fragment}", scratch.path(page).display()))
        .output()
        .expect("the browser starts");
    let log = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(said.is_empty(), "{said:#?}");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("data-ready=\"yes\""), "the page did not come up: {log}");
    assert!(!dom.contains("data-failed"), "a script of the page failed");
    dom
}

/// The document without its scripts, whose text is not shown.
fn visible(dom: &str) -> &str {
    dom.split_once("<script").map_or(dom, |(before, _)| before)
}

#[test]
fn every_front_end_and_verdict_has_a_page() {
    let scratch = Scratch::new();
    for (file, text, code) in [
        ("broken.spec", BROKEN_MUTEX, 1),
        ("mutex.spec", MUTEX, 0),
        ("count.m", COUNT, 1),
        ("lock.tts", LOCK, 1),
    ] {
        scratch.write(file, text);
        scratch.run(&["check", file, "--html", "out.html", "--no-timing"]).expect(code, "", "");
        let page = scratch.read("out.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains(file));
        scratch.run(&["check", file, "--html", "again.html", "--no-timing"]).expect(code, "", "");
        assert!(scratch.read("again.html") == page, "two runs give two pages");
    }
    scratch.run(&["check", "count.m", "--html", "no/such/dir.html"]).expect(2, "", "no directory");
}

#[test]
fn a_net_is_stepped_through_in_the_browser() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new();
    scratch.write("broken.spec", BROKEN_MUTEX);
    scratch.run(&["check", "broken.spec", "--html", "out.html"]).expect(1, "", "");
    let dom = loaded(&browser, &scratch, "out.html", "");
    assert!(dom.contains("data-step=\"2\""), "a page opens at the error");
    let dom = loaded(&browser, &scratch, "out.html", "#step=1");
    assert!(dom.contains("data-step=\"1\""));
    assert!(dom.contains("<tr data-moment=\"1\" aria-current=\"step\">"));
    assert!(visible(&dom).contains("Step 1 of 2"));
    assert!(visible(&dom).contains("was 0"), "what changed is marked");
}

#[test]
fn threads_have_lanes_in_the_browser() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new();
    scratch.write("lock.tts", LOCK);
    scratch.run(&["check", "lock.tts", "--html", "out.html"]).expect(1, "", "");
    let dom = loaded(&browser, &scratch, "out.html", "#step=3&theme=dark");
    for lane in ["T0", "T1", "T2"] {
        assert!(
            dom.contains(&format!("<span class=\"lane-name\">{lane}</span>")),
            "no lane {lane}"
        );
    }
    assert_eq!(visible(&dom).matches("data-moment=").count(), 4, "three steps and a start");
    assert!(dom.contains("data-theme=\"dark\""));
}

#[test]
fn keys_and_buttons_step() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new();
    scratch.write("count.m", COUNT);
    scratch.run(&["check", "count.m", "--html", "out.html"]).expect(1, "", "");
    let page = scratch.read("out.html");
    // The policy would keep a test's script out, as it should.
    let page = page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"no-policy\"");
    for (keys, step) in [
        ("press('Home')", 0),
        ("press('Home'); press('ArrowRight'); press('ArrowRight'); press('ArrowLeft')", 1),
        ("press('Home'); press('End')", 3),
        ("press('Home'); press('ArrowLeft')", 0),
        ("document.querySelector('[aria-label=\"Back one step\"]').click()", 2),
        ("document.querySelector('[data-moment=\"1\"] button').click()", 1),
    ] {
        let press =
            "const press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key }));";
        let script = format!("<script>{press} {keys};</script></body>");
        scratch.write("keys.html", page.replace("</body>", &script));
        let dom = loaded(&browser, &scratch, "keys.html", "");
        assert!(dom.contains(&format!("data-step=\"{step}\"")), "after {keys}");
    }
}

#[test]
fn scripts_in_an_input_do_not_run() {
    let Some(browser) = browser() else { return };
    let scratch = Scratch::new();
    let name = "<img src=x onerror=document.title='taken_over'>.m";
    scratch.write(name, HOSTILE_MODEL);
    scratch.run(&["check", name, "--html", "out.html"]).expect(1, "VIOLATED", "");
    for fragment in ["", "#step=1", "#step=<script>document.title='taken_over'</script>"] {
        let dom = loaded(&browser, &scratch, "out.html", fragment);
        let (_, title) = dom.split_once("<title>").expect("a page has a title");
        let (title, _) = title.split_once("</title>").expect("a title ends");
        assert!(title.starts_with("VIOLATED in"), "{title}");
        assert_eq!(dom.matches("<script").count(), 2, "no element comes from the input");
        assert_eq!(dom.matches("<img").count(), 0, "no element comes from the input");
        assert!(visible(&dom).contains("&lt;img src=x"), "the text itself is shown");
    }
}

#[test]
fn a_deadlock_in_c_shows_who_waits_for_whom() {
    let Some(browser) = browser() else { return };
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("ab_ba.c", AB_BA);
    scratch.run(&["check", "ab_ba.c", "--html", "out.html"]).expect(1, "deadlock", "");
    let dom = loaded(&browser, &scratch, "out.html", "");
    assert!(dom.contains("id=\"trouble-title\">Deadlock<"));
    assert!(dom.contains("waits for the mutex "));
    assert!(dom.contains("class=\"wait-edge\""), "the graph is drawn");
    assert!(dom.contains("each waits for what the next one holds"));
    assert!(dom.contains("taken in line 11"), "the graph says where locks were taken");
    assert!(dom.contains(" took it<"), "and so do the lines themselves");
}

#[test]
fn a_race_by_weak_order_marks_both_lines() {
    let Some(browser) = browser() else { return };
    if !has_clang() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("relaxed.c", RELAXED);
    scratch.run(&["check", "relaxed.c", "--html", "out.html"]).expect(1, "data race", "");
    let dom = loaded(&browser, &scratch, "out.html", "");
    assert!(dom.contains("id=\"trouble-title\">Data race<"));
    for (line, mark) in [(6, "T1 writes"), (14, "T0 reads")] {
        let (_, rest) = dom.split_once(&format!("data-line=\"{line}\"")).expect("it is shown");
        let (own, _) = rest.split_once("data-line=").unwrap_or((rest, ""));
        assert!(own.contains(mark), "line {line} does not say `{mark}`: {own}");
    }
}

#[test]
fn sarif_is_printed_for_answers_and_for_mistakes() {
    let scratch = Scratch::new();
    scratch.write("count.m", COUNT);
    let ended = scratch.run(&["check", "count.m", "--format", "sarif"]).expect(1, "2.1.0", "");
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "deadlock");
    assert_eq!(result["codeFlows"][0]["threadFlows"][0]["locations"][2]["executionOrder"], 3);
    scratch.write("wrong.m", "var x: 0..");
    scratch.run(&["check", "wrong.m", "--format", "sarif"]).expect(
        2,
        "toolConfigurationNotifications",
        "",
    );
    scratch.run(&["check", "absent.m", "--format", "sarif"]).expect(2, "absent.m", "absent.m");
}
