//! A trained network at work: any URL of its site in, the canonical one out.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use undust_url::template::{ARGUMENTS, Reading, TemplateSymbol, Vocabulary};
use undust_url::tokens::drop_slashes;

use super::decode::{Decoder, DecodingOptions};
use super::translator_weights::TranslatorWeights;
use undust_edits::translation::{Applied, Cause, How, Reason, Rewriter, Translation};
use undust_edits::translation::{Circle, FixpointOptions, to_fixpoint};
use undust_util::cache::{ALLOCATION, Cache, SharedCache, Weighs};

/// The network of one site with its vocabulary.
///
/// Greedy decoding depends on the template alone, so each template is decoded once and then
/// remembered; the answers are the same without the memo.
#[derive(Debug)]
pub struct Translator {
    vocabulary: Arc<Vocabulary>,
    /// The same as `tokenizer.json` holds it.
    tokenizer: Vec<u8>,
    decoder: Decoder,
    options: DecodingOptions,
    cache: Cache<CachedAnswer>,
}

#[derive(Debug)]
struct CachedAnswer {
    answer: TemplateAnswer,
    /// Whether no URL has been answered with it yet.
    fresh: AtomicBool,
}

/// What the network says of a template.
#[derive(Debug, Clone)]
enum TemplateAnswer {
    Same,
    Target(Arc<TemplatePair>),
    NoEnd,
    /// It would make something else of a scheme or host that training never saw.
    OtherHost,
}

/// A source template and the target template that the network writes for it.
#[derive(Debug)]
struct TemplatePair {
    vocabulary: Arc<Vocabulary>,
    source: Box<[TemplateSymbol]>,
    target: Box<[TemplateSymbol]>,
}

impl Applied for TemplatePair {}

/// Both spelled as `tokenizer.json` spells them.
impl fmt::Display for TemplatePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelled = |template: &[TemplateSymbol]| {
            let spellings = self.vocabulary.spellings();
            let words = template.iter().map(|symbol| spellings[*symbol as usize].as_str());
            words.collect::<Vec<_>>().join(" ")
        };
        write!(f, "{} → {}", spelled(&self.source), spelled(&self.target))
    }
}

/// An answer counts only if the network leaves it as it is.
const ONCE: FixpointOptions =
    FixpointOptions { most_changes: 1, bounds_length: false, circle: Circle::NoAnswer };

impl Translator {
    /// Puts a network to work.
    pub fn new(
        (vocabulary, tokenizer): (Vocabulary, Vec<u8>),
        weights: TranslatorWeights,
        options: DecodingOptions,
    ) -> Self {
        let (vocabulary, decoder) = (Arc::new(vocabulary), Decoder::new(weights));
        Self { vocabulary, tokenizer, decoder, options, cache: Cache::default() }
    }

    /// Its vocabulary as `tokenizer.json` holds it.
    pub fn tokenizer(&self) -> &[u8] {
        &self.tokenizer
    }

    /// Its vocabulary.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Its weights.
    pub fn weights(&self) -> &TranslatorWeights {
        self.decoder.weights()
    }

    /// How it decodes.
    pub fn options(&self) -> &DecodingOptions {
        &self.options
    }

    /// What it remembers.
    pub fn cache(&self) -> &dyn SharedCache {
        &self.cache
    }

