//! What came back of URLs that were fetched all the same, counted for and against the operations
//! that would have skipped them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use undust_learn::drift::detect::steps_that_count;
use undust_model::operation::{Disabled, DisabledOperation, OperationName};
use undust_model::registry::{Models, Registry};
use undust_model::site_model::SiteModel;
use undust_model::translation::{Canonicalizer, Translation};
use undust_util::error::{Error, Result};

use super::saved::Trials;

/// A URL that was fetched, though another URL of its form was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// The URL.
    pub url: String,
    /// The other one: its form, or any URL of the same form.
    pub form: String,
    /// Whether both showed the same page.
    pub same: bool,
}

/// What became of observations.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Observed {
    /// Those that counted.
    pub counted: usize,
    /// Of these, how many showed another page than their form.
    pub conflicts: usize,
    /// Those that did not count: no model, or by the model as it is the two URLs have not one
    /// form that an operation brought about.
    pub passed_over: usize,
    /// Of these, how many are of sites without a model that can be loaded.
    pub without_model: usize,
    /// The operations that they were about, those that failed first.
    pub operations: Vec<ObservedOperation>,
    /// Models that could not be loaded, by what is wrong with them.
    #[serde(skip)]
    pub broken: BTreeMap<String, Arc<Error>>,
}

/// An operation, and all that came back of its URLs since its model was learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ObservedOperation {
    /// The site of its model.
    pub site: String,
    /// Its notation.
    pub operation: String,
    /// Distinguishes it from others of this notation.
    #[serde(skip)]
    scope: Option<String>,
    /// URLs that showed the page of their form.
    pub agreed: u64,
    /// URLs that showed another.
    pub disagreed: u64,
    /// Where it stands.
    pub status: TrialStatus,
}

/// Where an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TrialStatus {
    /// It failed, and is switched off until the next training.
    Off,
    /// It passed one test at least.
    Held,
    /// Too little came back so far.
    Open,
}

impl fmt::Display for TrialStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Off => "off",
            Self::Held => "held",
            Self::Open => "open",
        })
    }
}

impl Observed {
    /// What failed by these observations.
    pub fn switched_off(&self) -> impl Iterator<Item = &ObservedOperation> {
        self.operations.iter().filter(|operation| operation.status == TrialStatus::Off)
    }

    /// Adds what became of later observations. Of an operation that both are about the later
    /// counts stand, for they are of all that ever came back.
    pub fn add(&mut self, later: Self) {
        self.counted += later.counted;
        self.conflicts += later.conflicts;
        self.passed_over += later.passed_over;
        self.without_model += later.without_model;
        self.broken.extend(later.broken);
        let all = mem::take(&mut self.operations).into_iter().chain(later.operations);
        let key =
            |one: &ObservedOperation| (one.site.clone(), one.operation.clone(), one.scope.clone());
        let latest: IndexMap<_, _> = all.map(|one| (key(&one), one)).collect();
        self.operations = latest.into_values().collect();
        self.sort();
    }

    fn pass_over_without_model(&mut self, observations: usize) {
        self.passed_over += observations;
        self.without_model += observations;
    }

    fn sort(&mut self) {
        self.operations.sort_by(|a, b| {
            let most_first = (b.disagreed, b.agreed).cmp(&(a.disagreed, a.agreed));
            a.status.cmp(&b.status).then(most_first)
        });
    }
}

/// Counts what came back for or against the operations of the models in charge, and switches
/// off those that fail: they are served no more within a second. All is kept in the folders of
/// the models, and the next training begins without it. Other processes may do the same. A model
/// that cannot be loaded is reported, and those of other sites count.
///
/// # Errors
///
/// A folder that cannot be read or written.
pub fn observe(registry: &Registry, observations: &[Observation]) -> Result<Observed> {
    registry.check_writable()?;
    let mut observed = Observed::default();
    let mut by_site: IndexMap<_, Vec<&Observation>> = IndexMap::new();
    for observation in observations {
        match registry.site(&observation.url) {
            Ok(site) => by_site.entry(site).or_default().push(observation),
            Err(_) => observed.pass_over_without_model(1),
        }
    }
    for (site, observations) in by_site {
        // One model after the other, for those of all sites need not fit into memory.
        match registry.model(&observations[0].url) {
            Ok(model) => {
                let folder = registry.folder(&site);
                let trial = SiteTrial::hold(&folder, &model)?;
                trial.run(&observations, &mut observed)?;
            }
            Err(lookup_error) => {
                observed.pass_over_without_model(observations.len());
                let error = lookup_error.error;
                observed.broken.extend(error.map(|error| (error.to_string(), error)));
            }
        }
    }
    observed.sort();
    Ok(observed)
}

