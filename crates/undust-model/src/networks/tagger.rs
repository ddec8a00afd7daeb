//! A trained tagger at work: any URL of its site in, the canonical one out.

pub mod labels;
pub mod network;
pub mod weights;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use undust_url::lexicon::{Lexicon, Symbol};

use self::labels::{Tag, apply};
use self::network::Tables;
use self::weights::TaggerWeights;
use super::encoder::shape_batch::ShapeBatch;
use crate::cache::{ALLOCATION, Cache, SharedCache, Weighs};
use crate::translation::{
    Applied, Cause, Circle, FixpointOptions, How, Reason, Rewriter, Translation, to_fixpoint,
};

/// Shapes read at once.
const BATCH: usize = 256;
/// Every time step has a multiple of so many rows, so that a shape read alone passes through the
/// same arithmetic as in company, and gets the same answer.
const ROWS: usize = 16;

/// How a tagger is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaggingOptions {
    /// Most pieces of a URL.
    pub max_source: usize,
    /// Whether training saw a scheme or authority change; if not, all are kept.
    pub changes_hosts: bool,
}

/// The tagger of one site.
///
/// Its tags depend on the shape of a URL alone, so each shape is read once and then remembered;
/// the answers are the same without the memo.
#[derive(Debug)]
pub struct Tagger {
    words: Arc<TaggerWords>,
    weights: TaggerWeights,
    tables: Tables,
    options: TaggingOptions,
    cache: Cache<CachedTags>,
}

/// What its symbols and tags stand for.
#[derive(Debug)]
struct TaggerWords {
    lexicon: Lexicon,
    phrases: Vec<String>,
}

#[derive(Debug)]
struct CachedTags {
    /// Nothing where all stays.
    tagged: Option<Arc<Tagged>>,
    /// Whether no URL has been answered with it yet.
    fresh: AtomicBool,
}

/// A shape and its tags.
#[derive(Debug)]
struct Tagged {
    words: Arc<TaggerWords>,
    shape: Box<[Symbol]>,
    tags: Box<[Tag]>,
}

impl Applied for Tagged {}

impl Weighs for CachedTags {
    fn heap_bytes(&self) -> usize {
        self.tagged.as_ref().map_or(0, |tagged| {
            let both = size_of_val(&*tagged.shape) + size_of_val(&*tagged.tags);
            size_of::<Tagged>() + both + 3 * ALLOCATION
        })
    }
}

/// Deleted pieces in brackets, inserted phrases in braces.
impl fmt::Display for Tagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TaggerWords { lexicon, phrases } = &*self.words;
        for (place, tag) in self.tags.iter().enumerate() {
            if let Some(phrase) =
                usize::from(tag.insert).checked_sub(1).and_then(|n| phrases.get(n))
            {
                write!(f, "{{{phrase}}}")?;
            }
            let piece = self.shape.get(place).map_or_else(Default::default, |s| lexicon.spell(*s));
            if tag.keep { f.write_str(&piece)? } else { write!(f, "[{piece}]")? }
        }
        Ok(())
    }
}

/// An answer counts only if the tagger leaves it as it is.
const ONCE: FixpointOptions =
    FixpointOptions { most_changes: 1, bounds_length: false, circle: Circle::NoAnswer };

impl Tagger {
    /// Puts a network to work.
    pub fn new(
        lexicon: Lexicon,
        phrases: Vec<String>,
        weights: TaggerWeights,
        options: TaggingOptions,
    ) -> Self {
        let (words, tables) = (Arc::new(TaggerWords { lexicon, phrases }), weights.tables());
        Self { words, weights, tables, options, cache: Cache::default() }
    }

    /// Its function words.
    pub fn lexicon(&self) -> &Lexicon {
        &self.words.lexicon
    }

    /// What it may insert; a tag's `insert` counts them from 1.
    pub fn phrases(&self) -> &[String] {
        &self.words.phrases
    }

    /// Its weights.
    pub fn weights(&self) -> &TaggerWeights {
        &self.weights
    }

    /// How it is used.
    pub fn options(&self) -> TaggingOptions {
        self.options
    }

    /// What it remembers.
    pub(crate) fn cache(&self) -> &dyn SharedCache {
        &self.cache
    }