    fn form<'u>(&self, url: &'u str) -> Cow<'u, str> {
        if self.options.drop_slashes { drop_slashes(url) } else { Cow::Borrowed(url) }
    }

    /// The form of `url`, if its template was answered before: then it takes no decoding, and who
    /// asks first does not matter.
    pub fn canonicalize_known<'u>(&self, url: &'u str) -> Option<Translation<'u>> {
        self.to_fixpoint(self.form(url), |template| {
            let is_fresh = self.cache.ask(template, |memory| memory.fresh.load(Ordering::Relaxed));
            is_fresh == Some(false)
        })
    }

    /// What the network makes of `url`, which was read: another URL, or nothing for the same.
    fn answer(
        &self,
        url: &str,
        reading: &Reading<'_>,
        cause: &mut Cause,
    ) -> Result<(Option<String>, How), Reason> {
        self.with_memory(&reading.template, |memory| {
            let first =
                memory.fresh.load(Ordering::Relaxed) && memory.fresh.swap(false, Ordering::Relaxed);
            let how = if first { How::Network } else { How::Cache };
            let answer = self.apply(&memory.answer, reading, url)?;
            if let (Some(_), TemplateAnswer::Target(pair)) = (&answer, &memory.answer) {
                cause.push(Arc::clone(pair) as _);
            }
            Ok((answer, how))
        })
    }

    /// The same, leaving no trace of having asked.
    fn peek(&self, url: &str) -> Result<Option<String>, Reason> {
        let mut reading = Reading::default();
        self.read(url, &mut reading)?;
        self.with_memory(&reading.template, |memory| self.apply(&memory.answer, &reading, url))
    }

    /// Translates a URL whose slashes are gone already, if the options drop them, and whose
    /// template is wanted.
    fn to_fixpoint<'f>(
        &self,
        form: Cow<'f, str>,
        is_wanted: impl Fn(&[TemplateSymbol]) -> bool,
    ) -> Option<Translation<'f>> {
        let mut reading = Reading::default();
        let read = self.read(&form, &mut reading);
        if read.is_ok() && !is_wanted(&reading.template) {
            return None;
        }
        let mut found = None;
        let settled = to_fixpoint(&form, ONCE, |url, cause| match found {
            None => match read.and_then(|()| self.answer(url, &reading, cause)) {
                Ok((answer, how)) => {
                    found = Some(how);
                    Ok(answer)
                }
                Err(reason) => {
                    found = Some(How::Unchanged(reason));
                    Ok(None)
                }
            },
            Some(_) if self.options.idempotent => Ok(self.peek(url).ok().flatten()),
            Some(_) => Ok(None),
        });
        let how = found.unwrap_or(How::Unchanged(Reason::Unstable));
        Some(match settled {
            None => Translation::unchanged(form, Reason::Unstable),
            Some((Cow::Owned(canonical), cause)) => {
                Translation { canonical: Cow::Owned(canonical), how, cause }
            }
            Some((Cow::Borrowed(_), cause)) => Translation { canonical: form, how, cause },
        })
    }

    fn read<'u>(&self, url: &'u str, reading: &mut Reading<'u>) -> Result<(), Reason> {
        self.vocabulary.read(url, reading);
        if reading.template.len() > self.options.max_source {
            Err(Reason::TooLong)
        } else if reading.arguments.len() > ARGUMENTS {
            Err(Reason::TooManyArguments)
        } else {
            Ok(())
        }
    }

    fn apply(
        &self,
        answer: &TemplateAnswer,
        reading: &Reading<'_>,
        url: &str,
    ) -> Result<Option<String>, Reason> {
        match answer {
            TemplateAnswer::Same => Ok(None),
            TemplateAnswer::NoEnd => Err(Reason::NoEnd),
            TemplateAnswer::OtherHost => Err(Reason::OtherHost),
            TemplateAnswer::Target(pair) => {
                let canonical = self.vocabulary.write(&pair.target, &reading.arguments);
                let canonical = canonical.ok_or(Reason::MissingArgument)?;
                Ok((canonical != url).then_some(canonical))
            }
        }
    }

    /// Hands what is known of a template to `use_it`, decoding it first where nothing is.
    fn with_memory<R>(
        &self,
        template: &[TemplateSymbol],
        use_it: impl FnOnce(&CachedAnswer) -> R,
    ) -> R {
        let decode = || {
            let memory = self.decode(&[template]).pop();
            memory.unwrap_or_else(|| CachedAnswer::new(TemplateAnswer::NoEnd))
        };
        self.cache.ask_or(template, decode, use_it)
    }

    /// Decodes the templates of `urls` that are not known yet; one URL of each.
    fn decode_unknown<'u>(&self, urls: impl Iterator<Item = &'u str>) -> Vec<&'u str> {
        let mut seen: FxHashSet<Box<[TemplateSymbol]>> = FxHashSet::default();
        let mut templates: Vec<Box<[TemplateSymbol]>> = Vec::new();
        let mut unknown = Vec::new();
        let mut reading = Reading::default();
        for url in urls {
            let readable = self.read(url, &mut reading).is_ok();
            let template = reading.template.as_slice();
            if readable && !seen.contains(template) && !self.cache.knows(template) {
                seen.insert(template.into());
                templates.push(template.into());
                unknown.push(url);
            }
        }
        let sources: Vec<&[TemplateSymbol]> = templates.iter().map(AsRef::as_ref).collect();
        for (template, memory) in sources.iter().zip(self.decode(&sources)) {
            self.cache.add(template, memory);
        }
        unknown
    }

    fn decode(&self, templates: &[&[TemplateSymbol]]) -> Vec<CachedAnswer> {
        let decoded = self.decoder.decode(templates, &self.options);
        let answers = templates.iter().zip(decoded).map(|(template, target)| match target {
            None => TemplateAnswer::NoEnd,
            Some(target) if target == *template => TemplateAnswer::Same,
            Some(target) if !keeps_unknown_host(template, &target) => TemplateAnswer::OtherHost,
            Some(target) => TemplateAnswer::Target(Arc::new(TemplatePair {
                vocabulary: Arc::clone(&self.vocabulary),
                source: (*template).into(),
                target: target.into(),
            })),
        });
        answers.map(CachedAnswer::new).collect()
    }
}

/// Scheme and host come first. Where training saw them, the network may change them
/// (`www.` to none, `http:` to `https:`); where they are arguments, it knows nothing of them:
/// they must stay what they are, where they are, and come up nowhere else.
fn keeps_unknown_host(source: &[TemplateSymbol], target: &[TemplateSymbol]) -> bool {
    (0..source.len().min(2))
        .filter(|place| Vocabulary::argument_number(source[*place]).is_some())
        .all(|place| {
            let mut uses = (0..target.len()).filter(|other| target[*other] == source[place]);
            uses.next() == Some(place) && uses.next().is_none()
        })
}

impl Weighs for CachedAnswer {
    fn heap_bytes(&self) -> usize {
        match &self.answer {
            TemplateAnswer::Target(pair) => {
                let both = size_of_val(&*pair.source) + size_of_val(&*pair.target);
                size_of::<TemplatePair>() + both + 3 * ALLOCATION
            }
            TemplateAnswer::Same | TemplateAnswer::NoEnd | TemplateAnswer::OtherHost => 0,
        }
    }
}

impl CachedAnswer {
    fn new(answer: TemplateAnswer) -> Self {
        Self { answer, fresh: AtomicBool::new(true) }
    }
}

impl Rewriter for Translator {
    /// A known template costs about a microsecond.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        let any = self.to_fixpoint(self.form(url), |_| true);
        any.unwrap_or_else(|| Translation::unchanged(url, Reason::Unstable))
    }

    /// Decodes in batches, several times faster than one by one where many templates are new.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let forms: Vec<_> = urls.map(|url| self.form(url)).collect();
        let decoded_now = self.decode_unknown(forms.iter().map(AsRef::as_ref));
        if self.options.idempotent {
            let canonical = decoded_now.into_iter().filter_map(|url| self.peek(url).ok().flatten());
            let canonical: Vec<_> = canonical.collect();
            self.decode_unknown(canonical.iter().map(String::as_str));
        }
    }
}
