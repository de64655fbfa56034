//! How formulas are read, with propositions of a made-up language: names, and in
//! parentheses anything with `=`, joined by `&`.

use model::{Diagnostic, Formula, Span};

use crate::ltl::{Atoms, read};

#[derive(Default)]
struct Names(Vec<String>);

impl Atoms for Names {
    fn is_atom(&self, text: &str) -> bool {
        text.contains('=') && !text.contains("->")
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<Formula, Diagnostic> {
        if text.starts_with("no") {
            return Err(Diagnostic::error("LT004", format!("`{text}` is unknown"), span));
        }
        let known = self.0.iter().position(|other| other == text);
        let idx = known.unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        });
        Ok(Formula::Proposition(idx as u32))
    }

    fn propositions(&self) -> Vec<String> {
        self.0.clone()
    }
}

/// The formula as `model` shows it, with its propositions; or the codes of the
/// mistakes with what they point at.
fn check(text: &str) -> String {
    let (formula, diagnostics) = read(0, text, &mut Names::default());
    if let Some(formula) = formula {
        assert!(diagnostics.is_empty());
        return format!("{} {}", formula.formula, formula.propositions.join(";"));
    }
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let span = diagnostic.labels[0].span;
            let place = text.get(span.start as usize..span.end as usize).unwrap_or("?");
            format!("{} at `{place}`: {}", diagnostic.code, diagnostic.message)
        })
        .collect();
    shown.join("; ")
}

#[test]
fn operators_bind_as_in_spin() {
    assert_eq!(check("[] p U q"), "((false V p0) U p1) p;q");
    assert_eq!(check("!p U q U r"), "((!p0 U p1) U p2) p;q;r");
    assert_eq!(check("p || q && r U s"), "(p0 || (p1 && (p2 U p3))) p;q;r;s");
    assert_eq!(check("p -> q -> r"), "(!(!p0 || p1) || p2) p;q;r");
    assert_eq!(check("p W q"), "(p1 V (p0 || p1)) p;q");
    assert_eq!(check("<> p && q"), "((true U p0) && p1) p;q");
    assert_eq!(check("p \\/ q /\\ r"), "(p0 || (p1 && p2)) p;q;r");
}

#[test]
fn letters_and_signs_mean_the_same() {
    assert_eq!(check("G F p"), check("[]<>p"));
    assert_eq!(check("p R q"), check("p V q"));
    assert_eq!(check("X(p)"), "X p0 p");
    assert_eq!(check("p <-> true"), "((p0 && true) || (!p0 && !true)) p");
    // `Gp` is a name.
    assert_eq!(check("Gp"), "p0 Gp");
}

#[test]
fn propositions_need_parentheses_only_when_they_are_more_than_a_comparison() {
    assert_eq!(check("G a[b[1]].c >= -2 && q"), "((false V p0) && p1) a[b[1]].c >= -2;q");
    assert_eq!(
        check("x<-1 -> y<->z"),
        "((p0->p1)<->p2) x<-1;y;z"
            .replace("((p0->p1)<->p2)", "(((!p0 || p1) && p2) || (!(!p0 || p1) && !p2))")
    );
    assert_eq!(check("[] (x = 1 & y = 2)"), "(false V p0) x = 1 & y = 2");
    assert_eq!(check("((x = 1) -> X (x = 2))"), "(!p0 || X p1) x = 1;x = 2");
    // Here `X` is a variable: nothing else makes sense of it.
    assert_eq!(check("(X = 1) && p"), "(p0 && p1) X = 1;p");
    assert_eq!(check("(x = 1 && y = 2)"), "(p0 && p1) x = 1;y = 2");
}

#[test]
fn operators_written_as_one_word_are_explained() {
    let helps = |text: &str| {
        let (_, diagnostics) = read(0, text, &mut Names::default());
        diagnostics.into_iter().flat_map(|diagnostic| diagnostic.helps).collect::<Vec<_>>()
    };
    assert_eq!(helps("GF(p)"), ["operators are words of their own: `G F`"]);
    assert_eq!(helps("q && XGF p"), ["operators are words of their own: `X G F`"]);
    assert!(helps("x_GF p").is_empty());
    assert!(helps("é p").is_empty());
}

#[test]
fn mistakes_are_shown_where_they_are() {
    assert_eq!(check(""), "LT001 at ``: expected a proposition or `(`, found the end");
    assert_eq!(check("p q"), "LT001 at `q`: expected an operator, found `q`");
    assert_eq!(check("(p"), "LT002 at `(`: this parenthesis is not closed");
    assert_eq!(check("G (p ||)"), "LT001 at ``: expected a proposition or `(`, found `)`");
    assert_eq!(check("p & q"), "LT001 at `&`: expected an operator, found `&`");
    assert_eq!(check("p U"), "LT001 at ``: expected a proposition or `(`, found the end");
    assert_eq!(check("a[1 == 2"), "LT002 at `[`: this bracket is not closed");
    assert_eq!(check("p && é"), "LT001 at `é`: expected a proposition or `(`, found `é`");
    assert_eq!(
        check("no1 U (p && no2)"),
        "LT004 at `no1`: `no1` is unknown; LT004 at `no2`: `no2` is unknown"
    );
}

#[test]
fn formulas_that_are_too_large_are_refused() {
    let starts = |text: &str, code: &str| assert!(check(text).starts_with(code), "{}", check(text));
    starts(&"(".repeat(100_000), "LT002");
    starts(&format!("{}p{}", "(".repeat(300), ")".repeat(300)), "LT003");
    starts(&"!".repeat(100_000), "LT003");
    starts(&"p && ".repeat(100_000), "LT003");
    starts(&vec!["p"; 30].join(" <-> "), "LT003");
    let many: Vec<String> = (0..65).map(|idx| format!("p{idx}")).collect();
    starts(&many.join(" && "), "LT005");
    assert!(check(&many[..64].join(" && ")).ends_with("p63"));
}
