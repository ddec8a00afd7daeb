//! A trained network at work: any URL of its site in, the canonical one out.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::decode::{Decoder, Limits};
use crate::config::Config;
use crate::translation::{Canonicalizer, How, Reason, Translation};
use crate::url::{ARGUMENTS, Reading, Symbol, Symbols, drop_slashes};

/// Templates remembered before all are forgotten: some three megabytes a site. Sites have
/// hundreds; more come from a queue made to have many.
const MEMO: usize = 1 << 14;

/// How URLs are translated with a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Serving {
    /// Longest source in tokens.
    pub max_source: usize,
    /// Longest target in tokens.
    pub max_target: usize,
    /// Whether decoding may name only arguments that the source has.
    pub mask_arguments: bool,
    /// Whether an answer that would be translated again is refused.
    pub idempotent: bool,
    /// Whether slashes are thrown away before all, as in the paper.
    pub drop_slashes: bool,
}

impl Serving {
    /// What a configuration says of serving.
    pub fn of(config: &Config) -> Self {
        let net = &config.seq2seq;
        Self {
            max_source: net.max_source,
            max_target: net.max_target,
            mask_arguments: net.mask_arguments,
            idempotent: net.idempotent,
            drop_slashes: config.tokens.drop_slashes,
        }
    }
}

/// The network of one site with its vocabulary.
///
/// Greedy decoding depends on the template alone, so each template is decoded once and then
/// remembered; the answers are the same without the memo.
#[derive(Debug)]
pub struct Translator {
    symbols: Symbols,
    decoder: Decoder,
    serving: Serving,
    memo: RwLock<FxHashMap<Box<[Symbol]>, Remembered>>,
}

#[derive(Debug)]
struct Remembered {
    answer: Answer,
    /// Whether no URL has been answered with it yet.
    fresh: AtomicBool,
}

/// What the network says of a template.
#[derive(Debug, Clone)]
enum Answer {
    Same,
    Target(Arc<[Symbol]>),
    NoEnd,
    /// It would make something else of a scheme or host that training never saw.
    OtherHost,
}

impl Translator {
    /// Puts a network to work.
    pub fn new(symbols: Symbols, decoder: Decoder, serving: Serving) -> Self {
        Self { symbols, decoder, serving, memo: RwLock::default() }
    }

    /// Its vocabulary.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// How it serves.
    pub fn serving(&self) -> &Serving {
        &self.serving
    }

