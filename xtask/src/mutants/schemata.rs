//! Builds many mistakes into one text, each behind a switch that is chosen when the
//! program runs (mutant schemata: Untch, Offutt and Harrold, ISSTA 1993).
//!
//! A mistake is a range of the text and what replaces it. Around the range we take the
//! smallest *site*, which is a piece of syntax that can stand in both branches of an
//! `if`: the statements of a block, the body of a closure or of a match arm, or an
//! expression that computes a number or a Boolean. The site becomes
//! `if crate::mutant_is_on(17) { mutated } else { original }`.
//!
//! Other expressions are no sites on purpose: a branch would move out of a place that
//! was only borrowed, or end the life of a temporary too early. What is evaluated by the
//! compiler (constants, lengths of arrays, `const fn`) cannot ask for a switch either.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The environment variable that holds the number of the mistake to make.
pub const VARIABLE: &str = "THREADPROOF_MUTANT";

/// Goes to the end of the root module of each crate with mistakes in it.
pub const SWITCH: &str = r#"
#[allow(missing_docs, dead_code)]
pub(crate) fn mutant_is_on(number: usize) -> bool {
    static CHOSEN: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let read = || std::env::var("THREADPROOF_MUTANT").ok()?.parse().ok();
    number == *CHOSEN.get_or_init(|| read().unwrap_or(0))
}
"#;

/// One mistake in a text.
#[derive(Clone)]
pub struct Change {
    /// Its number, not zero: zero is no mistake.
    pub number: usize,
    /// What is replaced.
    pub range: Range<usize>,
    /// What it is replaced by.
    pub new: String,
}

/// Where a switch can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Statements,
    Value,
}

/// Can this mistake stand behind a switch?
///
/// # Errors
/// When `text` is no Rust.
pub fn has_site(text: &str, change: &Change) -> Result<bool> {
    Ok(site_of(&sites(text)?, text, change).is_some())
}

/// `text` with each change behind its switch.
///
/// # Errors
/// When `text` is no Rust, or a change has no site.
pub fn with_switches(text: &str, changes: &[Change]) -> Result<String> {
    let sites = sites(text)?;
    let mut switches = Vec::new();
    for change in changes {
        let (range, kind) = site_of(&sites, text, change)
            .with_context(|| format!("mutant {} has no place for a switch", change.number))?;
        switches.push(Switch { range, kind, change: change.clone() });
    }
    // Outer sites first. Sites are pieces of syntax: two are disjoint or nested.
    switches.sort_by_key(|switch| (switch.range.start, usize::MAX - switch.range.end));
    Ok(render(text, 0..text.len(), &switches))
}

struct Switch {
    range: Range<usize>,
    kind: Kind,
    change: Change,
}

/// The text in `range`, with `switches`, which all lie within.
fn render(text: &str, range: Range<usize>, switches: &[Switch]) -> String {
    let mut result = String::new();
    let mut at = range.start;
    let mut rest = switches;
    while let [first, others @ ..] = rest {
        let n_inner = others.iter().take_while(|s| s.range.end <= first.range.end).count();
        let (inner, after) = others.split_at(n_inner);
        result.push_str(&text[at..first.range.start]);
        let (open, close) = if first.kind == Kind::Value { ("(", ")") } else { ("\n", "\n") };
        let mutated = mutated(text, &first.range, &first.change);
        let original = render(text, first.range.clone(), inner);
        let number = first.change.number;
        // The line breaks end comments.
        let switch = format!(
            "{open}if crate::mutant_is_on({number}) {{ {mutated}\n}} else {{ {original}\n}}{close}"
        );
        result.push_str(&switch);
        at = first.range.end;
        rest = after;
    }
    result + &text[at..range.end]
}

fn mutated(text: &str, site: &Range<usize>, change: &Change) -> String {
    let (before, after) =
        (&text[site.start..change.range.start], &text[change.range.end..site.end]);
    format!("{before}{}{after}", change.new)
}

