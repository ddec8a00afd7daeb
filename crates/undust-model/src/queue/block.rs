//! A block of lines, translated on all threads that there are.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use undust_util::{Result, op_counter};

use super::LONGEST;
use super::counts::{Became, QueueCounts};
use super::record::{self, AnsweredUrl, Line};
use super::{QueueFormat, QueueOptions};
use crate::registry::{LookupError, Models};
use crate::site_model::{SiteModel, is_of, origin};
use crate::translation::{Canonicalizer, How, Reason, Translation};
use undust_edits::translation::LONGEST_URL;

/// Bytes that one thread takes at a time: some hundred lines.
const CHUNK: usize = 1 << 15;

/// What becomes of some lines in a row.
#[derive(Default)]
pub(super) struct Answers {
    /// What is to be written, line after line.
    pub text: Vec<u8>,
    /// How many lines these are.
    pub lines: usize,
    /// With [`QueueOptions::unique`], of each line: where its part of the text ends, and the hash of
    /// its form; none if it always counts as new.
    pub ends: Vec<(usize, Option<u128>)>,
    /// How they were translated.
    pub counts: QueueCounts,
}

/// What distinguishes a form from others. No site knows the seed, so none can prepare two forms of one key,
/// of which the second would be dropped.
fn key(form: &[u8]) -> u128 {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
    xxh3_128_with_seed(form, *SEED)
}

/// Answers to a chunk of lines, some of which may wait.
#[derive(Default)]
pub(super) struct Begun {
    answers: Answers,
    waiting: Vec<Waiting>,
}

/// A line whose template the network has not answered yet. Such lines are answered in order, so that the
/// counts are the same on any number of threads.
struct Waiting {
    /// Where it is in the block.
    line: Range<usize>,
    /// The lines before it that do not wait, and where their text ends.
    after: (usize, usize),
    /// What is to be written, and the hash of its form, once it is answered.
    answer: (Vec<u8>, Option<u128>),
}

/// What blocks are translated by, and how.
#[derive(Clone, Copy)]
pub(super) struct Work<'q> {
    pub models: &'q dyn Models,
    pub options: QueueOptions,
}

impl Work<'_> {
    /// Translates the lines of `block` but those that wait for a network, each chunk of them on one
    /// thread.
    pub(super) fn begin(self, block: &[u8]) -> Result<Vec<Begun>> {
        let begin = |lines: &Range<usize>| self.begin_chunk(block, lines.clone());
        match chunks(block).as_slice() {
            [alone] => Ok(vec![begin(alone)?]),
            // Chunk by chunk, so that no thread has many left while others have none.
            many => many.par_iter().with_max_len(1).map(begin).collect(),
        }
    }

    /// The same of one chunk of it.
    pub(super) fn begin_chunk(self, block: &[u8], lines: Range<usize>) -> Result<Begun> {
        op_counter::count(lines.len());
        Chunk { work: self, block, done: Begun::default(), last: None }.begin(lines)
    }

    /// Answers the lines that wait for a network, site after site: one network at a time is held for
    /// them, however many they are of. Which of them a network answers is the same whenever the block was
    /// begun, if blocks are finished in their order, and the cache holds all templates.
    pub(super) fn finish(self, block: &[u8], mut chunks: Vec<Begun>) -> Result<Vec<Answers>> {
        let Self { models, options } = self;
        let mut waiting = Vec::new();
        for (chunk, begun) in chunks.iter().enumerate() {
            for (place, Waiting { line, .. }) in begun.waiting.iter().enumerate() {
                let line = Line::of(&block[line.clone()]);
                let Ok(url) = std::str::from_utf8(line.url) else { continue };
                waiting.push((models.site(url).unwrap_or_default(), (chunk, place, line, url)));
            }
        }
        // Stable: lines of a site stay in order. In which order sites come is of no effect.
        waiting.sort_by(|(a, _), (b, _)| a.cmp(b));
        for lines in waiting.chunk_by(|(a, _), (b, _)| a == b) {
            let (_, (_, _, _, first)) = &lines[0];
            let model = models.model(first);
            if let Ok(model) = &model {
                model.prepare(&mut lines.iter().map(|(_, (_, _, _, url))| *url));
            }
            for &(_, (chunk, place, line, url)) in lines {
                let (answer, model) = (&model.canonicalize(url), model.as_ref().ok());
                let answered = LineAnswer { line, url, answer, model };
                chunks[chunk].answer_late(options, place, answered)?;
            }
        }
        Ok(chunks.into_iter().map(|begun| begun.finish(options.unique)).collect())
    }
}

