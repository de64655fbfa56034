//! Decides whether the engines see only what they may see of each other.
//!
//! Inside `crates/engine` there are four layers. `kernel` sees no engine. A base engine
//! sees `kernel` and itself. A composed engine may also call what a base engine offers at
//! its root, and nothing below it: `crate::explicit::check`, never
//! `crate::explicit::expand::Search`. What chooses between engines, and the crate's own
//! files, may call both in the same way. Names that stand at the root of the crate, like
//! `Engine`, are everybody's.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use super::sources::Source;

const ENGINES: &str = "crates/engine/src/";

/// What all engines are built from.
const KERNEL: &str = "kernel";

/// Engines that answer questions by themselves.
const BASE: &[&str] =
    &["explicit", "ltl", "coverability", "thread_modular", "symbolic", "refine", "follow"];

/// Engines that are built with the help of others.
const COMPOSED: &[&str] = &["cutoff", "cmp", "recursion"];

/// Modules that choose between engines.
const CHOOSING: &[&str] = &["portfolio", "thread_runs"];

/// Complaints about all files of the engines.
pub fn check(sources: &[Source]) -> Vec<String> {
    let inside = |source: &Source| source.path.strip_prefix(ENGINES).map(module_path);
    let modules: BTreeSet<Vec<String>> = sources.iter().filter_map(inside).collect();
    sources.iter().flat_map(|source| check_source(source, &modules)).collect()
}

fn check_source(source: &Source, modules: &BTreeSet<Vec<String>>) -> Vec<String> {
    let Some(inside) = source.path.strip_prefix(ENGINES) else { return Vec::new() };
    let place = module_path(inside);
    let own = place.first().cloned().unwrap_or_default();
    let unknown = (!own.is_empty() && layer(&own).is_none())
        .then(|| format!("{}: module `{own}` is in no layer of engines", source.path));
    let mut complaints: Vec<String> = unknown.into_iter().collect();
    for path in paths_of(source, place).iter().filter(|path| is_forbidden(&own, path, modules)) {
        complaints.push(format!("{}: must not see `crate::{}`", source.path, path.join("::")));
    }
    complaints
}

/// The paths of a file, from the root of the crate.
fn paths_of(source: &Source, place: Vec<String>) -> BTreeSet<Vec<String>> {
    let mut seen = Seen { place, paths: BTreeSet::new(), relative: BTreeSet::new() };
    seen.visit_file(&source.tree);
    let is_root = seen.place.is_empty();
    // Where an engine was imported by its name, paths start with that.
    let imported = |engine: &String| is_root || seen.paths.contains(std::slice::from_ref(engine));
    let through: Vec<Vec<String>> = seen
        .relative
        .iter()
        .filter(|path| layer(&path[0]).is_some() && imported(&path[0]))
        .cloned()
        .collect();
    seen.paths.extend(through);
    seen.paths
}

/// The modules that a file is in, from the root of the crate.
fn module_path(inside: &str) -> Vec<String> {
    let mut parts: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib"))) {
        parts.pop();
    }
    parts.into_iter().map(str::to_owned).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Kernel,
    Base,
    Composed,
    Choosing,
}

fn layer(module: &str) -> Option<Layer> {
    match module {
        KERNEL => Some(Layer::Kernel),
        _ if BASE.contains(&module) => Some(Layer::Base),
        _ if COMPOSED.contains(&module) => Some(Layer::Composed),
        _ if CHOOSING.contains(&module) => Some(Layer::Choosing),
        _ => None,
    }
}

/// May the top module `own` (empty: the root of the crate) not see this path?
fn is_forbidden(own: &str, path: &[String], modules: &BTreeSet<Vec<String>>) -> bool {
    let Some(engine) = path.first() else { return false };
    let Some(their) = layer(engine) else { return false };
    if own == engine {
        return false;
    }
    // The root of the crate puts all engines together.
    let ours = layer(own).unwrap_or(Layer::Choosing);
    match their {
        Layer::Kernel => false,
        _ if ours <= their && !own.is_empty() => true,
        // The name after the engine is one that it offers, and no module of it.
        _ => path.len() >= 2 && modules.contains(&path[..2]),
    }
}

/// Collects paths.
struct Seen {
    /// The module.
    place: Vec<String>,
    /// Those that start at the root of the crate or above the module, from the root.
    paths: BTreeSet<Vec<String>>,
    /// All others.
    relative: BTreeSet<Vec<String>>,
}

