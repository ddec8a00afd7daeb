//! The methods of URL canonicalisation, by name, and what each learns of a site.

use std::fmt;
use std::str::FromStr;

use crate::learned::Learned;
use crate::report::Report;
use crate::report::network::NetworkReport;
use undust_model::model::Model;

use crate::config::{Config, GateConfig};
use crate::error::{ArgumentReason, ConfigReason, Error, Result};
use crate::gate;
use crate::gate::answered::with_answers;
use crate::gate::learn::Proposers;
use crate::labels::Labelled;
use crate::learners::learner::{FromListing, Learner};
use crate::learners::{LEARNERS, MIQPS};
use crate::observer::Observer;
use crate::training::{NormalizedSet, TrainingSet};
use crate::translator::TrainTranslator;

/// A method. The command line, the tables of results and model folders know it by its
/// [name](Method::name).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Method {
    /// No model: every URL is its own canonical form, as for a crawler without this tool.
    KeepAll,
    /// The paper's tokeniser alone, which throws `/` away: what it gains without a model.
    TokenIdentity,
    /// A learner of rules.
    Rules(&'static Learner),
    /// Parameter pruning: drops arguments, ends of values and path pieces, selected by
    /// the gate.
    Slots,
    /// Edits proposed by slots, DustBuster and DUSTER, selected by the gate.
    Auto,
    /// The neural translator: the pointer network.
    Seq2Seq,
    /// The network of the SIGIR 2017 paper, by its recipe.
    Seq2SeqPaper,
}

/// What a method learns with, in addition to the pages.
#[derive(Clone, Copy)]
pub struct Training<'t> {
    /// The settings.
    pub config: &'t Config,
    /// What trains the URL translator, where the program has it.
    pub translator: Option<&'t dyn TrainTranslator>,
    /// Observes learning, and may end it.
    pub observer: &'t dyn Observer,
}

impl<'t> Training<'t> {
    /// Without a translator, unobserved.
    pub fn new(config: &'t Config) -> Self {
        Self { config, translator: None, observer: &() }
    }
}

