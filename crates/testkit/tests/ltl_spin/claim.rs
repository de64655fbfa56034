//! Reads never claims of `spin -f` and runs them on ultimately periodic words.

use std::collections::{BTreeMap, BTreeSet};

/// A Büchi automaton as SPIN prints it. State 0 is `accept_all`.
#[derive(Debug, Default)]
pub struct Claim {
    /// The state of each label; labels in a row name one state.
    labels: BTreeMap<String, usize>,
    arcs: Vec<Vec<(String, usize)>>,
    is_accepting: Vec<bool>,
    start: usize,
}

impl Claim {
    /// Reads what `spin -f` prints.
    pub fn read(text: &str) -> Claim {
        let mut claim = Claim::default();
        let everything = claim.fresh();
        claim.arcs[everything].push(("1".to_owned(), everything));
        claim.name(everything, "accept_all");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut at = None;
        for (idx, line) in lines.iter().enumerate() {
            let Some(label) = line.strip_suffix(':') else { continue };
            let is_first_of_row = idx == 0 || !lines[idx - 1].ends_with(':');
            match at {
                _ if label == "accept_all" => at = Some(everything),
                Some(state) if !is_first_of_row => claim.name(state, label),
                _ => {
                    let state = claim.fresh();
                    claim.name(state, label);
                    at = Some(state);
                }
            }
        }
        // The first label of the text is where the claim starts.
        let first = lines.iter().find_map(|line| line.strip_suffix(':'));
        claim.start = first.map_or(everything, |label| claim.labels[label]);
        let mut at = everything;
        for line in lines {
            if let Some(label) = line.strip_suffix(':') {
                at = claim.labels[label];
            } else if let Some(option) = line.strip_prefix("::").filter(|o| o.trim() != "false") {
                let arc = claim.option(option.trim());
                claim.arcs[at].push(arc);
            }
        }
        claim
    }

    fn fresh(&mut self) -> usize {
        self.arcs.push(Vec::new());
        self.is_accepting.push(false);
        self.arcs.len() - 1
    }

    fn name(&mut self, state: usize, label: &str) {
        self.labels.insert(label.to_owned(), state);
        self.is_accepting[state] |= label.starts_with("accept");
    }

    /// `(guard) -> goto name`, or `atomic { (guard) -> assert(...) }`.
    fn option(&self, text: &str) -> (String, usize) {
        let text = text.strip_prefix("atomic {").unwrap_or(text).trim();
        let (guard, act) = text.split_once("->").unwrap_or_else(|| panic!("{text}"));
        let target = match act.trim().strip_prefix("goto ") {
            Some(label) => self.labels[label.trim()],
            None => 0,
        };
        (guard.trim().to_owned(), target)
    }

    /// Does the claim accept the word? Its letters from `loop_start` on repeat.
    pub fn accepts(&self, letters: &[u64], loop_start: usize) -> bool {
        let n = letters.len();
        let next = |pos: usize| if pos + 1 < n { pos + 1 } else { loop_start };
        let step = |&(state, pos): &(usize, usize)| -> Vec<(usize, usize)> {
            let arcs = self.arcs[state].iter().filter(|arc| admits(&arc.0, letters[pos]));
            arcs.map(|arc| (arc.1, next(pos))).collect()
        };
        let after = |from: (usize, usize)| {
            let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
            let mut open = step(&from);
            while let Some(node) = open.pop() {
                if seen.insert(node) {
                    open.extend(step(&node));
                }
            }
            seen
        };
        let start = (self.start, 0);
        let mut reached = after(start);
        reached.insert(start);
        reached.into_iter().any(|node| self.is_accepting[node.0] && after(node).contains(&node))
    }
}

/// Is the guard, made of `p0`, `!`, `&&`, `||`, parentheses and constants, true?
fn admits(guard: &str, letter: u64) -> bool {
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = guard.trim();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric();
        let len = match first {
            '&' | '|' => 2,
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => 1,
        };
        tokens.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    tokens.reverse();
    or(&mut tokens, letter)
}

fn or(tokens: &mut Vec<&str>, letter: u64) -> bool {
    let mut value = and(tokens, letter);
    while tokens.pop_if(|token| *token == "||").is_some() {
        value |= and(tokens, letter);
    }
    value
}

fn and(tokens: &mut Vec<&str>, letter: u64) -> bool {
    let mut value = not(tokens, letter);
    while tokens.pop_if(|token| *token == "&&").is_some() {
        value &= not(tokens, letter);
    }
    value
}

fn not(tokens: &mut Vec<&str>, letter: u64) -> bool {
    match tokens.pop() {
        Some("!") => !not(tokens, letter),
        Some("(") => {
            let value = or(tokens, letter);
            assert_eq!(tokens.pop(), Some(")"));
            value
        }
        Some("1" | "true") => true,
        Some("0" | "false") => false,
        Some(word) => {
            let number = word.strip_prefix('p').and_then(|number| number.parse::<u32>().ok());
            letter >> number.expect("a guard speaks of propositions") & 1 == 1
        }
        None => panic!("a guard ends too early"),
    }
}
