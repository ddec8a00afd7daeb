//! A trained pointer network at work: any URL of its site in, the canonical one out.

pub mod decode;
pub mod weights;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use undust_url::lexicon::{Lexicon, Symbol};

use self::decode::{Decoded, Decoder, Written};
use self::weights::PointerWeights;
use undust_edits::translation::{Applied, Cause, How, Reason, Rewriter, Translation};
use undust_edits::translation::{Circle, FixpointOptions, to_fixpoint};
use undust_util::cache::{ALLOCATION, Cache, SharedCache, Weighs};

/// How a pointer network is used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PointerOptions {
    /// Most pieces of a URL.
    pub max_source: usize,
    /// Whether training saw a scheme or authority change; if not, all are kept.
    pub changes_hosts: bool,
    /// Answers that the network gives a lower probability do not count.
    pub min_probability: f32,
    /// Whether URLs of shapes that training never saw stay as they are.
    #[serde(default)]
    pub keeps_unseen: bool,
}

impl PointerOptions {
    /// Whether `min_probability` is a probability.
    pub fn is_usable(&self) -> bool {
        (0.0..=1.0).contains(&self.min_probability)
    }
}

/// The pointer network of one site.
///
/// What it writes depends on the shape of a URL alone, so each shape is decoded once and then
/// remembered; the answers are the same without the memo.
#[derive(Debug)]
pub struct PointerTranslator {
    words: Arc<PointerWords>,
    decoder: Decoder,
    options: PointerOptions,
    cache: Cache<CachedAnswer>,
}

/// What its symbols and phrases stand for, and which shapes it was trained on.
#[derive(Debug)]
pub struct PointerWords {
    /// The function words.
    pub lexicon: Lexicon,
    /// What may be inserted, by number.
    pub phrases: Vec<String>,
    /// The shapes of the crawl as text, ascending; none where they were not kept.
    pub shapes: Vec<String>,
}

impl PointerWords {
    /// Whether the crawl had a URL of this shape; nothing where its shapes were not kept.
    fn has(&self, shape: &[Symbol]) -> Option<bool> {
        let is_listed = || self.shapes.binary_search(&spelled(&self.lexicon, shape)).is_ok();
        (!self.shapes.is_empty()).then(is_listed)
    }
}

/// What is written for a shape, for the URL with these pieces. A place or phrase that is not there
/// gives nothing.
pub fn written_out(written: &[Written], texts: &[&str], phrases: &[String]) -> String {
    let text = |written: &Written| match *written {
        Written::Copy(place) => texts.get(usize::from(place)).copied(),
        Written::Phrase(number) => phrases.get(usize::from(number)).map(String::as_str),
    };
    written.iter().filter_map(text).collect()
}

/// A shape as text: its words as they are, and the kinds of its arguments in angle brackets.
pub fn spelled(lexicon: &Lexicon, shape: &[Symbol]) -> String {
    shape.iter().map(|symbol| lexicon.spell(*symbol)).collect()
}

/// What is written for a shape, as text: what is copied as in [`spelled`], phrases in braces.
pub fn spelled_target(
    lexicon: &Lexicon,
    phrases: &[String],
    shape: &[Symbol],
    written: &[Written],
) -> String {
    let text = |written: &Written| match *written {
        Written::Copy(place) => shape.get(usize::from(place)).map(|symbol| lexicon.spell(*symbol)),
        Written::Phrase(number) => {
            phrases.get(usize::from(number)).map(|phrase| format!("{{{phrase}}}").into())
        }
    };
    written.iter().filter_map(text).collect()
}

#[derive(Debug)]
struct CachedAnswer {
    answer: ShapeAnswer,
    /// That of the answer; none where no end came.
    probability: Option<f32>,
    /// Whether no URL has been answered with it yet.
    fresh: AtomicBool,
}

/// What the network says of a shape.
#[derive(Debug, Clone)]
enum ShapeAnswer {
    Unchanged,
    Rewritten(Arc<ShapeRewrite>),
    NoEnd,
    /// The probability is too low.
    Unsure,
    /// Training saw no such shape, and the settings keep those.
    Unseen,
}

/// A shape and what is written for it.
#[derive(Debug)]
struct ShapeRewrite {
    words: Arc<PointerWords>,
    shape: Box<[Symbol]>,
    written: Box<[Written]>,
    probability: f32,
}

impl Applied for ShapeRewrite {
    fn probability(&self) -> Option<f32> {
        Some(self.probability)
    }
}