/// The trials of a model, while nobody else counts.
struct SiteTrial<'t> {
    folder: &'t Path,
    model: &'t SiteModel,
    trials: Trials,
    disabled: Disabled,
    /// Whether the folder still holds this model.
    is_current: bool,
    _held: Option<File>,
}

impl<'t> SiteTrial<'t> {
    fn hold(folder: &'t Path, model: &'t SiteModel) -> Result<Self> {
        // Where a folder cannot be locked, two who count at once may lose what one of them counted.
        let held = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
        let (trials, disabled) = (Trials::read(folder)?, Disabled::read(folder)?);
        let is_current = disabled.model == model.disabled.model;
        Ok(Self { folder, model, trials, disabled, is_current, _held: held })
    }

    fn run(mut self, observations: &[&Observation], observed: &mut Observed) -> Result<()> {
        let (mut counted, mut failed) = (0, 0);
        let (mut met, mut is_met) = (Vec::new(), FxHashSet::default());
        for observation in observations {
            let names = self.merged_by(observation);
            if names.is_empty() {
                observed.passed_over += 1;
                continue;
            }
            counted += 1;
            observed.conflicts += usize::from(!observation.same);
            if let Some(name) = self.trials.count(&names, observation.same) {
                let trial = self.trials.of(&name);
                let (agreed, disagreed) = (trial.agreed, trial.disagreed);
                self.disabled.operations.push(DisabledOperation { name, agreed, disagreed });
                failed += 1;
            }
            met.extend(names.into_iter().filter(|name| is_met.insert(name.clone())));
        }
        if failed > 0 {
            self.disabled.write(self.folder)?;
        }
        if counted > 0 {
            self.trials.write(self.folder, &self.disabled.model)?;
        }
        observed.counted += counted;
        observed.operations.extend(met.iter().map(|name| self.describe(name)));
        Ok(())
    }

