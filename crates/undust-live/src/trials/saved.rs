//! All that came back of the URLs of one model: `trials.json` of its folder.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use undust_model::operation::{OfModel, OperationName, OperationRecord};
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

#[derive(Serialize, Deserialize)]
struct SavedTrial {
    #[serde(flatten)]
    name: OperationName,
    #[serde(flatten)]
    trial: Trial,
}

impl OperationRecord for SavedTrial {
    const FILE: &str = "trials.json";
    const WITHOUT: &str = "counting starts again";
}

impl Trials {
    /// Those of the model in this folder.
    ///
    /// # Errors
    ///
    /// A file that is there and cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let entries = OfModel::<SavedTrial>::read(folder)?.operations;
        let by_name = entries.into_iter().map(|entry| (entry.name, entry.trial));
        Ok(Self { by_name: by_name.collect() })
    }

    /// Writes them into the folder of the model, whole or not at all.
    pub(crate) fn write(&self, folder: &Path, model: &str) -> Result<()> {
        let entry = |(name, trial): (&OperationName, &Trial)| SavedTrial {
            name: name.clone(),
            trial: *trial,
        };
        let operations = self.by_name.iter().map(entry).collect();
        OfModel { model: model.to_owned(), operations }.write(folder)
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
    use undust_testing::copied_models;

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
        let models = copied_models();
        let folder = models.path().join("a.test");
        let model = OfModel::<SavedTrial>::read(&folder).expect("a model").model;
        let mut trials = Trials::default();
        trials.count(&[name("a"), name("b")], true);
        let written = |model: &str| {
            trials.write(&folder, model).expect("writing");
            Trials::read(&folder).expect("trials").by_name
        };
        assert_eq!(written(&model), trials.by_name);
        assert!(written("another").is_empty());
        std::fs::write(folder.join(SavedTrial::FILE), "no JSON").expect("a file");
        let error = Trials::read(&folder).expect_err("damage").to_string();
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
