//! A block of lines, translated on all threads that there are.

use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::{Became, LONGEST, QueueCounts, QueueOptions, record};
use crate::error::Result;
use crate::model::registry::{Absence, LONGEST_URL, Models, answer};
use crate::model::site_model::{SiteModel, is_of, origin};
use crate::translation::{Canonicalizer, How, Reason, Translation};

/// Bytes that one thread takes at a time: some hundred lines.
const CHUNK: usize = 1 << 15;

/// What becomes of some lines in a row.
#[derive(Default)]
pub(super) struct Answers<'b> {
    /// What is to be written, line after line.
    pub text: Vec<u8>,
    /// The lines.
    pub lines: Vec<Answer<'b>>,
    /// Of the lines that wait for nothing.
    pub counts: QueueCounts,
    /// Whether a line waits.
    pub waits: bool,
}

/// What becomes of a line.
pub(super) enum Answer<'b> {
    /// It is answered.
    Ready {
        /// Where its part of the text ends.
        end: usize,
        /// The hash of its form; none if it always counts as new.
        key: Option<u128>,
    },
    /// The network has not answered its like yet. Such lines are answered in order, so that the
    /// counts are the same on any number of threads.
    Waiting(Line<'b>),
    /// It waited and is answered: what is to be written, and the hash of its form.
    Late(Vec<u8>, Option<u128>),
}

/// A line taken apart.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    pub url: &'l [u8],
    /// Carriage return and line feed, as they came.
    pub end: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn of(line: &'l [u8]) -> Self {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let url = content.strip_suffix(b"\r").unwrap_or(content);
        Self { url, end: &line[url.len()..] }
    }
}

/// Translates the lines of `block` but those that wait for a network, each chunk of them on one
/// thread.
pub(super) fn answers<'b>(
    models: &dyn Models,
    options: QueueOptions,
    block: &'b [u8],
) -> Result<Vec<Answers<'b>>> {
    let answer = |chunk: &&'b [u8]| Chunk::new(models, options).answer(chunk);
    match chunks(block).as_slice() {
        [alone] => Ok(vec![answer(alone)?]),
        many => many.par_iter().map(answer).collect(),
    }
}