/// The smallest site around the change where the result is still Rust.
fn site_of(
    sites: &[(Range<usize>, Kind)],
    text: &str,
    change: &Change,
) -> Option<(Range<usize>, Kind)> {
    let contains =
        |range: &Range<usize>| range.start <= change.range.start && change.range.end <= range.end;
    let around = sites
        .iter()
        .filter(|(range, kind)| contains(range) && parses(*kind, &mutated(text, range, change)));
    around.min_by_key(|(range, _)| range.len()).cloned()
}

fn parses(kind: Kind, text: &str) -> bool {
    match kind {
        Kind::Value => syn::parse_str::<syn::Expr>(text).is_ok(),
        Kind::Statements => syn::parse_str::<syn::Block>(&format!("{{ {text}\n}}")).is_ok(),
    }
}

fn sites(text: &str) -> Result<Vec<(Range<usize>, Kind)>> {
    let file = syn::parse_file(text)?;
    let mut collector = Collector { sites: Vec::new() };
    collector.visit_file(&file);
    let is_within = collector.sites.iter().all(|(range, _)| range.end <= text.len());
    ensure!(is_within, "places are not in this text");
    Ok(collector.sites)
}

struct Collector {
    sites: Vec<(Range<usize>, Kind)>,
}

impl Collector {
    fn add_value(&mut self, span: Span) {
        self.sites.push((span.byte_range(), Kind::Value));
    }

    fn visit_body<'ast>(&mut self, signature: &'ast syn::Signature, body: &'ast syn::Block) {
        if signature.constness.is_some() {
            return;
        }
        match returns_some_type(signature) {
            // Two closures never have the same type.
            true => visit::visit_block(self, body),
            false => self.visit_block(body),
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let braces = block.brace_token.span;
        let inside = braces.open().byte_range().end..braces.close().byte_range().start;
        self.sites.push((inside, Kind::Statements));
        visit::visit_block(self, block);
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        if computes_a_plain_value(expr) {
            self.add_value(expr.span());
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if !matches!(*closure.body, syn::Expr::Block(_)) {
            self.add_value(closure.body.span());
        }
        visit::visit_expr(self, &closure.body);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !matches!(*arm.body, syn::Expr::Block(_)) {
            self.add_value(arm.body.span());
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        visit::visit_expr(self, &repeat.expr);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.visit_body(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.visit_body(&function.sig, &function.block);
    }

    // What only the compiler evaluates, and what is no expression.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
}

/// Does a function return `impl Trait`, so that all ways must give one type?
fn returns_some_type(signature: &syn::Signature) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_return_type(&signature.output);
    finder.0
}

/// A number or a Boolean that no borrow depends on.
fn computes_a_plain_value(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Binary(binary) => !is_assignment(&binary.op) && !has_let(expr),
        syn::Expr::Unary(unary) => !matches!(unary.op, syn::UnOp::Deref(_)),
        syn::Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_) | syn::Lit::Bool(_)),
        _ => false,
    }
}

/// A chain of conditions with a `let` in it: what the `let` names would be lost.
fn has_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

#[cfg(test)]
mod tests {
    use super::{Change, has_site, with_switches};

