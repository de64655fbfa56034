//! The copy of the tree that mistakes are made in.
//!
//! A file is written only where its text differs, so that what was built from the
//! copy before stays fresh, and what an interrupted run left behind is rebuilt.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::tidy::tracked_files;

/// A copy of all files that git knows or would add, as they are now.
pub struct Tree {
    folder: PathBuf,
}

impl Tree {
    /// Makes `folder` a copy of the tree at `root`, apart from the files in `changed`,
    /// which have these texts.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn copy(root: &Path, folder: &Path, changed: &BTreeMap<String, String>) -> Result<Tree> {
        let files: BTreeSet<PathBuf> =
            tracked_files(root)?.into_iter().map(PathBuf::from).collect();
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        remove_others(folder, folder, &files)?;
        for file in &files {
            let wanted = match changed.get(&name(file)) {
                Some(text) => text.clone().into_bytes(),
                None => std::fs::read(root.join(file)).with_context(|| name(file))?,
            };
            write_if_different(&folder.join(file), &wanted).with_context(|| name(file))?;
        }
        Ok(Tree { folder: folder.to_path_buf() })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs `trial` while `file` has another text.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn with_text<T>(&self, file: &str, text: &str, trial: impl FnOnce() -> T) -> Result<T> {
        let path = self.folder.join(file);
        let original = std::fs::read(&path).with_context(|| file.to_owned())?;
        std::fs::write(&path, text).with_context(|| file.to_owned())?;
        let result = trial();
        std::fs::write(&path, original).with_context(|| file.to_owned())?;
        Ok(result)
    }
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

/// Removes files in and below `folder` that are not among `files`.
fn remove_others(top: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(top, &path, files)?;
        } else if path.strip_prefix(top).is_ok_and(|file| !files.contains(file)) {
            std::fs::remove_file(&path).with_context(|| name(&path))?;
        }
    }
    Ok(())
}

fn write_if_different(path: &Path, wanted: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|present| present == wanted) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, wanted)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::{Tree, remove_others, write_if_different};

    #[test]
    fn a_file_has_another_text_only_during_the_trial() {
        let folder = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
        write_if_different(&folder.join("a/kept"), b"original").expect("can be written");
        write_if_different(&folder.join("a/other"), b"old").expect("can be written");
        let files = BTreeSet::from([PathBuf::from("a/kept")]);
        remove_others(&folder, &folder, &files).expect("can be removed");
        assert!(!folder.join("a/other").exists());

        let tree = Tree { folder: folder.clone() };
        let read = || std::fs::read_to_string(folder.join("a/kept")).expect("can be read");
        let during = tree.with_text("a/kept", "mistaken", read).expect("can be written");
        assert_eq!((during.as_str(), read().as_str()), ("mistaken", "original"));
        std::fs::remove_dir_all(&folder).expect("can be removed");
    }
}
