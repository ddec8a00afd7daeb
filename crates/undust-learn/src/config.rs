//! Every setting of training, as `train.toml` holds them.

mod gate;
mod labels;
pub mod layers;
mod paper;
mod ranges;
mod rules;
mod seq2seq;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use self::gate::GateConfig;
pub use self::labels::{LabelConfig, LabelUse};
pub use self::paper::{LossMean, Optimizer, PaperConfig};
pub use self::rules::{
    DustbusterConfig, DusterConfig, FalsePositives, RewriteConfig, RuleLimits, TreeConfig,
};
pub use self::seq2seq::Seq2SeqConfig;
use undust_cluster::canonical_order::CanonicalOrder;
use undust_cluster::clusters::ClusterOptions;
use undust_url::frequency::{DfMode, FunctionRule};
use undust_url::tokens::Delimiters;
use undust_util::read_limited::read_text;

use crate::error::{ConfigReason, Error, Result};

/// Bytes of a settings file at most.
const MOST_BYTES: u64 = 16 << 20;

/// The settings of one training run. A file may leave out what it does not change, and may
/// not hold what is no setting: a misspelt name is an error, not a default. What is skipped by serde is a
/// constant: no crawl gave a reason to change it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Everything random follows from this number.
    pub seed: u64,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// Which URL of a cluster is its canonical one.
    pub canonical: CanonicalOrder,
    /// How a URL is cut into function tokens and arguments.
    pub tokens: TokenConfig,
    /// The neural translator.
    pub seq2seq: Seq2SeqConfig,
    /// The network of the SIGIR 2017 paper.
    pub seq2seq_paper: PaperConfig,
    /// The gate.
    pub gate: GateConfig,
    /// Labels that the site gives its pages.
    pub labels: LabelConfig,
    /// Which rules are kept, whichever method found them.
    pub rules: RuleLimits,
    /// Rewrite rules.
    pub rewrite: RewriteConfig,
    /// Decision-tree rules.
    pub tree: TreeConfig,
    /// DustBuster.
    pub dustbuster: DustbusterConfig,
    /// DUSTER.
    pub duster: DusterConfig,
    /// When a site is worth a model.
    pub site: SiteConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 17,
            clusters: ClusterOptions::default(),
            canonical: CanonicalOrder::default(),
            tokens: TokenConfig::default(),
            seq2seq: Seq2SeqConfig::default(),
            seq2seq_paper: PaperConfig::default(),
            gate: GateConfig::default(),
            labels: LabelConfig::default(),
            rules: RuleLimits::default(),
            rewrite: RewriteConfig::default(),
            tree: TreeConfig::default(),
            dustbuster: DustbusterConfig::default(),
            duster: DusterConfig::default(),
            site: SiteConfig::default(),
        }
    }
}

/// How a URL is cut into function tokens and arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenConfig {
    /// Share of a site's URLs from which on a token is a function token.
    pub threshold: f64,
    /// The same for names in the query, where they are counted by themselves.
    pub key_threshold: f64,
    /// `typed`: names in the query are tokens of their own; `pooled`: as in the paper.
    #[serde(skip)]
    pub df: DfMode,
    /// ASCII punctuation that is a delimiter in addition to `/ ? = & # ; . ,`.
    pub extra_delimiters: String,
    /// Whether trailing slashes and empty segments are thrown away, as in the paper.
    #[serde(skip)]
    pub drop_slashes: bool,
}

impl Default for TokenConfig {
    fn default() -> Self {
        Self {
            threshold: 0.01,
            key_threshold: 0.001,
            df: DfMode::Typed,
            extra_delimiters: String::new(),
            drop_slashes: false,
        }
    }
}

impl TokenConfig {
    /// As the SIGIR 2017 paper cuts URLs.
    pub fn paper() -> Self {
        Self { df: DfMode::Pooled, drop_slashes: true, ..Self::default() }
    }

    /// The delimiters.
    pub fn delimiters(&self) -> Delimiters {
        Delimiters::with_extra(&self.extra_delimiters)
    }

    /// Whether the extra delimiters can be some: within words nothing delimits.
    fn check(&self) -> Result<(), ConfigReason> {
        match self.extra_delimiters.chars().find(|letter| !letter.is_ascii_punctuation()) {
            None => Ok(()),
            Some(letter) => Err(ConfigReason::Delimiter { letter }),
        }
    }

    /// What makes a token a function token.
    pub fn function_rule(&self) -> FunctionRule {
        FunctionRule { threshold: self.threshold, key_threshold: self.key_threshold, mode: self.df }
    }
}

/// When a site is worth a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SiteConfig {
    /// Fewest pages.
    pub min_pages: usize,
    /// Fewest duplicate clusters of two pages or more.
    pub min_clusters: usize,
}

impl Default for SiteConfig {
    fn default() -> Self {
        Self { min_pages: 100, min_clusters: 1 }
    }
}