    /// The tags of each shape: one for each piece, and one for the end. Those of a shape do not
    /// depend on the others. Cost: pieces × hidden².
    pub fn edits(&self, shapes: &[&[Symbol]]) -> Vec<Vec<Tag>> {
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(shapes[*index].len()));
        let mut edits = vec![Vec::new(); shapes.len()];
        for chunk in order.chunks(BATCH) {
            let sorted: Vec<&[Symbol]> = chunk.iter().map(|index| shapes[*index]).collect();
            let batch = ShapeBatch::new(&sorted, ROWS);
            let tags = self.weights.read(&self.tables, &batch).tags(&batch, &sorted);
            for (index, mut tags) in chunk.iter().zip(tags) {
                self.keep_host(shapes[*index], &mut tags);
                edits[*index] = tags;
            }
        }
        edits
    }

    /// Scheme and authority stay where training saw none change, and where they are unknown.
    fn keep_host(&self, shape: &[Symbol], tags: &mut [Tag]) {
        let front = Lexicon::front(shape);
        let unknown = shape[..front].iter().any(|symbol| Lexicon::is_argument(*symbol));
        if unknown || !self.options.changes_hosts {
            tags[..front].fill(Tag::KEEP);
        }
    }

    /// What the tagger makes of `url`: another URL, or nothing for the same.
    fn answer(&self, url: &str, cause: &mut Cause) -> Result<(Option<String>, How), Reason> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.read(url, &mut shape, &mut texts)?;
        Ok(self.with_memory(&shape, |memory| {
            let first =
                memory.fresh.load(Ordering::Relaxed) && memory.fresh.swap(false, Ordering::Relaxed);
            let answer = self.apply(memory, &texts, url);
            if let (Some(_), Some(tagged)) = (&answer, &memory.tagged) {
                cause.push(Arc::clone(tagged) as _);
            }
            (answer, if first { How::Network } else { How::Cache })
        }))
    }

    /// The same, leaving no trace of having asked.
    fn peek(&self, url: &str) -> Option<String> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.read(url, &mut shape, &mut texts).ok()?;
        self.with_memory(&shape, |memory| self.apply(memory, &texts, url))
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

    fn apply(&self, memory: &CachedTags, texts: &[&str], url: &str) -> Option<String> {
        let tagged = memory.tagged.as_ref()?;
        let form = apply(texts, &tagged.tags, self.phrases());
        (form != url).then_some(form)
    }

    /// Hands what is known of a shape to `use_it`, reading it first where nothing is.
    fn with_memory<R>(&self, shape: &[Symbol], use_it: impl FnOnce(&CachedTags) -> R) -> R {
        let read = || self.memory(shape, self.edits(&[shape]).pop().unwrap_or_default());
        self.cache.ask_or(shape, read, use_it)
    }

    fn memory(&self, shape: &[Symbol], tags: Vec<Tag>) -> CachedTags {
        let tagged = tags.iter().any(|tag| *tag != Tag::KEEP).then(|| {
            let words = Arc::clone(&self.words);
            Arc::new(Tagged { words, shape: shape.into(), tags: tags.into() })
        });
        CachedTags { tagged, fresh: AtomicBool::new(true) }
    }

    /// Reads the shapes of `urls` that are not known yet; one URL of each.
    fn read_unknown<'u>(&self, urls: impl Iterator<Item = &'u str>) -> Vec<&'u str> {
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
        let edits = self.edits(&shapes.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        for (shape, tags) in shapes.iter().zip(edits) {
            self.cache.add(shape, self.memory(shape, tags));
        }
        unknown
    }
}

impl Rewriter for Tagger {
    /// A known shape costs about a microsecond.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        let mut found = None;
        let settled = to_fixpoint(url, ONCE, |form, cause| match found {
            None => match self.answer(form, cause) {
                Ok((answer, how)) => {
                    found = Some(how);
                    Ok(answer)
                }
                Err(reason) => {
                    found = Some(How::Unchanged(reason));
                    Ok(None)
                }
            },
            Some(_) => Ok(self.peek(form)),
        });
        match (settled, found) {
            (Some((canonical, cause)), Some(how)) => Translation { canonical, how, cause },
            _ => Translation::unchanged(url, Reason::Unstable),
        }
    }

    /// Reads shapes in batches, several times faster than one by one where many are new.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let read_now = self.read_unknown(urls);
        let forms: Vec<String> = read_now.into_iter().filter_map(|url| self.peek(url)).collect();
        self.read_unknown(forms.iter().map(String::as_str));
    }
}