/// Whole lines, some [`CHUNK`] bytes of them in each part.
pub(super) fn chunks(block: &[u8]) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < block.len() {
        let from = (start + CHUNK).min(block.len()) - 1;
        let end = memchr::memchr(b'\n', &block[from..]).map_or(block.len(), |end| from + end + 1);
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// A chunk of lines at work.
struct Chunk<'q, 'b> {
    work: Work<'q>,
    block: &'b [u8],
    done: Begun,
    /// How the last URL whose model was looked up begins, and the model.
    last: Option<(&'b str, Arc<SiteModel>)>,
}

impl<'b> Chunk<'_, 'b> {
    fn begin(mut self, lines: Range<usize>) -> Result<Begun> {
        let (start, chunk) = (lines.start, &self.block[lines]);
        self.done.answers.text.reserve(chunk.len());
        // Most chunks are text from end to end, which is found faster at once than line by line.
        let text = std::str::from_utf8(chunk).ok();
        let mut from = 0;
        while from < chunk.len() {
            let end = memchr::memchr(b'\n', &chunk[from..]);
            let end = end.map_or(chunk.len(), |end| from + end + 1);
            self.line(start + from..start + end, text.and_then(|text| text.get(from..end)))?;
            from = end;
        }
        Ok(self.done)
    }

    /// Answers a line, which may be known to be a text.
    fn line(&mut self, place: Range<usize>, text: Option<&'b str>) -> Result<()> {
        let options = self.work.options;
        let bytes = &self.block[place.clone()];
        let mut line = Line::of(bytes);
        if bytes.len() > LONGEST {
            // In text it is written as a whole, in JSON its beginning.
            if options.format == QueueFormat::Jsonl {
                line.url = &line.url[..line.url.len().min(LONGEST_URL + 1)];
            }
            return self.done.answers.write_bytes(options, line, Reason::TooLong, None);
        }
        let url = text.and_then(|text| text.get(line.before.len()..)?.get(..line.url.len()));
        match url.or_else(|| std::str::from_utf8(line.url).ok()) {
            Some(url) => self.url(place, line, url),
            None => {
                let is_long = line.url.len() > LONGEST_URL;
                let reason = if is_long { Reason::TooLong } else { Reason::NoUrl };
                let key = options.unique.then(|| key(line.url));
                self.done.answers.write_bytes(options, line, reason, key)
            }
        }
    }

    /// Answers a line that is a text.
    fn url(&mut self, place: Range<usize>, line: Line<'b>, url: &'b str) -> Result<()> {
        let Work { models, options } = self.work;
        let done = &mut self.done.answers;
        let model = match look_up(models, url, &mut self.last, &mut done.counts) {
            Ok(model) => model,
            Err(reason) => {
                let unchanged = Translation::unchanged(url, reason);
                let answered = LineAnswer { line, url, answer: &unchanged, model: None };
                return done.write(options, answered);
            }
        };
        if options.stats {
            done.counts.novelty.count(model.knows_shape(url));
        }
        if options.want_forms_alone() && done.write_by_shape(options, line, url, model) {
            return Ok(());
        }
        if let Some(answer) = &model.canonicalize_known(url) {
            return done.write(options, LineAnswer { line, url, answer, model: Some(model) });
        }
        let after = (done.ends.len(), done.text.len());
        self.done.waiting.push(Waiting { line: place, after, answer: Default::default() });
        Ok(())
    }
}

/// The model of a URL. Queues often hold many URLs of a host in a row: one that begins like the
/// last one takes its model, and touches nothing that threads share.
fn look_up<'l, 'b>(
    models: &dyn Models,
    url: &'b str,
    last: &'l mut Option<(&'b str, Arc<SiteModel>)>,
    counts: &mut QueueCounts,
) -> Result<&'l Arc<SiteModel>, Reason> {
    if url.len() > LONGEST_URL {
        return Err(Reason::TooLong);
    }
    if last.as_ref().is_none_or(|(origin, _)| !is_of(url, origin)) {
        *last = None;
        let model = models.model(url).map_err(|LookupError { reason, error }| {
            if let Some(error) = error
                && !counts.broken.values().any(|known| Arc::ptr_eq(known, &error))
            {
                counts.broken.insert(error.to_string(), error);
            }
            reason
        })?;
        *last = Some((origin(url).unwrap_or(url), model));
    }
    last.as_ref().map(|(_, model)| model).ok_or(Reason::NoModel)
}

impl Answers {
    /// Writes the answer to a line.
    fn write(&mut self, options: QueueOptions, answered: LineAnswer<'_>) -> Result<()> {
        let WrittenLine { how, became, key } = answered.write(options, &mut self.text)?;
        self.add(options, how, became, key);
        Ok(())
    }