    /// The operations that gave two URLs one form; none where they have not one, or where what
    /// gave it to them has failed meanwhile.
    fn merged_by(&self, observation: &Observation) -> Vec<OperationName> {
        let Observation { url, form, .. } = observation;
        let [one, other] = [url, form].map(|url| (url, self.model.canonicalize(url)));
        if !self.is_current || one.1.canonical != other.1.canonical {
            return Vec::new();
        }
        let mut names: Vec<OperationName> = Vec::new();
        for (url, done) in [one, other] {
            for name in self.operations(url, &done) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if names.iter().any(|name| self.disabled.has(name)) { Vec::new() } else { names }
    }

    fn operations(&self, url: &str, done: &Translation<'_>) -> impl Iterator<Item = OperationName> {
        steps_that_count(url, done, self.model.conventions.as_deref()).map(OperationName::of)
    }

    fn describe(&self, name: &OperationName) -> ObservedOperation {
        let trial = self.trials.of(name);
        let status = match trial.passed {
            _ if self.disabled.has(name) => TrialStatus::Off,
            0 => TrialStatus::Open,
            _ => TrialStatus::Held,
        };
        ObservedOperation {
            site: self.model.site.to_string(),
            operation: name.notation.clone(),
            scope: name.scope.clone(),
            agreed: trial.agreed,
            disagreed: trial.disagreed,
            status,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use undust_model::translation::{How, Reason};
    use undust_testing::copied_models;

    use super::*;

    fn observation(url: &str, form: &str, same: bool) -> Observation {
        Observation { url: url.into(), form: form.into(), same }
    }

    /// Users whose names can be left out, of whom another page is found under either.
    fn disagreeing(count: usize) -> Vec<Observation> {
        let user = |n| format!("http://a.test/users/{n}x");
        (0..count).map(|n| observation(&format!("{}/bob", user(n)), &user(n), false)).collect()
    }

    /// Nothing can be taken out of a network: what a pair of templates would have answered stays
    /// as it is.
    #[test]
    fn a_pair_of_templates_is_refused() {
        let models = copied_models();
        let url = "http://a.test/users/9x/bob";
        let registry = Registry::open(models.path()).expect("models");
        assert_eq!(registry.canonical(url), "http://a.test/users/9x");
        let observed = observe(&registry, &disagreeing(5)).expect("counting");
        assert_eq!((observed.counted, observed.passed_over), (3, 2));
        let disabled: Vec<_> = observed.switched_off().collect();
        assert_eq!((disabled.len(), disabled[0].disagreed), (1, 3));
        let registry = Registry::open(models.path()).expect("models");
        let refused = registry.canonicalize(url);
        assert_eq!(
            (&*refused.canonical, refused.how),
            (url, How::Unchanged(Reason::DisabledOperation))
        );
        assert!(refused.cause.is_empty());
        let print = "http://b.test/story/7/print";
        assert_eq!(registry.canonical(print), "http://b.test/story/7");
        let explained = serde_json::to_value(registry.explain(url)).expect("JSON");
        assert_eq!(explained["switched_off"][0]["disagreed"], 3);
    }

    /// Though both files lie in the folder, as where it is copied over an older one.
    #[test]
    fn what_is_off_is_off_of_one_model() {
        let models = copied_models();
        let folder = models.path().join("a.test");
        let registry = Registry::open(models.path()).expect("models");
        observe(&registry, &disagreeing(3)).expect("counting");
        assert_eq!(Disabled::read(&folder).expect("a file").operations.len(), 1);
        let json = fs::read_to_string(folder.join("model.json")).expect("a model");
        fs::write(folder.join("model.json"), format!("{json}\n")).expect("another model");
        assert!(folder.join("disabled.json").exists() && folder.join("trials.json").exists());
        assert!(Disabled::read(&folder).expect("a file").operations.is_empty());
        // Who still has the old one in memory counts nothing against the new one.
        let observed = observe(&registry, &disagreeing(3)).expect("counting");
        assert_eq!((observed.counted, observed.passed_over), (0, 3));
        let registry = Registry::open(models.path()).expect("models");
        assert_eq!(observe(&registry, &disagreeing(2)).expect("counting").counted, 2);
        assert_eq!(registry.canonical("http://a.test/users/9x/bob"), "http://a.test/users/9x");
    }

    #[test]
    fn who_has_not_one_form_by_an_operation_is_passed_over() {
        let models = copied_models();
        let registry = Registry::open(models.path()).expect("models");
        let story = "http://b.test/story/7";
        let observed = observe(
            &registry,
            &[
                observation(story, story, false),
                observation(story, "http://b.test/story/8", false),
                observation("http://elsewhere.test/", "http://elsewhere.test/", true),
            ],
        );
        let Observed { counted, passed_over, without_model, operations, .. } =
            observed.expect("counting");
        assert_eq!((counted, passed_over, without_model), (0, 3, 1));
        assert!(operations.is_empty());
        assert!(!models.path().join("b.test/trials.json").exists());
    }

    /// Not like a URL of a site that has none: what came back would be lost without a word.
    #[test]
    fn a_model_that_cannot_be_loaded_is_told_once_and_the_others_count() {
        let models = copied_models();
        fs::write(models.path().join("b.test/model.json"), "{").expect("damage");
        let registry = Registry::open(models.path()).expect("models");
        let print =
            |n| observation(&format!("http://b.test/story/{n}/print"), "http://b.test/", true);
        let came = [disagreeing(2), vec![print(1), print(2)]].concat();
        let mut observed = observe(&registry, &came).expect("counting");
        observed.add(observe(&registry, &came).expect("counting"));
        assert_eq!((observed.counted, observed.without_model), (3, 4));
        let described: Vec<&String> = observed.broken.keys().collect();
        assert!(described.len() == 1 && described[0].contains("b.test"), "{described:?}");
    }
}
