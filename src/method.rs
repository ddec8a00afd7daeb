//! The methods of URL canonicalisation, and what each learns from a site's pairs.

use std::borrow::Cow;

use crate::Result;
use crate::config::Config;
use crate::pairs::TrainingSet;
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
    /// A network and its vocabulary.
    Network(Box<Trained>),
}

impl Method {
    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeepAll => "keep-all",
            Self::TokenIdentity => "token-identity",
            Self::Seq2Seq => "seq2seq",
            Self::Seq2SeqPaper => "seq2seq-paper",
        }
    }

    /// Learns a site. Where the pairs teach the method nothing (no page has a duplicate, and
    /// pages without one do not count), the model leaves every URL as it is.
    pub fn learn(self, set: &TrainingSet<'_>, workshop: &Workshop<'_>) -> Result<Model> {
        match self {
            Self::KeepAll => Ok(Model::Identity),
            Self::TokenIdentity => Ok(Model::DropSlashes),
            Self::Seq2Seq => network(set, workshop.config, workshop),
            Self::Seq2SeqPaper => {
                let mut paper = Config::paper();
                paper.seq2seq.seed = workshop.config.seq2seq.seed;
                network(set, &paper, workshop)
            }
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
        0
    }
}

impl Canonicalizer for Model {
    fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str> {
        match self {
            Self::Identity => Cow::Borrowed(url),
            Self::DropSlashes => drop_slashes(url),
            Self::Network(trained) => trained.translator.canonicalize(url),
        }
    }
}