impl Seen {
    fn add(&mut self, written: &[String]) {
        let n_up = written.iter().take_while(|part| *part == "super").count();
        let rest = &written[n_up..];
        match (written.first().map(String::as_str), n_up) {
            (Some("crate"), _) => {
                self.paths.insert(written[1..].to_vec());
            }
            (_, 0) => {
                self.relative.extend((!written.is_empty()).then(|| written.to_vec()));
            }
            _ => {
                let n_left = self.place.len().saturating_sub(n_up);
                let from_root = self.place[..n_left].iter().chain(rest).cloned();
                self.paths.insert(from_root.collect());
            }
        }
    }

    fn add_tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) if name.ident == "self" => self.add(before),
            syn::UseTree::Name(name) => self.add(&with(&name.ident)),
            syn::UseTree::Rename(rename) => self.add(&with(&rename.ident)),
            syn::UseTree::Glob(_) => self.add(before),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(before, tree));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.add(&parts);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.place.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.place.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, check_source, module_path};

    fn n_complaints(inside: &str, text: &str) -> usize {
        let tree = syn::parse_file(text).expect("the test's text parses");
        let path = format!("crates/engine/src/{inside}");
        let modules = ["coverability/rules/mod.rs", "coverability/slice.rs", "explicit/expand.rs"];
        let modules = modules.into_iter().chain(["ltl/lasso.rs"]).map(module_path).collect();
        check_source(&Source { path, text: text.into(), tree }, &modules).len()
    }

    #[test]
    fn base_engines_see_the_kernel_and_themselves_alone() {
        let own = "use crate::kernel::budget::Budget; use crate::ltl::store::StateStore;";
        assert_eq!(n_complaints("ltl/mod.rs", own), 0);
        assert_eq!(n_complaints("ltl/mod.rs", "use crate::Engine;"), 0);
        assert_eq!(n_complaints("ltl/mod.rs", "use crate::explicit::check;"), 1);
        assert_eq!(n_complaints("ltl/mod.rs", "use crate::cutoff::detect;"), 1);
        assert_eq!(n_complaints("kernel/mod.rs", "use crate::explicit::check;"), 1);
    }

    #[test]
    fn composed_engines_call_what_a_base_engine_offers_and_nothing_below() {
        for place in ["cutoff/check.rs", "lib.rs", "portfolio.rs"] {
            assert_eq!(n_complaints(place, "use crate::coverability::check;"), 0);
            assert_eq!(n_complaints(place, "use crate::coverability;"), 0);
            assert_eq!(n_complaints(place, "use crate::coverability::slice::Schedule;"), 1);
            assert_eq!(n_complaints(place, "use crate::explicit::Order::DepthFirst;"), 0);
        }
        assert_eq!(n_complaints("cutoff/check.rs", "use crate::cmp::check;"), 1);
        assert_eq!(n_complaints("portfolio.rs", "use crate::cutoff::check;"), 0);
        assert_eq!(n_complaints("cutoff/check.rs", "use crate::portfolio::check;"), 1);
    }

    #[test]
    fn a_path_is_found_however_it_is_written() {
        let place = "cutoff/net/mod.rs";
        assert_eq!(
            n_complaints(place, "use crate::{kernel, coverability::{self, rules::Rules}};"),
            1
        );
        assert_eq!(n_complaints(place, "fn f() { crate::coverability::rules::new(); }"), 1);
        assert_eq!(n_complaints(place, "use super::super::coverability::rules::Rules;"), 1);
        assert_eq!(
            n_complaints(place, "mod tests { use super::super::super::ltl::lasso::trace; }"),
            1
        );
        assert_eq!(n_complaints(place, "use super::pace::Pace;"), 0);
        assert_eq!(n_complaints(place, "use crate::explicit::expand as e;"), 1);
        assert_eq!(n_complaints(place, "use crate::explicit::expand::*;"), 1);
        let imported = "use crate::coverability; fn f() { coverability::rules::new(); }";
        assert_eq!(n_complaints(place, imported), 1);
        assert_eq!(n_complaints(place, "fn f() { coverability::rules::new(); }"), 0);
        assert_eq!(n_complaints("lib.rs", "fn f() { coverability::rules::new(); }"), 1);
    }

    #[test]
    fn a_new_module_needs_a_layer() {
        assert_eq!(n_complaints("newcomer/mod.rs", ""), 1);
        assert_eq!(n_complaints("lib.rs", ""), 0);
    }
}
