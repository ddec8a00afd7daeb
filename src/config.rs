//! Every setting of training, as `train.toml` holds them.

mod gate;
mod ranges;
mod tagger;

use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use self::gate::GateConfig;
pub use self::tagger::TaggerConfig;
use crate::cluster::ClusterOptions;
use crate::error::{Error, Result};
use crate::url::frequency::{DfMode, FunctionRule};
use crate::url::tokens::Delimiters;

/// The settings of one training run. A file may leave out what it does not change, and may
/// not hold what is no setting: a misspelt name is an error, not a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Everything random follows from this number.
    pub seed: u64,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// How a URL is cut into function tokens and arguments.
    pub tokens: TokenConfig,
    /// The neural translator.
    pub seq2seq: Seq2SeqConfig,
    /// The edit tagger.
    pub tagger: TaggerConfig,
    /// The gate.
    pub gate: GateConfig,
    /// Which rules are kept, whichever method found them.
    pub rules: Limits,
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
            tokens: TokenConfig::default(),
            seq2seq: Seq2SeqConfig::default(),
            tagger: TaggerConfig::default(),
            gate: GateConfig::default(),
            rules: Limits::default(),
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
    /// The same for names in the query, with `df = "typed"`.
    pub key_threshold: f64,
    /// `typed`: names in the query are tokens of their own; `pooled`: as in the paper.
    pub df: DfMode,
    /// ASCII characters that are delimiters beside `/ ? = & # ; . ,`.
    pub extra_delimiters: String,
    /// Whether trailing slashes and empty segments are thrown away, as in the paper.
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
    /// The delimiters.
    pub(crate) fn delimiters(&self) -> Delimiters {
        Delimiters::with_extra(&self.extra_delimiters)
    }

    /// What makes a token a function token.
    pub(crate) fn function_rule(&self) -> FunctionRule {
        FunctionRule { threshold: self.threshold, key_threshold: self.key_threshold, mode: self.df }
    }
}

/// Which optimiser trains the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// Plain stochastic gradient descent, as in the paper.
    Sgd,
    /// Adam.
    Adam,
}

/// What the loss of a step is averaged over. The gradient of the second is that of the first
/// times the mean length of a target, and so is a step of plain descent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossMean {
    /// The target symbols of the batch.
    Symbol,
    /// Its pairs, each with the sum over its symbols: equation (3) of the paper.
    Pair,
}

/// The neural translator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seq2SeqConfig {
    /// Width of a token's embedding.
    pub embedding: usize,
    /// Units of the encoder's and of the decoder's GRU.
    pub hidden: usize,
    /// Which optimiser.
    pub optimizer: Optimizer,
    /// What the loss that it lowers is the mean over.
    pub loss_mean: LossMean,
    /// Its step size.
    pub learning_rate: f64,
    /// Factor on the step size each time the held-out clusters get no better.
    pub decay: f64,
    /// Largest norm of the gradient; 0 for no bound.
    pub clip: f32,
    /// Template pairs in a step.
    pub batch: usize,
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two looks at the held-out clusters.
    pub check_every: usize,
    /// Looks without gain after which training ends.
    pub patience: usize,
    /// Share of the duplicate clusters that is held out.
    pub held_out: f64,
    /// Weight of the identity pair of a page without a duplicate; a pair weighs 1.
    pub singleton_weight: f64,
    /// A pair is drawn in proportion to its count to this power; 1 as in the paper.
    pub count_power: f64,
    /// A target token that no source explains is learned if this many pairs share it.
    pub min_literal: usize,
    /// Longest source in tokens; a longer URL is not translated.
    pub max_source: usize,
    /// Longest target in tokens.
    pub max_target: usize,
    /// Whether decoding may name only arguments that the source has.
    pub mask_arguments: bool,
    /// Whether an answer that would be translated again is refused.
    pub idempotent: bool,
}

impl Default for Seq2SeqConfig {
    fn default() -> Self {
        Self {
            embedding: 64,
            hidden: 128,
            optimizer: Optimizer::Adam,
            loss_mean: LossMean::Symbol,
            learning_rate: 0.005,
            decay: 0.9,
            clip: 5.0,
            batch: 64,
            max_steps: 3000,
            check_every: 50,
            patience: 10,
            held_out: 0.1,
            singleton_weight: 0.3,
            count_power: 0.5,
            min_literal: 3,
            max_source: 40,
            max_target: 50,
            mask_arguments: true,
            idempotent: true,
        }
    }
}

