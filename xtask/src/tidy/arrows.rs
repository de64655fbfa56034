//! Decides whether each crate depends only on the crates it may see.
//!
//! The arrows are `cli -> {frontend, llvm, jit, report, verify} -> model` and
//! `verify -> {engine, certify} -> model`; `cli` sees those two as well. Only
//! what ships counts, so dev-dependencies are free, with one exception:
//! `certify` never sees `engine`, not even in its tests, since its independence
//! is part of what a certificate claims.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// Crates that ship, with the crates of ours that each may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("frontend", &["model"]),
    ("engine", &["model"]),
    ("jit", &["model"]),
    ("llvm", &["model"]),
    ("certify", &["model"]),
    ("report", &["model"]),
    ("verify", &["model", "engine", "certify"]),
    ("cli", &["model", "frontend", "llvm", "engine", "jit", "certify", "report", "verify"]),
];

/// Crates for development, which may see everything.
const DEVELOPMENT: &[&str] = &["testkit", "xtask"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

/// Complaints about arrows that must not be there.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let metadata = read_metadata(root)?;
    Ok(metadata.packages.iter().flat_map(check_package).collect())
}

fn read_metadata(root: &Path) -> Result<Metadata> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo metadata does not start")?;
    ensure!(output.status.success(), "cargo metadata failed");
    serde_json::from_slice(&output.stdout).context("cargo metadata printed unexpected JSON")
}

fn check_package(package: &Package) -> Vec<String> {
    if DEVELOPMENT.contains(&package.name.as_str()) {
        return Vec::new();
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!("crate `{}` has no entry in the table of arrows", package.name)];
    };
    let ours = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
    let forbidden = ours.filter(|dependency| is_forbidden(package, dependency, allowed));
    forbidden
        .map(|dependency| format!("crate `{}` must not see `{}`", package.name, dependency.name))
        .collect()
}

fn is_forbidden(package: &Package, dependency: &Dependency, allowed: &[&str]) -> bool {
    if package.name == "certify" && dependency.name == "engine" {
        return true;
    }
    let ships = dependency.kind.as_deref() != Some("dev");
    ships && !allowed.contains(&dependency.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::{Dependency, Package, check_package};

    fn complaints(from: &str, to: &str, kind: Option<&str>) -> usize {
        let dependency = Dependency {
            name: to.into(),
            kind: kind.map(str::to_owned),
            path: Some("somewhere".into()),
        };
        check_package(&Package { name: from.into(), dependencies: vec![dependency] }).len()
    }

    #[test]
    fn siblings_do_not_see_each_other_and_certify_never_sees_engine() {
        assert_eq!(complaints("cli", "engine", None), 0);
        assert_eq!(complaints("engine", "certify", None), 1);
        assert_eq!(complaints("engine", "certify", Some("dev")), 0);
        assert_eq!(complaints("certify", "engine", Some("dev")), 1);
        assert_eq!(complaints("testkit", "engine", None), 0);
        assert_eq!(complaints("newcomer", "model", None), 1);
    }
}
