//! The methods of URL canonicalisation, and what each learns from a site's pairs.

use std::borrow::Cow;

use crate::Result;
use crate::config::Config;
use crate::pairs::TrainingSet;
use crate::rules::{Learner, Lesson};
use crate::seq2seq::{self, DeviceKind, Trained, Watch};
use crate::translation::Canonicalizer;
use crate::url::drop_slashes;

/// A method, by the name that the command line and the tables of results give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Method {
    /// Every URL is its own canonical form: what a crawler does without this tool.
    KeepAll,
    /// The paper's tokeniser alone, which throws `/` away: what it gains without a model.
    TokenIdentity,
    /// Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008).
    Rewrite,
    /// Decision-tree rules with deep tokens (Koppula et al., WSDM 2010).
    Tree,
    /// DustBuster's substring rules (Bar-Yossef, Keidar, Schonfeld, WWW 2007).
    Dustbuster,
    /// DUSTER's rules of aligned URLs (Rodrigues et al., TKDE 2015).
    Duster,
    /// The neural translator, as configured.
    #[value(name = "seq2seq")]
    Seq2Seq,
    /// The neural translator by the SIGIR 2017 paper's recipe to the letter.
    #[value(name = "seq2seq-paper")]
    Seq2SeqPaper,
}

/// What a learner works with, beside the pairs.
pub struct Workshop<'w> {
    /// The settings.
    pub config: &'w Config,
    /// Where networks are trained.
    pub device: DeviceKind,
    /// Who looks on.
    pub watch: &'w dyn Watch,
}

/// What a method learned of one site.
#[derive(Debug)]
pub enum Model {
    /// Nothing: the URL itself.
    Identity,
    /// Nothing but to throw slashes away.
    DropSlashes,
    /// A set of rules.
    Rules(Box<Lesson>),
    /// A network and its vocabulary.
    Network(Box<Trained>),
}

impl Method {
    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeepAll => "keep-all",
            Self::TokenIdentity => "token-identity",
            Self::Rewrite => Learner::Rewrite.name(),
            Self::Tree => Learner::Tree.name(),
            Self::Dustbuster => Learner::Dustbuster.name(),
            Self::Duster => Learner::Duster.name(),
            Self::Seq2Seq => "seq2seq",
            Self::Seq2SeqPaper => "seq2seq-paper",
        }
    }

    /// The learner of its rules, if it is a set of rules.
    pub fn learner(self) -> Option<Learner> {
        match self {
            Self::Rewrite => Some(Learner::Rewrite),
            Self::Tree => Some(Learner::Tree),
            Self::Dustbuster => Some(Learner::Dustbuster),
            Self::Duster => Some(Learner::Duster),
            Self::KeepAll | Self::TokenIdentity | Self::Seq2Seq | Self::Seq2SeqPaper => None,
        }
    }

    /// Learns a site. Where the pairs teach the method nothing (no page has a duplicate, and
    /// pages without one do not count), the model leaves every URL as it is.
    pub fn learn(self, set: &TrainingSet<'_>, workshop: &Workshop<'_>) -> Result<Model> {
        if let Some(learner) = self.learner() {
            return Ok(Model::Rules(Box::new(learner.learn(set, workshop.config))));
        }
        match self {
            Self::TokenIdentity => Ok(Model::DropSlashes),
            Self::Seq2Seq => network(set, workshop.config, workshop),
            Self::Seq2SeqPaper => {
                let mut paper = Config::paper();
                paper.seq2seq.seed = workshop.config.seq2seq.seed;
                network(set, &paper, workshop)
            }
            _ => Ok(Model::Identity),
        }
    }
}

fn network(set: &TrainingSet<'_>, config: &Config, workshop: &Workshop<'_>) -> Result<Model> {
    let trained = seq2seq::learn(set, config, workshop.device, workshop.watch)?;
    Ok(trained.map_or(Model::Identity, |trained| Model::Network(Box::new(trained))))
}

impl Model {
    /// Number of rules; 0 for what is no set of rules.
    pub fn rules(&self) -> usize {
        self.lesson().map_or(0, |lesson| lesson.rules.rules().len())
    }

    /// What was learned, if it is a set of rules.
    pub fn lesson(&self) -> Option<&Lesson> {
        match self {
            Self::Rules(lesson) => Some(lesson),
            _ => None,
        }
    }
}

impl Canonicalizer for Model {
    fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str> {
        match self {
            Self::Identity => Cow::Borrowed(url),
            Self::DropSlashes => drop_slashes(url),
            Self::Rules(lesson) => lesson.rules.canonicalize(url),
            Self::Network(trained) => trained.translator.canonicalize(url),
        }
    }
}