impl Config {
    /// The settings as a model keeps them. Labels that nobody asked for are left out: a model is then the same, byte
    /// for byte, as before there were any.
    pub fn record(&self) -> serde_json::Value {
        let mut record = serde_json::to_value(self).unwrap_or_default();
        if let Some(settings) = record.as_object_mut().filter(|_| !self.labels.is_used()) {
            settings.remove("labels");
        }
        record
    }

    /// Reads and checks a file of at most 16 MiB.
    pub fn read(path: &Path) -> Result<Self> {
        Self::of_file(path, &Self::text_of(path)?)
    }

    /// The text of a file, or of a pipe, which gives it once.
    fn text_of(path: &Path) -> Result<String> {
        let text = read_text(path, MOST_BYTES).map_err(Error::io("read", path))?;
        let reason = ConfigReason::TooLarge { mebibytes: MOST_BYTES >> 20 };
        text.ok_or_else(|| Error::at(path, reason))
    }

    fn of_file(path: &Path, text: &str) -> Result<Self> {
        Self::parse(text).map_err(|reason| Error::at(path, reason))
    }

    /// Checked settings from a table as a settings file holds it, such as a dict of Python.
    ///
    /// # Errors
    ///
    /// A name that is no setting, or a value out of its range.
    pub fn from_table(given: toml::Table) -> Result<Self> {
        Ok(Self::checked(given)?)
    }

    fn parse(text: &str) -> Result<Self, ConfigReason> {
        Self::checked(toml::from_str(text).map_err(no_toml)?)
    }

    fn checked(given: toml::Table) -> Result<Self, ConfigReason> {
        let mut merged = toml::Table::try_from(Self::default()).map_err(no_toml)?;
        for (section, value) in given {
            match (merged.get_mut(&section), value) {
                (Some(toml::Value::Table(known)), toml::Value::Table(set)) => known.extend(set),
                (_, value) => {
                    merged.insert(section, value);
                }
            }
        }
        let config: Self = merged.try_into().map_err(no_toml)?;
        config.check().map(|()| config)
    }

    /// Whether every value can be used; the reason where one cannot.
    pub fn check(&self) -> Result<(), ConfigReason> {
        let settings = toml::Table::try_from(self).map_err(no_toml)?;
        ranges::check(&settings)?;
        self.tokens.check()?;
        self.gate.check()?;
        Ok(self.canonical.check()?)
    }
}

/// What the encoder or decoder of TOML says.
fn no_toml(error: impl fmt::Display) -> ConfigReason {
    ConfigReason::Toml { detail: error.to_string() }
}

/// Settings as `train.toml` holds them, checked.
impl FromStr for Config {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self::parse(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn train_toml_states_the_defaults() {
        let text = include_str!("../../../train.toml");
        assert_eq!(Config::parse(text).expect("settings"), Config::default());
        let stated: toml::Table = toml::from_str(text).expect("TOML");
        let known = toml::Table::try_from(Config::default()).expect("a table");
        for (section, settings) in known {
            for name in settings.as_table().into_iter().flat_map(toml::Table::keys) {
                assert!(
                    stated[&section].get(name).is_some(),
                    "{section}.{name} is not in train.toml"
                );
            }
            assert!(stated.contains_key(&section), "{section} is not in train.toml");
        }
    }

    #[test]
    fn a_file_changes_what_it_states() {
        let config = Config::parse("[seq2seq_paper]\nhidden = 64").expect("a configuration");
        assert_eq!((config.seq2seq_paper.hidden, config.seq2seq_paper.embedding), (64, 512));
    }

    #[test]
    fn settings_from_text_are_checked() {
        let describe = |text: &str| text.parse::<Config>().expect_err("wrong settings").to_string();
        assert!(describe("[rules]\nmax_false_positives = 10").contains("must be from 0 to 1"));
        assert!(describe("[evidence]\nmin_pages = 1").contains("evidence"));
        assert!(describe("[seq2seq]\nseed = 1").contains("seed"));
        assert_eq!("".parse::<Config>().expect("the defaults"), Config::default());
    }

    #[test]
    fn only_punctuation_delimits() {
        let describe = |extra: &str| {
            let text = format!("[tokens]\nextra_delimiters = {extra:?}");
            text.parse::<Config>().map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(describe("-_~"), Ok(()));
        for (extra, letter) in [("-é", "'é'"), ("a", "'a'"), ("_7", "'7'"), ("\t", "'\\t'")] {
            let described = describe(extra).expect_err("a letter");
            assert!(
                described.starts_with(&format!("tokens.extra_delimiters holds {letter},")),
                "{described}"
            );
        }
    }

    #[test]
    fn a_misspelt_name_is_an_error() {
        let error = Config::parse("[seq2seq]\nhiden = 64").expect_err("a misspelt name");
        assert!(error.to_string().contains("hiden"), "{error}");
        assert!(Config::parse("hidden = 64").is_err());
    }
}
