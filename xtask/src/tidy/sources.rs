//! Decides whether source files keep the rules on headers, sizes and names.

use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const MAX_FILE_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 60;

/// Words that say nothing about the thing they name.
const BANNED_WORDS: &[&str] =
    &["manager", "helper", "util", "utils", "data", "info", "process", "handle", "misc"];

/// A parsed source file.
pub struct Source {
    /// Relative to the root.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its syntax tree.
    pub tree: syn::File,
}

/// An item that a file defines outside of its tests.
pub struct Item {
    /// Its name.
    pub name: String,
    /// For functions, the number of lines.
    pub function_lines: Option<usize>,
}

/// Reads and parses every `.rs` file among `files`.
pub fn read_all(root: &Path, files: &[String]) -> Result<Vec<Source>> {
    let paths = files.iter().filter(|path| path.ends_with(".rs") && !path.starts_with("fuzz/"));
    paths.map(|path| read(root, path)).collect()
}

fn read(root: &Path, path: &str) -> Result<Source> {
    let text = std::fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?;
    let tree = syn::parse_file(&text).with_context(|| format!("{path} does not parse"))?;
    Ok(Source { path: path.to_owned(), text, tree })
}

/// Complaints about all files.
pub fn check(sources: &[Source]) -> Vec<String> {
    sources.iter().flat_map(check_source).collect()
}

/// The items that a file defines outside of its tests, variants included.
pub fn items(source: &Source) -> Vec<Item> {
    let mut collector = Collector::default();
    collector.visit_file(&source.tree);
    collector.items
}

fn check_source(source: &Source) -> Vec<String> {
    let path = &source.path;
    let mut complaints = Vec::new();
    if !source.text.starts_with("//!") {
        complaints.push(format!("{path}: does not start with a `//!` header"));
    }
    if has_banned_word(path.trim_end_matches(".rs")) {
        complaints.push(format!("{path}: the file's name has a banned word"));
    }
    let n_lines = non_test_lines(source);
    if n_lines > MAX_FILE_LINES && !is_test(path) {
        complaints.push(format!("{path}: {n_lines} non-test lines, limit {MAX_FILE_LINES}"));
    }
    for item in items(source) {
        if has_banned_word(&item.name) {
            complaints.push(format!("{path}: `{}` has a banned word", item.name));
        }
        if let Some(n_lines) = item.function_lines.filter(|&n| n > MAX_FUNCTION_LINES) {
            let name = item.name;
            complaints.push(format!("{path}: `{name}` has {n_lines} lines"));
        }
    }
    complaints
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

fn non_test_lines(source: &Source) -> usize {
    let total = source.text.lines().count();
    let tests = source.tree.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if is_cfg_test(&module.attrs) => Some(n_lines(module.span())),
        _ => None,
    });
    total.saturating_sub(tests.sum())
}

fn n_lines(span: Span) -> usize {
    span.end().line + 1 - span.start().line
}

fn is_cfg_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
    })
}

/// Splits at everything that is no letter, and before capitals.
fn has_banned_word(name: &str) -> bool {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if !c.is_alphabetic() || c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase().filter(|c| c.is_alphabetic()));
        }
    }
    words.iter().any(|word| BANNED_WORDS.contains(&word.as_str()))
}

#[derive(Default)]
struct Collector {
    items: Vec<Item>,
}

impl Collector {
    fn add(&mut self, name: &syn::Ident) {
        self.items.push(Item { name: name.to_string(), function_lines: None });
    }

    fn add_function(&mut self, name: &syn::Ident, body: Span) {
        let item = Item { name: name.to_string(), function_lines: Some(n_lines(body)) };
        self.items.push(item);
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_cfg_test(&module.attrs) {
            self.add(&module.ident);
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add_function(&function.sig.ident, function.block.span());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add_function(&function.sig.ident, function.block.span());
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.add(&function.sig.ident);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(&item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(&item.ident);
        for variant in &item.variants {
            self.add(&variant.ident);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add(&item.ident);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.add(&item.ident);
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, check_source, has_banned_word};

    fn complaints(text: &str) -> Vec<String> {
        let tree = syn::parse_file(text).expect("the test's text parses");
        check_source(&Source { path: "crates/x/src/y.rs".into(), text: text.into(), tree })
    }

    #[test]
    fn banned_words_are_found_as_words_only() {
        assert!(has_banned_word("StateManager"));
        assert!(has_banned_word("read_data"));
        assert!(!has_banned_word("metadata"));
        assert!(!has_banned_word("processor"));
    }

    #[test]
    fn a_missing_header_and_a_long_function_are_reported() {
        let long = format!("fn f() {{\n{}}}\n", "    g();\n".repeat(61));
        assert_eq!(complaints(&long).len(), 2);
        assert_eq!(complaints(&format!("//! Says it.\n{long}")).len(), 1);
        assert!(complaints("//! Says it.\nfn f() {}\n").is_empty());
    }

    #[test]
    fn test_modules_do_not_count() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "// x\n".repeat(700));
        assert!(complaints(&format!("//! Says it.\n{tests}")).is_empty());
    }
}