/// Answers the lines that wait for a network, site after site: one network at a time is held,
/// however many the lines are of.
pub(super) fn answer_waiting(
    models: &dyn Models,
    options: QueueOptions,
    chunks: &mut [Answers<'_>],
) -> Result<()> {
    let mut waiting = Vec::new();
    for (chunk, answers) in chunks.iter().enumerate().filter(|(_, answers)| answers.waits) {
        for (place, answer) in answers.lines.iter().enumerate() {
            let Answer::Waiting(line) = answer else { continue };
            let Ok(url) = std::str::from_utf8(line.url) else { continue };
            waiting.push((models.site(url).unwrap_or_default(), (chunk, place, url)));
        }
    }
    // Stable: lines of a site stay in order. In which order sites come is of no effect.
    waiting.sort_by(|(a, _), (b, _)| a.cmp(b));
    for lines in waiting.chunk_by(|(a, _), (b, _)| a == b) {
        let (_, (_, _, first)) = &lines[0];
        let model = models.model(first);
        if let Ok(model) = &model {
            model.prepare(&mut lines.iter().map(|(_, (_, _, url))| *url));
        }
        for &(_, (chunk, place, url)) in lines {
            let translation = answer(&model, url);
            let model = model.as_ref().ok();
            chunks[chunk].answer_late(options, place, (url, &translation), model)?;
        }
    }
    Ok(())
}

/// Whole lines, some [`CHUNK`] bytes of them in each part.
fn chunks(block: &[u8]) -> Vec<&[u8]> {
    let mut chunks = Vec::new();
    let mut rest = block;
    while !rest.is_empty() {
        let from = CHUNK.min(rest.len()) - 1;
        let end = memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |end| from + end + 1);
        let (chunk, after) = rest.split_at(end);
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// A chunk of lines at work.
struct Chunk<'q, 'b> {
    models: &'q dyn Models,
    options: QueueOptions,
    done: Answers<'b>,
    /// How the last URL whose model was looked up begins, and the model.
    last: Option<(&'b str, Arc<SiteModel>)>,
}

impl<'q, 'b> Chunk<'q, 'b> {
    fn new(models: &'q dyn Models, options: QueueOptions) -> Self {
        Self { models, options, done: Answers::default(), last: None }
    }

    fn answer(mut self, chunk: &'b [u8]) -> Result<Answers<'b>> {
        self.done.text.reserve(chunk.len());
        // Most chunks are text from end to end, which is told faster at once than line by line.
        let text = std::str::from_utf8(chunk).ok();
        let mut from = 0;
        while from < chunk.len() {
            let end = memchr::memchr(b'\n', &chunk[from..]);
            let end = end.map_or(chunk.len(), |end| from + end + 1);
            self.line(&chunk[from..end], text.and_then(|text| text.get(from..end)))?;
            from = end;
        }
        Ok(self.done)
    }

    /// Answers a line, which may be known to be a text.
    fn line(&mut self, bytes: &'b [u8], text: Option<&'b str>) -> Result<()> {
        let line = Line::of(bytes);
        let done = &mut self.done;
        if bytes.len() > LONGEST {
            record::write_too_long(self.options, line, &mut done.text)?;
            done.ready((How::Unchanged(Reason::TooLong), Became::Same), None);
            return Ok(());
        }
        let url = text.and_then(|text| text.get(..line.url.len()));
        let Some(url) = url.or_else(|| std::str::from_utf8(line.url).ok()) else {
            let is_long = line.url.len() > LONGEST_URL;
            let reason = if is_long { Reason::TooLong } else { Reason::NoUrl };
            record::write_bytes(self.options, line, reason, &mut done.text)?;
            let key = self.options.unique.then(|| xxh3_128(line.url));
            done.ready((How::Unchanged(reason), Became::Same), key);
            return Ok(());
        };
        match look_up(self.models, url, &mut self.last, &mut done.counts) {
            Err(reason) => {
                done.add(self.options, line, (url, &Translation::unchanged(url, reason)), None)
            }
            Ok(model) => {
                if self.options.stats {
                    done.counts.novelty.count(model.knows_shape(url));
                }
                if self.options.want_forms_alone()
                    && let Some(how) = model.write_by_shape(url, &mut done.text)
                {
                    done.text.extend_from_slice(line.end);
                    let is_same = matches!(how, How::Unchanged(_));
                    done.ready((how, if is_same { Became::Same } else { Became::Changed }), None);
                    return Ok(());
                }
                match model.translate_known(url) {
                    Some(translation) => {
                        done.add(self.options, line, (url, &translation), Some(model))
                    }
                    None => {
                        done.waits = true;
                        done.lines.push(Answer::Waiting(line));
                        Ok(())
                    }
                }
            }
        }
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
        let model = models.model(url).map_err(|Absence { reason, error }| {
            if let Some(error) = error {
                counts.note_broken(error);
            }
            reason
        })?;
        *last = Some((origin(url).unwrap_or(url), model));
    }
    last.as_ref().map(|(_, model)| model).ok_or(Reason::NoModel)
}

impl<'b> Answers<'b> {
    /// Adds a line that is answered.
    pub(super) fn add(
        &mut self,
        options: QueueOptions,
        line: Line<'b>,
        (url, translation): (&str, &Translation<'_>),
        model: Option<&Arc<SiteModel>>,
    ) -> Result<()> {
        let (how, key) = write(options, line, (url, translation), model, &mut self.text)?;
        self.ready(how, key);
        Ok(())
    }

    /// Answers a line that waited.
    fn answer_late(
        &mut self,
        options: QueueOptions,
        place: usize,
        answer: (&str, &Translation<'_>),
        model: Option<&Arc<SiteModel>>,
    ) -> Result<()> {
        let Some(Answer::Waiting(line)) = self.lines.get(place) else { return Ok(()) };
        let mut text = Vec::new();
        let ((how, became), key) = write(options, *line, answer, model, &mut text)?;
        self.counts.count(how, became);
        self.lines[place] = Answer::Late(text, key);
        Ok(())
    }

    /// Counts a line whose text is written.
    fn ready(&mut self, (how, became): (How, Became), key: Option<u128>) {
        self.counts.count(how, became);
        self.lines.push(Answer::Ready { end: self.text.len(), key });
    }
}

/// Writes a line's answer; how it was found, what became of the line, and the hash of its form
/// where that is asked for. What is fetched all the same is a form of its own.
fn write(
    options: QueueOptions,
    line: Line<'_>,
    (url, translation): (&str, &Translation<'_>),
    model: Option<&Arc<SiteModel>>,
    text: &mut Vec<u8>,
) -> Result<((How, Became), Option<u128>)> {
    let doubtful = options
        .min_confidence
        .is_some_and(|confidence| !translation.cause.is_trusted(confidence))
        .then(|| Translation::unchanged(url, Reason::TooLittleConfidence));
    let translation = doubtful.as_ref().unwrap_or(translation);
    let explores = |model: &Arc<SiteModel>| model.explores(url, translation, options.exploration);
    let became = match model {
        _ if translation.canonical == url => Became::Same,
        Some(model) if explores(model) => Became::Explored,
        _ => Became::Changed,
    };
    let is_explored = became == Became::Explored;
    let site = model.map(|model| &**model.site());
    record::write(options, line, (url, translation, is_explored), site, text)?;
    let form = if is_explored { url } else { &translation.canonical };
    let key = options.unique.then(|| xxh3_128(form.as_bytes()));
    Ok(((translation.how, became), key))
}
