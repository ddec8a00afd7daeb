//! All that came back of the URLs of one model: `trials.json` of its folder.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use undust_model::folder::disabled::{read_json, write_json};
use undust_model::folder::names::TRIALS;
use undust_model::operation::OperationName;
use undust_util::error::Result;

use super::trial::Trial;

/// Operations of one model at most: a network has one for each template, and who asks it for
/// many could make many.
const MOST: usize = 1 << 12;

/// The trials of a model's operations.
#[derive(Debug, Default)]
pub(crate) struct Trials {
    by_name: BTreeMap<OperationName, Trial>,
}

/// As the file holds them.
#[derive(Serialize, Deserialize)]
struct TrialsFile {
    /// The model that they belong to: its [identity](undust_model::folder::disabled::identity).
    model: String,
    operations: Vec<SavedTrial>,
}

#[derive(Serialize, Deserialize)]
struct SavedTrial {
    #[serde(flatten)]
    name: OperationName,
    #[serde(flatten)]
    trial: Trial,
}

impl Trials {
    /// Those of this model; none where the folder holds those of another.
    ///
    /// # Errors
    ///
    /// A file that is there and cannot be read.
    pub(crate) fn read(folder: &Path, model: &str) -> Result<Self> {
        let read: Option<TrialsFile> = read_json(&folder.join(TRIALS), "counting starts again")?;
        let entries = read.filter(|file| file.model == model).map(|file| file.operations);
        let by_name = entries.into_iter().flatten().map(|entry| (entry.name, entry.trial));
        Ok(Self { by_name: by_name.collect() })
    }

    /// Writes them into the folder, whole or not at all.
    pub(crate) fn write(&self, folder: &Path, model: &str) -> Result<()> {
        let entry = |(name, trial): (&OperationName, &Trial)| SavedTrial {
            name: name.clone(),
            trial: *trial,
        };
        let operations = self.by_name.iter().map(entry).collect();
        write_json(&folder.join(TRIALS), &TrialsFile { model: model.to_owned(), operations })
    }

    /// The trial of an operation.
    pub(crate) fn of(&self, name: &OperationName) -> Trial {
        self.by_name.get(name).copied().unwrap_or_default()
    }

    /// Counts what came back of a URL that these operations merged with another; the one that
    /// fails by it. An agreement counts for all of them. Of a disagreement one is guilty at least,
    /// and it counts against the most refuted; of equal ones against the last, which works on
    /// what those before it made.
    pub(crate) fn count(
        &mut self,
        merged_by: &[OperationName],
        same: bool,
    ) -> Option<OperationName> {
        if same {
            for name in merged_by {
                self.count_one(name, true);
            }
            return None;
        }
        let disagreement_rate = |name: &&OperationName| self.of(name).disagreement_rate();
        let most_refuted = merged_by
            .iter()
            .max_by(|a, b| disagreement_rate(a).total_cmp(&disagreement_rate(b)))?
            .clone();
        self.count_one(&most_refuted, false).then_some(most_refuted)
    }

    fn count_one(&mut self, name: &OperationName, same: bool) -> bool {
        if self.by_name.len() >= MOST && !self.by_name.contains_key(name) {
            return false;
        }
        self.by_name.entry(name.clone()).or_default().count(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(notation: &str) -> OperationName {
        OperationName { notation: notation.into(), scope: None }
    }

    #[test]
    fn the_guilty_one_is_found_though_it_never_comes_alone() {
        let (good, bad) = (name("drop ?sid"), name("drop ?page"));
        let mut trials = Trials::default();
        // One agreement of the good one by itself is enough.
        trials.count(std::slice::from_ref(&good), true);
        let both = [bad.clone(), good.clone()];
        let failed: Vec<_> = (0..3).filter_map(|_| trials.count(&both, false)).collect();
        assert_eq!(failed, [bad]);
        assert_eq!(trials.of(&good).disagreed, 0);
    }

    #[test]
    fn of_equal_ones_the_last_is_guilty() {
        let names = [name("a"), name("b")];
        let mut trials = Trials::default();
        trials.count(&names, true);
        trials.count(&names, false);
        let counts =
            names.each_ref().map(|name| (trials.of(name).agreed, trials.of(name).disagreed));
        assert_eq!(counts, [(1, 0), (1, 1)]);
    }

    #[test]
    fn they_are_of_one_model() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut trials = Trials::default();
        trials.count(&[name("a"), name("b")], true);
        trials.write(folder.path(), "one").expect("writing");
        let read = |model| Trials::read(folder.path(), model).expect("trials");
        assert_eq!(read("one").by_name, trials.by_name);
        assert!(read("another").by_name.is_empty());
        std::fs::write(folder.path().join(TRIALS), "no JSON").expect("a file");
        let error = Trials::read(folder.path(), "one").expect_err("damage").to_string();
        assert!(error.contains("trials.json"), "{error}");
        assert!(error.ends_with("; without this file counting starts again"), "{error}");
    }

    #[test]
    fn there_is_a_bound_to_them() {
        let mut trials = Trials::default();
        for number in 0..MOST + 10 {
            trials.count(&[name(&number.to_string())], false);
        }
        assert_eq!(trials.by_name.len(), MOST);
    }
}