    /// The text with the first occurrence of each `old` changed, without white space
    /// that does not matter.
    fn switched(text: &str, changes: &[(&str, &str)]) -> String {
        let changes: Vec<Change> = (1..).zip(changes).map(|(n, c)| change(text, n, *c)).collect();
        let result = with_switches(text, &changes).expect("every change has a site");
        syn::parse_file(&result).expect("the result is Rust");
        result.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn change(text: &str, number: usize, (old, new): (&str, &str)) -> Change {
        let start = text.find(old).expect("occurs");
        Change { number, range: start..start + old.len(), new: new.to_owned() }
    }

    fn fits(text: &str, old: &str, new: &str) -> bool {
        has_site(text, &change(text, 1, (old, new))).expect("the text is Rust")
    }

    #[test]
    fn a_condition_is_chosen_where_it_stands() {
        let result = switched("fn f() { if a && b { c(); } }", &[("&& b", "")]);
        let wanted = "fn f() { if (if crate::mutant_is_on(1) { a } else { a && b }) { c(); } }";
        assert_eq!(result, wanted);
    }

    #[test]
    fn what_is_no_value_is_chosen_with_its_whole_block() {
        let result = switched("fn f() { let x = g(&h()); x }", &[("&h()", "&i()")]);
        let wanted = "fn f() { if crate::mutant_is_on(1) { let x = g(&i()); x } \
                      else { let x = g(&h()); x } }";
        assert_eq!(result, wanted);
    }

    #[test]
    fn a_body_that_is_no_block_becomes_one() {
        let result = switched("fn f() { v.map(|x| x.g()) }", &[("x.g()", "x.h()")]);
        let wanted = "fn f() { v.map(|x| (if crate::mutant_is_on(1) { x.h() } else { x.g() })) }";
        assert_eq!(result, wanted);
        let result = switched("fn f() { match x { 1 => g(), _ => h() } }", &[("h()", "g()")]);
        assert!(result.contains("_ => (if crate::mutant_is_on(1) { g() } else { h() })"));
    }

    #[test]
    fn several_mistakes_nest() {
        let text = "fn f() { g(); if a < b { h(); } }";
        let result = switched(text, &[("g();", ""), ("<", "<=")]);
        let wanted = "fn f() { if crate::mutant_is_on(1) { if a < b { h(); } } else { g(); \
                      if (if crate::mutant_is_on(2) { a <= b } else { a < b }) { h(); } } }";
        assert_eq!(result, wanted);
    }

    #[test]
    fn two_mistakes_at_one_site_are_two_switches() {
        let result = switched("fn f() -> bool { a < b }", &[("<", "<="), ("< b", "== b")]);
        let wanted = "fn f() -> bool { (if crate::mutant_is_on(1) { a <= b } else { \
                      (if crate::mutant_is_on(2) { a == b } else { a < b }) }) }";
        assert_eq!(result, wanted);
    }

    #[test]
    fn names_bound_by_a_condition_stay_bound() {
        let text = "fn f() { if let Some(x) = y && x > 1 && z { g(x); } }";
        let result = switched(text, &[("&& z", "")]);
        assert!(result.starts_with("fn f() { if crate::mutant_is_on(1) { if let Some(x)"));
        let result = switched(text, &[("> 1", "> 2")]);
        assert!(result.contains("&& (if crate::mutant_is_on(1) { x > 2 } else { x > 1 }) && z"));
    }

    #[test]
    fn a_comment_does_not_swallow_the_rest() {
        let result = switched("fn f() { g() // why\n }", &[("g", "h")]);
        assert_eq!(result.matches('}').count(), 3);
    }

    #[test]
    fn what_the_compiler_evaluates_has_no_switch() {
        assert!(!fits("const N: usize = 1 + 2;", "1", "3"));
        assert!(!fits("const fn f() -> u32 { 1 }", "1", "3"));
        assert!(!fits("struct S { x: [u8; 4] }", "4", "5"));
        assert!(!fits("fn f(x: u8) {}", "u8", "u16"));
        assert!(fits("fn f() -> [u8; 2] { [0; 2] }", "[0; 2]", "[1; 2]"));
        assert!(fits("fn f() -> u32 { 1 }", "1", "3"));
        assert!(!fits("fn f() -> u32 { 1 }", "1", "("));
    }

    #[test]
    fn a_body_of_some_type_is_not_written_twice() {
        let text = "fn f() -> impl Iterator<Item = u8> { v.iter().map(|x| x + 1) }";
        assert!(!fits(text, "iter()", "iter().skip(1)"));
        assert!(fits(text, "x + 1", "x + 2"));
    }
}