/// What counts as a false positive of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FalsePositives {
    /// As the method's own paper counts them.
    Paper,
    /// URLs outside their form's majority cluster: each is a page that a crawler would miss.
    Collisions,
    /// Every URL that gets one form with a URL of another cluster.
    Strict,
}

/// Which rules are kept, whichever method found them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// What counts as a false positive.
    pub count: FalsePositives,
    /// Largest share of false positives of a rule that is kept.
    pub max_false_positives: f64,
    /// Training URLs that a rule must change.
    pub min_coverage: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { count: FalsePositives::Collisions, max_false_positives: 0.1, min_coverage: 3 }
    }
}

/// Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewriteConfig {
    /// Distinct values of a key from which on its value is irrelevant.
    pub fan_out: usize,
    /// URLs of a cluster that are paired; a sample where there are more.
    pub urls_per_cluster: usize,
    /// Whether any two URLs of a cluster are paired, or each with the canonical one alone.
    pub all_pairs: bool,
    /// Pairs that a URL is the source of, at most.
    pub pairs_per_url: usize,
}

impl Default for RewriteConfig {
    fn default() -> Self {
        Self { fan_out: 5, urls_per_cluster: 1000, all_pairs: false, pairs_per_url: 10 }
    }
}

/// Decision-tree rules (Koppula et al., WSDM 2010).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TreeConfig {
    /// Whether components are cut into the tokens that the host's own delimiters make.
    pub deep_tokens: bool,
    /// Sources of a cluster, a stratified sample where there are more.
    pub sources_per_cluster: usize,
    /// Distinct values that a key may have in one context before any value is accepted, unless
    /// one value has a majority.
    pub max_values: usize,
}

impl Default for TreeConfig {
    fn default() -> Self {
        Self { deep_tokens: true, sources_per_cluster: 100, max_values: 5 }
    }
}

/// DustBuster (Bar-Yossef, Keidar, Schonfeld, WWW 2007).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DustbusterConfig {
    /// Longest substring of a rule, in tokens.
    pub max_tokens: usize,
    /// Largest bucket that counts when likely rules are found.
    pub low_bucket: usize,
    /// The same when the support of rules is compared.
    pub high_bucket: usize,
    /// Fewest instances of a likely rule.
    pub min_support: usize,
    /// Largest relative difference in support between a rule and one that it refines.
    pub max_relative_difference: f64,
    /// Largest absolute difference in support between a rule and one that it refines.
    pub max_absolute_difference: usize,
    /// Rules that a rule is compared with.
    pub window: usize,
    /// Instances by which a rule is validated.
    pub validations: usize,
    /// Share of refuting instances from which on a rule is invalid.
    pub refutation: f64,
    /// Fewest known instances for a rule to be validated.
    pub min_known: usize,
}

impl Default for DustbusterConfig {
    fn default() -> Self {
        Self {
            max_tokens: 35,
            low_bucket: 6,
            high_bucket: 11,
            min_support: 3,
            max_relative_difference: 0.05,
            max_absolute_difference: 1,
            window: 1100,
            validations: 100,
            refutation: 0.05,
            min_known: 10,
        }
    }
}

/// DUSTER (Rodrigues et al., TKDE 2015).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DusterConfig {
    /// URLs of a cluster that are aligned, a sample where there are more.
    pub urls_per_cluster: usize,
    /// Most alternatives at one place; with more, any token of their type will do.
    pub max_alternatives: usize,
    /// Clusters that must yield a candidate rule; 1 for any candidate.
    pub min_clusters: usize,
    /// A token stays literal if this many candidates have it at its place; fewer on a site with
    /// under 200 candidates. With 1 every token does.
    pub min_frequency: usize,
    /// Share of the duplicate clusters that validate rules and are not learned from; with 0
    /// all are learned from, and all validate.
    pub validation: f64,
}

