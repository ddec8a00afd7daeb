//! A model at work, whatever learned it.

use crate::rules::RuleSet;
use crate::seq2seq::Translator;
use crate::translation::Translation;

/// What translates the URLs of a site.
#[derive(Debug)]
pub enum Served {
    /// A network.
    Network(Box<Translator>),
    /// A set of rules.
    Rules(RuleSet),
}

impl Served {
    /// Decodes in batches what [`Served::translate`] will need for these URLs.
    pub fn prepare<'u>(&self, urls: impl IntoIterator<Item = &'u str>) {
        if let Self::Network(translator) = self {
            translator.prepare(urls);
        }
    }

    /// Translates one URL of the site.
    pub fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        match self {
            Self::Network(translator) => translator.translate(url),
            Self::Rules(rules) => rules.translate(url),
        }
    }
}