impl Weighs for CachedAnswer {
    fn heap_bytes(&self) -> usize {
        match &self.answer {
            ShapeAnswer::Rewritten(rewrite) => {
                let both = size_of_val(&*rewrite.shape) + size_of_val(&*rewrite.written);
                size_of::<ShapeRewrite>() + both + 3 * ALLOCATION
            }
            ShapeAnswer::Unchanged
            | ShapeAnswer::NoEnd
            | ShapeAnswer::Unsure
            | ShapeAnswer::Unseen => 0,
        }
    }
}

/// Source and target; phrases in braces.
impl fmt::Display for ShapeRewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PointerWords { lexicon, phrases, .. } = &*self.words;
        let target = spelled_target(lexicon, phrases, &self.shape, &self.written);
        write!(f, "{} → {target}", spelled(lexicon, &self.shape))
    }
}

/// An answer counts only if the network leaves it as it is.
const ONCE: FixpointOptions =
    FixpointOptions { most_changes: 1, bounds_length: false, circle: Circle::NoAnswer };

impl PointerTranslator {
    /// Puts a network to work.
    pub fn new(words: PointerWords, weights: PointerWeights, options: PointerOptions) -> Self {
        let words = Arc::new(words);
        Self { words, decoder: Decoder::new(weights), options, cache: Cache::default() }
    }

    /// Its function words.
    pub fn lexicon(&self) -> &Lexicon {
        &self.words.lexicon
    }

    /// What it may insert.
    pub fn phrases(&self) -> &[String] {
        &self.words.phrases
    }

    /// The shapes that it was trained on, as text; none where they were not kept.
    pub fn shapes(&self) -> &[String] {
        &self.words.shapes
    }