impl Default for DusterConfig {
    fn default() -> Self {
        Self {
            urls_per_cluster: 10,
            max_alternatives: 5,
            min_clusters: 2,
            min_frequency: 10,
            validation: 0.5,
        }
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
        Self { min_pages: 100, min_clusters: 3 }
    }
}

impl Config {
    /// The recipe of the SIGIR 2017 paper, and where it is silent the defaults of the
    /// TensorFlow tutorial that its description matches.
    pub fn paper() -> Self {
        Self {
            tokens: TokenConfig {
                df: DfMode::Pooled,
                drop_slashes: true,
                ..TokenConfig::default()
            },
            seq2seq: Seq2SeqConfig {
                embedding: 512,
                hidden: 512,
                optimizer: Optimizer::Sgd,
                loss_mean: LossMean::Pair,
                learning_rate: 0.5,
                decay: 0.99,
                clip: 5.0,
                batch: 20,
                max_steps: 10_000,
                check_every: 100,
                patience: 10,
                singleton_weight: 0.0,
                count_power: 1.0,
                mask_arguments: false,
                idempotent: false,
                ..Seq2SeqConfig::default()
            },
            ..Self::default()
        }
    }

    /// Reads and checks a file. Its `preset` (`default` or `paper`) gives what it leaves out.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
        let wrong = |reason: String| Error::Config { path: path.to_path_buf(), reason };
        let config = Self::parse(&text).map_err(wrong)?;
        config.check().map_err(wrong)?;
        Ok(config)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut given: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
        renamed(&given)?;
        let base = match given.remove("preset") {
            None => Self::default(),
            Some(toml::Value::String(name)) if name == "default" => Self::default(),
            Some(toml::Value::String(name)) if name == "paper" => Self::paper(),
            Some(other) => {
                return Err(format!("preset = {other} is neither \"default\" nor \"paper\""));
            }
        };
        let mut merged = toml::Table::try_from(base).map_err(|error| error.to_string())?;
        for (section, value) in given {
            match (merged.get_mut(&section), value) {
                (Some(toml::Value::Table(known)), toml::Value::Table(set)) => known.extend(set),
                (_, value) => {
                    merged.insert(section, value);
                }
            }
        }
        merged.try_into().map_err(|error: toml::de::Error| error.to_string())
    }

    /// Whether every value can be used; the reason where one cannot.
    pub fn check(&self) -> Result<(), String> {
        ranges::check(self)
    }
}

/// Settings as `train.toml` holds them, checked.
impl FromStr for Config {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let config = Self::parse(text).and_then(|config| config.check().map(|()| config));
        config.map_err(Error::Unusable)
    }
}

/// The new place of a setting that stood elsewhere before.
fn renamed(given: &toml::Table) -> Result<(), String> {
    if given.contains_key("evidence") {
        return Err("[evidence] is called [site] now".into());
    }
    if given.get("seq2seq").and_then(|section| section.get("seed")).is_some() {
        return Err("seq2seq.seed stands on top now, as `seed`".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn train_toml_states_the_defaults() {
        let text = include_str!("../train.toml");
        assert_eq!(Config::parse(text), Ok(Config::default()));
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
        let config =
            Config::parse("preset = \"paper\"\n[seq2seq]\nhidden = 64").expect("a configuration");
        assert_eq!((config.seq2seq.hidden, config.seq2seq.embedding), (64, 512));
    }

    #[test]
    fn settings_from_text_are_checked_and_old_places_named() {
        let told = |text: &str| text.parse::<Config>().expect_err("wrong settings").to_string();
        assert!(told("[rules]\nmax_false_positives = 10").contains("must be from 0 to 1"));
        assert!(told("[evidence]\nmin_pages = 1").contains("called [site]"));
        assert!(told("[seq2seq]\nseed = 1").contains("on top"));
        assert_eq!("".parse::<Config>().expect("the defaults"), Config::default());
    }

    #[test]
    fn a_misspelt_name_is_an_error() {
        let error = Config::parse("[seq2seq]\nhiden = 64").expect_err("a misspelt name");
        assert!(error.contains("hiden"), "{error}");
        assert!(Config::parse("hidden = 64").is_err());
        assert!(Config::parse("preset = \"papre\"").is_err());
    }
}