    /// Translates one URL of the site. A known template costs about a microsecond.
    pub fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        let form = self.form(url);
        match self.answer(&form) {
            Err(reason) => Translation { canonical: form, how: How::Unchanged(reason) },
            Ok((answer, how)) => match answer {
                None => Translation { canonical: form, how },
                Some(canonical) if self.serving.idempotent && !self.is_settled(&canonical) => {
                    Translation { canonical: form, how: How::Unchanged(Reason::Unstable) }
                }
                Some(canonical) => Translation { canonical: Cow::Owned(canonical), how },
            },
        }
    }

    /// Decodes in batches what [`Translator::translate`] will need for these URLs: several
    /// times faster than one by one where many templates are new, and of no other effect.
    pub fn prepare<'u>(&self, urls: impl IntoIterator<Item = &'u str>) {
        let forms: Vec<_> = urls.into_iter().map(|url| self.form(url)).collect();
        let decoded_now = self.decode_unknown(forms.iter().map(AsRef::as_ref));
        if self.serving.idempotent {
            let canonical = decoded_now.into_iter().filter_map(|url| self.peek(url).ok().flatten());
            let canonical: Vec<_> = canonical.collect();
            self.decode_unknown(canonical.iter().map(String::as_str));
        }
    }

    fn form<'u>(&self, url: &'u str) -> Cow<'u, str> {
        if self.serving.drop_slashes { drop_slashes(url) } else { Cow::Borrowed(url) }
    }

    /// What the network makes of `url`: another URL, or nothing for the same.
    fn answer(&self, url: &str) -> Result<(Option<String>, How), Reason> {
        let mut reading = Reading::default();
        self.read(url, &mut reading)?;
        self.with_memory(&reading.template, |memory| {
            let first =
                memory.fresh.load(Ordering::Relaxed) && memory.fresh.swap(false, Ordering::Relaxed);
            let how = if first { How::Network } else { How::Memo };
            Ok((self.apply(&memory.answer, &reading, url)?, how))
        })
    }

    /// The same, leaving no trace of having asked.
    fn peek(&self, url: &str) -> Result<Option<String>, Reason> {
        let mut reading = Reading::default();
        self.read(url, &mut reading)?;
        self.with_memory(&reading.template, |memory| self.apply(&memory.answer, &reading, url))
    }

    /// Whether translating `url` gives `url`.
    fn is_settled(&self, url: &str) -> bool {
        !matches!(self.peek(url), Ok(Some(_)))
    }

    fn read<'u>(&self, url: &'u str, reading: &mut Reading<'u>) -> Result<(), Reason> {
        self.symbols.read(url, reading);
        if reading.template.len() > self.serving.max_source {
            Err(Reason::TooLong)
        } else if reading.arguments.len() > ARGUMENTS {
            Err(Reason::TooManyArguments)
        } else {
            Ok(())
        }
    }

    fn apply(
        &self,
        answer: &Answer,
        reading: &Reading<'_>,
        url: &str,
    ) -> Result<Option<String>, Reason> {
        match answer {
            Answer::Same => Ok(None),
            Answer::NoEnd => Err(Reason::NoEnd),
            Answer::OtherHost => Err(Reason::OtherHost),
            Answer::Target(target) => {
                let canonical = self.symbols.write(target, &reading.arguments);
                let canonical = canonical.ok_or(Reason::MissingArgument)?;
                Ok((canonical != url).then_some(canonical))
            }
        }
    }

    /// Hands what is known of a template to `use_it`, decoding it first where nothing is.
    fn with_memory<R>(&self, template: &[Symbol], use_it: impl FnOnce(&Remembered) -> R) -> R {
        if let Some(memory) = self.memo.read().unwrap_or_else(PoisonError::into_inner).get(template)
        {
            return use_it(memory);
        }
        let memory = self.decode(&[template]).pop();
        let memory = memory.unwrap_or_else(|| Remembered::new(Answer::NoEnd));
        let result = use_it(&memory);
        self.remember([(template.into(), memory)]);
        result
    }

    /// Decodes the templates of `urls` that are not known yet; one URL of each.
    fn decode_unknown<'u>(&self, urls: impl Iterator<Item = &'u str>) -> Vec<&'u str> {
        let mut seen: FxHashSet<Box<[Symbol]>> = FxHashSet::default();
        let mut templates: Vec<Box<[Symbol]>> = Vec::new();
        let mut unknown = Vec::new();
        let mut reading = Reading::default();
        let memo = self.memo.read().unwrap_or_else(PoisonError::into_inner);
        for url in urls {
            let readable = self.read(url, &mut reading).is_ok();
            let template = reading.template.as_slice();
            if readable && !memo.contains_key(template) && !seen.contains(template) {
                seen.insert(template.into());
                templates.push(template.into());
                unknown.push(url);
            }
        }
        drop(memo);
        let sources: Vec<&[Symbol]> = templates.iter().map(AsRef::as_ref).collect();
        let decoded = self.decode(&sources);
        self.remember(templates.into_iter().zip(decoded));
        unknown
    }

    fn decode(&self, templates: &[&[Symbol]]) -> Vec<Remembered> {
        let Serving { max_target, mask_arguments, .. } = self.serving;
        let decoded = self.decoder.decode(templates, Limits { max_target, mask_arguments });
        let answers = templates.iter().zip(decoded).map(|(template, target)| match target {
            None => Answer::NoEnd,
            Some(target) if target == *template => Answer::Same,
            Some(target) if !keeps_unknown_host(template, &target) => Answer::OtherHost,
            Some(target) => Answer::Target(target.into()),
        });
        answers.map(Remembered::new).collect()
    }

    fn remember(&self, memories: impl IntoIterator<Item = (Box<[Symbol]>, Remembered)>) {
        let mut memo = self.memo.write().unwrap_or_else(PoisonError::into_inner);
        for (template, memory) in memories {
            if memo.len() >= MEMO {
                memo.clear();
            }
            memo.insert(template, memory);
        }
    }
}

/// Scheme and host come first. Where training saw them, the network may change them
/// (`www.` to none, `http:` to `https:`); where they are arguments, it knows nothing of them:
/// they must stay what they are, where they are, and come up nowhere else.
fn keeps_unknown_host(source: &[Symbol], target: &[Symbol]) -> bool {
    (0..source.len().min(2)).filter(|place| Symbols::argument_number(source[*place]).is_some()).all(
        |place| {
            let mut uses = (0..target.len()).filter(|other| target[*other] == source[place]);
            uses.next() == Some(place) && uses.next().is_none()
        },
    )
}

impl Remembered {
    fn new(answer: Answer) -> Self {
        Self { answer, fresh: AtomicBool::new(true) }
    }
}

impl Canonicalizer for Translator {
    fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str> {
        self.translate(url).canonical
    }
}

#[cfg(test)]
mod tests;