    /// Whether training saw a URL of this one's shape; nothing where its shapes were not kept.
    pub fn knows_shape(&self, url: &str) -> Option<bool> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.lexicon().read(url, &mut shape, &mut texts);
        self.words.has(&shape)
    }

    /// Its weights.
    pub fn weights(&self) -> &PointerWeights {
        self.decoder.weights()
    }

    /// How it is used.
    pub fn options(&self) -> PointerOptions {
        self.options
    }

    /// What it remembers.
    pub fn cache(&self) -> &dyn SharedCache {
        &self.cache
    }

    /// What is written for each shape. That of a shape does not depend on the others.
    pub fn decode(&self, shapes: &[&[Symbol]]) -> Vec<Option<Decoded>> {
        let kept: Vec<usize> = shapes.iter().map(|shape| self.kept(shape)).collect();
        self.decoder.decode(shapes, &kept)
    }

    /// Scheme and authority stay where training saw none change, and where they are unknown.
    fn kept(&self, shape: &[Symbol]) -> usize {
        let front = Lexicon::front(shape);
        let unknown = shape[..front].iter().any(|symbol| Lexicon::is_argument(*symbol));
        if unknown || !self.options.changes_hosts { front } else { 0 }
    }

    /// The form of `url`, unless its shape must be decoded first, or was never asked for.
    pub fn canonicalize_known<'u>(&self, url: &'u str) -> Option<Translation<'u>> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        if self.read(url, &mut shape, &mut texts).is_ok() {
            let fresh = self.cache.ask(&shape, |memory| memory.fresh.load(Ordering::Relaxed))?;
            if fresh {
                return None;
            }
        }
        Some(self.rewrite(url))
    }

    /// What the network makes of `url`: another URL, or nothing for the same.
    fn answer(&self, url: &str, cause: &mut Cause) -> Result<(Option<String>, How), Reason> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.read(url, &mut shape, &mut texts)?;
        self.with_memory(&shape, |memory| {
            let first =
                memory.fresh.load(Ordering::Relaxed) && memory.fresh.swap(false, Ordering::Relaxed);
            cause.set_probability(memory.probability);
            let answer = self.apply(memory, &texts, url)?;
            if let (Some(_), ShapeAnswer::Rewritten(rewrite)) = (&answer, &memory.answer) {
                cause.push(Arc::clone(rewrite) as _);
            }
            Ok((answer, if first { How::Network } else { How::Cache }))
        })
    }

    /// The same, leaving no trace of having asked.
    fn peek(&self, url: &str) -> Option<String> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.read(url, &mut shape, &mut texts).ok()?;
        self.with_memory(&shape, |memory| self.apply(memory, &texts, url)).ok().flatten()
    }

    fn read<'u>(
        &self,
        url: &'u str,
        shape: &mut Vec<Symbol>,
        texts: &mut Vec<&'u str>,
    ) -> Result<(), Reason> {
        self.lexicon().read(url, shape, texts);
        if shape.len() > self.options.max_source { Err(Reason::TooLong) } else { Ok(()) }
    }

    fn apply(
        &self,
        memory: &CachedAnswer,
        texts: &[&str],
        url: &str,
    ) -> Result<Option<String>, Reason> {
        match &memory.answer {
            ShapeAnswer::Unchanged => Ok(None),
            ShapeAnswer::NoEnd => Err(Reason::NoEnd),
            ShapeAnswer::Unsure => Err(Reason::TooLittleConfidence),
            ShapeAnswer::Unseen => Err(Reason::UnseenTemplate),
            ShapeAnswer::Rewritten(rewrite) => {
                let form = written_out(&rewrite.written, texts, self.phrases());
                Ok((form != url).then_some(form))
            }
        }
    }

    /// Hands what is known of a shape to `use_it`, decoding it first where nothing is.
    fn with_memory<R>(&self, shape: &[Symbol], use_it: impl FnOnce(&CachedAnswer) -> R) -> R {
        let decode = || self.memory(shape, self.decode(&[shape]).pop().flatten());
        self.cache.ask_or(shape, decode, use_it)
    }

    fn memory(&self, shape: &[Symbol], decoded: Option<Decoded>) -> CachedAnswer {
        let is_unchanged = |written: &[Written]| {
            written.len() == shape.len()
                && (0..).zip(written).all(|(place, written)| *written == Written::Copy(place))
        };
        let is_unseen = || self.options.keeps_unseen && self.words.has(shape) == Some(false);
        let probability = decoded.as_ref().map(|decoded| decoded.probability);
        let answer = match decoded {
            _ if is_unseen() => ShapeAnswer::Unseen,
            None => ShapeAnswer::NoEnd,
            Some(Decoded { written, .. }) if is_unchanged(&written) => ShapeAnswer::Unchanged,
            Some(Decoded { probability, .. }) if probability < self.options.min_probability => {
                ShapeAnswer::Unsure
            }
            Some(Decoded { written, probability }) => {
                let words = Arc::clone(&self.words);
                let (shape, written) = (shape.into(), written.into());
                ShapeAnswer::Rewritten(Arc::new(ShapeRewrite {
                    words,
                    shape,
                    written,
                    probability,
                }))
            }
        };
        CachedAnswer { answer, probability, fresh: AtomicBool::new(true) }
    }

    /// Decodes the shapes of `urls` that are not known yet; one URL of each.
    fn decode_unknown<'u>(&self, urls: impl Iterator<Item = &'u str>) -> Vec<&'u str> {
        let mut shapes: FxHashSet<Box<[Symbol]>> = FxHashSet::default();
        let mut unknown = Vec::new();
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        for url in urls {
            let readable = self.read(url, &mut shape, &mut texts).is_ok();
            if readable && !shapes.contains(shape.as_slice()) && !self.cache.knows(&shape) {
                shapes.insert(shape.as_slice().into());
                unknown.push(url);
            }
        }
        let shapes: Vec<Box<[Symbol]>> = shapes.into_iter().collect();
        let decoded = self.decode(&shapes.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        for (shape, decoded) in shapes.iter().zip(decoded) {
            self.cache.add(shape, self.memory(shape, decoded));
        }
        unknown
    }
}

impl Rewriter for PointerTranslator {
    /// A known shape costs about a microsecond.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        let (mut found, mut probability) = (None, None);
        let settled = to_fixpoint(url, ONCE, |form, cause| {
            if found.is_some() {
                return Ok(self.peek(form));
            }
            let answer = self.answer(form, cause);
            let (answer, how) = answer.unwrap_or_else(|reason| (None, How::Unchanged(reason)));
            (found, probability) = (Some(how), cause.probability());
            Ok(answer)
        });
        match (settled, found) {
            (Some((canonical, cause)), Some(how)) => Translation { canonical, how, cause },
            _ => {
                let mut unstable = Translation::unchanged(url, Reason::Unstable);
                unstable.cause.set_probability(probability);
                unstable
            }
        }
    }

    /// Decodes shapes in batches, several times faster than one by one where many are new.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let decoded_now = self.decode_unknown(urls);
        let forms: Vec<String> = decoded_now.into_iter().filter_map(|url| self.peek(url)).collect();
        self.decode_unknown(forms.iter().map(String::as_str));
    }
}