    /// Writes a line that is longer than any URL or no text, as it came.
    fn write_bytes(
        &mut self,
        options: QueueOptions,
        line: Line<'_>,
        reason: Reason,
        key: Option<u128>,
    ) -> Result<()> {
        record::write_bytes(options, line, reason, &mut self.text)?;
        self.add(options, How::Unchanged(reason), Became::Same, key);
        Ok(())
    }

    /// Writes the form of a URL if its shape alone determines it; whether it does.
    fn write_by_shape(
        &mut self,
        options: QueueOptions,
        line: Line<'_>,
        url: &str,
        model: &SiteModel,
    ) -> bool {
        if !line.before.is_empty() {
            return false;
        }
        let Some(how) = model.write_by_shape(url, &mut self.text) else { return false };
        self.text.extend_from_slice(line.end);
        let is_same = matches!(how, How::Unchanged(_));
        self.add(options, how, if is_same { Became::Same } else { Became::Changed }, None);
        true
    }

    /// Counts a line whose text is written.
    fn add(&mut self, options: QueueOptions, how: How, became: Became, key: Option<u128>) {
        self.lines += 1;
        self.counts.count(how, became);
        if options.unique {
            self.ends.push((self.text.len(), key));
        }
    }
}

impl Begun {
    /// Answers a line that waited.
    fn answer_late(
        &mut self,
        options: QueueOptions,
        place: usize,
        answered: LineAnswer<'_>,
    ) -> Result<()> {
        let Some(waiting) = self.waiting.get_mut(place) else { return Ok(()) };
        let (text, late_key) = &mut waiting.answer;
        let WrittenLine { how, became, key } = answered.write(options, text)?;
        *late_key = key;
        self.answers.lines += 1;
        self.answers.counts.count(how, became);
        Ok(())
    }

    /// Puts the lines that waited in their places.
    fn finish(self, is_unique: bool) -> Answers {
        let Answers { text, lines, ends, counts } = self.answers;
        if self.waiting.is_empty() {
            return Answers { text, lines, ends, counts };
        }
        let mut whole = Answers { lines, counts, ..Answers::default() };
        let mut done = (0, 0);
        let mut copy = |whole: &mut Answers, until: (usize, usize)| {
            let added = whole.text.len() - done.1;
            whole.text.extend_from_slice(&text[done.1..until.1]);
            let moved = ends[done.0..until.0].iter().map(|(end, key)| (end + added, *key));
            whole.ends.extend(moved);
            done = until;
        };
        for Waiting { after, answer: (late, key), .. } in self.waiting {
            copy(&mut whole, after);
            whole.text.extend_from_slice(&late);
            if is_unique {
                whole.ends.push((whole.text.len(), key));
            }
        }
        copy(&mut whole, (ends.len(), text.len()));
        whole
    }
}

/// What was written for a line.
struct WrittenLine {
    how: How,
    became: Became,
    /// The hash of its form, where the output is unique. An explored URL is a form of its own.
    key: Option<u128>,
}

/// A line, the URL in it, the answer, and the model that gave it.
struct LineAnswer<'a> {
    line: Line<'a>,
    url: &'a str,
    answer: &'a Translation<'a>,
    model: Option<&'a Arc<SiteModel>>,
}

impl LineAnswer<'_> {
    fn write(self, options: QueueOptions, text: &mut Vec<u8>) -> Result<WrittenLine> {
        let Self { line, url, answer, model } = self;
        let unsure = options
            .min_confidence
            .is_some_and(|confidence| !answer.cause.is_trusted(confidence))
            .then(|| answer.refused(url, Reason::TooLittleConfidence));
        let translation = unsure.as_ref().unwrap_or(answer);
        let explores =
            |model: &Arc<SiteModel>| model.explores(url, translation, options.exploration);
        let became = match model {
            _ if translation.canonical == url => Became::Same,
            Some(model) if explores(model) => Became::Explored,
            _ => Became::Changed,
        };
        let is_explored = became == Became::Explored;
        let site = model.map(|model| &*model.site);
        let answered = AnsweredUrl { url, translation, is_explored, site };
        record::write(options, line, &answered, text)?;
        let form = if is_explored { url } else { &translation.canonical };
        let key = options.unique.then(|| key(form.as_bytes()));
        Ok(WrittenLine { how: translation.how, became, key })
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    #[test]
    fn the_key_of_a_form_is_no_secret_of_its_bytes_alone() {
        for form in ["", "http://a.test/", &"x".repeat(300)] {
            assert_eq!(key(form.as_bytes()), key(form.as_bytes()));
            assert_ne!(key(form.as_bytes()), xxh3_128(form.as_bytes()));
        }
    }
}
