//! The documents: every link leads somewhere, every console block runs, and figures are those that
//! were measured.

mod console;
mod figures;
mod markdown;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use markdown::Document;

use crate::support::{Figures, repository};

const NAMED: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "models/README.md",
    "data/README.md",
    "python/README.md",
];

/// The documents by their paths, and all below `docs`.
fn documents() -> BTreeMap<PathBuf, Document> {
    let mut paths = NAMED.map(|name| repository().join(name)).to_vec();
    below(&repository().join("docs"), &mut paths);
    paths.into_iter().map(|path| (path.clone(), Document::read(&path))).collect()
}

fn below(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            below(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

/// Figures of methods are those of `docs/figures.json`; `INSTA_UPDATE=always` writes them.
#[test]
fn figures_are_those_that_were_measured() {
    state_figures();
}

pub(crate) fn state_figures() {
    let measured = Figures::read();
    let differ = |path: &PathBuf| figures::check(path, &measured);
    let differ: Vec<_> = documents().keys().filter_map(differ).collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// Of links to other sites it is known only that they name a scheme.
#[test]
fn every_link_leads_somewhere() {
    let documents = documents();
    let mut broken = Vec::new();
    for (path, document) in &documents {
        for link in &document.links {
            if let Err(why) = follow(&documents, path, &link.target) {
                broken.push(format!("{}:{}: {}: {why}", path.display(), link.line, link.target));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn follow(
    documents: &BTreeMap<PathBuf, Document>,
    from: &Path,
    target: &str,
) -> Result<(), &'static str> {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) {
        return Ok(());
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let to = match file {
        "" => from.to_path_buf(),
        file => from.parent().expect("a folder").join(file),
    };
    let to = fs::canonicalize(to).map_err(|_| "no such file")?;
    let Some(anchor) = anchor else { return Ok(()) };
    let anchors = match documents.get(&to) {
        Some(document) => &document.anchors,
        None if to.extension().is_some_and(|kind| kind == "md") => &Document::read(&to).anchors,
        None => return Err("a place in a file that has no headings"),
    };
    anchors.contains(anchor).then_some(()).ok_or("no such heading")
}

/// A block that is not run says why in a comment before it: `<!-- not run: REASON -->`.
#[cfg(target_os = "linux")]
#[test]
fn every_console_block_runs() {
    let mut failed = Vec::new();
    let mut run = 0;
    for (path, document) in documents() {
        if !path.ends_with("README.md") && !path.starts_with(repository().join("docs")) {
            continue;
        }
        let mut place = None;
        for block in document.blocks.iter().filter(|block| block.reason.is_none()) {
            let place = place.get_or_insert_with(console::Place::new);
            run += 1;
            if let Err(why) = place.run(&block.text) {
                failed.push(format!("{}:{}:\n{}{why}", path.display(), block.line, block.text));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(run > 0, "no document has a console block that runs");
}

#[test]
fn a_block_that_is_not_run_has_a_reason() {
    for (path, document) in documents() {
        for block in document.blocks {
            let reason = block.reason.as_deref().map(str::trim);
            assert_ne!(reason, Some(""), "{}:{}", path.display(), block.line);
        }
    }
}