impl Method {
    /// Every method, in the order of the tables of results: baselines, rules, edits, networks.
    pub fn all() -> impl Iterator<Item = Self> {
        let rules = LEARNERS.into_iter().chain([MIQPS]).map(Self::Rules);
        let others = [Self::Slots, Self::Auto, Self::Seq2Seq, Self::Seq2SeqPaper];
        [Self::KeepAll, Self::TokenIdentity].into_iter().chain(rules).chain(others)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeepAll => "keep-all",
            Self::TokenIdentity => "token-identity",
            Self::Rules(learner) => learner.name,
            Self::Slots => "slots",
            Self::Auto => "auto",
            Self::Seq2Seq => "seq2seq",
            Self::Seq2SeqPaper => "seq2seq-paper",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::KeepAll => "No model: every URL is its own canonical form",
            Self::TokenIdentity => "Only the tokeniser of the SIGIR 2017 paper, without a model",
            Self::Rules(learner) => learner.about,
            Self::Slots => {
                "Parameter pruning: drops arguments, ends of values and path pieces, selected by the gate"
            }
            Self::Auto => "Edits proposed by slots, dustbuster and duster, selected by the gate",
            Self::Seq2Seq => {
                "A GRU encoder-decoder that copies parts of URLs (pointer network); no gate"
            }
            Self::Seq2SeqPaper => {
                "The encoder-decoder of Xu, Liu, Callan (SIGIR 2017), which cannot copy"
            }
        }
    }

    /// Whether it is a baseline: it learns nothing, and is there to be compared with.
    pub fn is_baseline(self) -> bool {
        matches!(self, Self::KeepAll | Self::TokenIdentity)
    }

    /// Whether it trains a translator, which needs the feature `network`.
    pub fn is_network(self) -> bool {
        matches!(self, Self::Seq2Seq | Self::Seq2SeqPaper)
    }

    /// Whether its edits pass the gate.
    pub fn is_gated(self) -> bool {
        matches!(self, Self::Slots | Self::Auto)
    }

    /// Whether `evaluate` replays it without being asked: all but the paper's recipe, which takes
    /// minutes.
    pub fn is_compared(self) -> bool {
        !matches!(self, Self::Seq2SeqPaper)
    }

    /// Whether it makes do with the URLs of a log or a list.
    pub fn learns_from_urls(self) -> bool {
        self.url_learner().is_some()
    }

    /// Whether it does what the settings say of arguments that stay: only the gate sees to it.
    ///
    /// # Errors
    ///
    /// Names to keep, of a method that has no gate.
    pub fn check_keeps(self, gate: &GateConfig) -> Result<()> {
        if gate.keep.is_empty() || self.is_gated() {
            return Ok(());
        }
        Err(ConfigReason::KeepWithoutGate { method: self.to_string() }.into())
    }

    /// How it learns from the URLs of a log or a list, if it makes do without pages.
    pub(crate) fn url_learner(self) -> Option<FromListing> {
        match self {
            Self::Rules(learner) => learner.from_urls,
            _ => None,
        }
    }

    /// Learns a site, its URLs written as it writes most of them. Where the pairs teach the method nothing (no page has a duplicate, and
    /// pages without one do not count), the model leaves every URL as it is.
    ///
    /// # Errors
    ///
    /// A setting out of its range, and those of training a network: a device or a feature that is missing, training that
    /// diverges or is interrupted before anything was learned.
    pub fn learn(self, set: &TrainingSet<'_>, training: &Training<'_>) -> Result<Learned> {
        training.config.check()?;
        let mut report = Report::new(self.name(), set.pages().len(), set.clusters().len());
        let ordered = self.is_gated().then(|| set.in_order_of_urls());
        let ordered =
            ordered.as_ref().map(|(pages, clusters)| TrainingSet::by(pages, clusters, set.order()));
        let set = ordered.as_ref().unwrap_or(set);
        let crawled = set;
        let labelled = Some(set).filter(|_| self.is_gated());
        let labelled = labelled.and_then(|set| Labelled::of(set, training.config));
        let with_labels = labelled.as_ref().map(|labelled| labelled.set(set));
        let set = with_labels.as_ref().unwrap_or(set);
        let normalized = NormalizedSet::of(set, &training.config.gate);
        let set = &normalized.set();
        let (config, observer) = (training.config, training.observer);
        let trainer = || training.translator.ok_or(Error::MissingFeature("network"));
        let model = match self {
            Self::KeepAll => Model::Identity,
            Self::TokenIdentity => Model::TokenIdentity,
            Self::Rules(learner) => {
                let (rules, how) = learner.learn(set, config, observer);
                report.rules = Some(how);
                Model::Rules(rules)
            }
            Self::Slots | Self::Auto => {
                let all = self == Self::Auto;
                let proposers = if all { Proposers::ALL } else { Proposers::SLOTS };
                let editor = gate::learn::learn(set, &proposers, config, observer)?;
                let (labelled, conventions) = (labelled.as_ref(), &normalized.conventions);
                Model::Edits(Box::new(with_answers(&editor, crawled, labelled, conventions)))
            }
            Self::Seq2Seq => {
                let learned = trainer()?.train(set, config, observer)?;
                translator(learned, Model::Pointer, &mut report)
            }
            Self::Seq2SeqPaper => {
                let learned = trainer()?.train_paper(set, config, observer)?;
                translator(learned, Model::Network, &mut report)
            }
        };
        if let Some(labelled) = &labelled {
            report.labels = labelled.report.clone();
        }
        Ok(Learned::new(model, report, normalized.conventions))
    }
}

/// The model of what was trained: no pair to learn from leaves every URL as it is.
fn translator<T>(
    learned: Option<(T, NetworkReport)>,
    model: fn(Box<T>) -> Model,
    report: &mut Report,
) -> Model {
    let Some((translator, how)) = learned else { return Model::Identity };
    report.network = Some(how);
    model(Box::new(translator))
}

/// By its [name](Method::name).
impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let unknown = || ArgumentReason::UnknownMethod { name: name.to_owned() }.into();
        Self::all().find(|method| method.name() == name).ok_or_else(unknown)
    }
}

/// The name.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Method {}

#[cfg(test)]
mod tests {
    mod delimiter_patterns;
    mod normalize;
    mod values;

    use super::*;

    #[test]
    fn every_method_is_found_by_its_name() {
        for method in Method::all() {
            assert_eq!(method.name().parse::<Method>().expect("a method"), method);
        }
        assert_eq!(Method::all().filter(|method| *method == Method::Seq2Seq).count(), 1);
        let unknown = "keep-everything".parse::<Method>().expect_err("no method");
        assert_eq!(unknown.to_string(), "no method is called `keep-everything`");
    }

    #[test]
    fn what_is_to_be_kept_wants_a_gate() {
        let gate = GateConfig { keep: vec!["id".into()], ..GateConfig::default() };
        for method in Method::all() {
            assert!(method.check_keeps(&GateConfig::default()).is_ok(), "{method}");
            assert_eq!(method.check_keeps(&gate).is_ok(), method.is_gated(), "{method}");
        }
        let tree: Method = "tree".parse().expect("a method");
        let described = tree.check_keeps(&gate).expect_err("no gate").to_string();
        assert!(described.contains("`tree`") && described.contains("`auto`"), "{described}");
    }
}
