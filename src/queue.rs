//! A queue of URLs in, their canonical forms out: one line in, one line out, in order,
//! whatever the lines are.

pub(crate) mod block;
mod novelty;
pub(crate) mod record;

use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};

pub use self::novelty::Novelty;

use self::block::{Answer, Answers, Line};
use crate::error::{Error, Result};
use crate::model::registry::{Models, Registry};
use crate::translation::{How, Reason};
use crate::work;

/// Bytes read at once; the lines among them are translated together on all threads, the network
/// decoding what is new in batches.
const BLOCK: usize = 1 << 20;
/// Longest line, in bytes, that is translated; a longer one is passed on as it comes.
pub(crate) const LONGEST: usize = 1 << 16;

/// How a translated queue is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueFormat {
    /// The canonical form alone.
    Text,
    /// An object a line: url, canonical, site, how, reason, cause, and the steps of the cause,
    /// each with its notation and [what is known of it](crate::StepEvidence).
    Jsonl,
}

/// What a [`Queue`] does beside translating.
#[derive(Debug, Clone, Copy)]
pub struct QueueOptions {
    /// How lines are written.
    pub format: QueueFormat,
    /// Whether only the first URL of each canonical form is written, as it came. Takes 19 to
    /// 39 bytes of memory a form, and 58 while its table doubles; without it, memory does not
    /// grow with the queue.
    pub unique: bool,
    /// What a form must be trusted with, 0 to 1: one step of its cause of which more may be lost
    /// leaves the URL as it is.
    pub min_confidence: Option<f64>,
    /// The share of the URLs that change form which is passed on all the same, as they came, so
    /// that what they show can be [observed](Registry::observe): 0 to 1.
    pub exploration: f64,
    /// Whether URLs are counted whose like training never saw: [`QueueCounts::novelty`].
    pub stats: bool,
    /// Whether a model that cannot be loaded ends the queue; without it, its URLs come back as
    /// they came.
    pub strict: bool,
}

/// Forms as text, a line for each line, and nothing else.
impl Default for QueueOptions {
    fn default() -> Self {
        Self {
            format: QueueFormat::Text,
            unique: false,
            min_confidence: None,
            exploration: 0.0,
            stats: false,
            strict: false,
        }
    }
}

impl QueueOptions {
    /// Whether nothing is asked for but forms: not how sure they are, nor which were there before.
    fn want_forms_alone(&self) -> bool {
        self.format == QueueFormat::Text
            && !self.unique
            && self.min_confidence.is_none()
            && self.exploration <= 0.0
    }
}

/// How many lines were translated how.
#[derive(Debug, Clone, Default)]
pub struct QueueCounts {
    /// Lines read.
    pub lines: u64,
    /// Lines written; fewer only with [`QueueOptions::unique`].
    pub written: u64,
    /// Lines whose canonical form is not the line itself.
    pub changed: u64,
    /// Lines that would have changed, and were passed on [all the
    /// same](QueueOptions::exploration).
    pub explored: u64,
    /// There are few ways, and nearly all lines of a queue go two or three of them.
    how: Vec<(How, u64)>,
    novelty: Novelty,
    /// Models that could not be loaded, each once.
    pub broken: Vec<Arc<Error>>,
    /// What these say.
    told: FxHashSet<String>,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    /// It is as it came.
    Same,
    /// Another text.
    Changed,
    /// It is as it came, so that it will be fetched, and would have changed.
    Explored,
}

impl QueueCounts {
    /// Lines that were translated this way.
    pub fn of(&self, how: How) -> u64 {
        self.how.iter().find(|(known, _)| *known == how).map_or(0, |(_, count)| *count)
    }

    fn count(&mut self, how: How, became: Became) {
        self.lines += 1;
        self.changed += u64::from(became == Became::Changed);
        self.explored += u64::from(became == Became::Explored);
        self.count_how(how, 1);
    }

    fn count_how(&mut self, how: How, lines: u64) {
        match self.how.iter_mut().find(|(known, _)| *known == how) {
            Some((_, count)) => *count += lines,
            None => self.how.push((how, lines)),
        }
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.written += other.written;
        self.changed += other.changed;
        self.explored += other.explored;
        self.novelty.add(other.novelty);
        other.how.into_iter().for_each(|(how, lines)| self.count_how(how, lines));
        for error in other.broken {
            self.note_broken(error);
        }
    }

    /// Whether it was not known.
    fn note_broken(&mut self, error: Arc<Error>) -> bool {
        // The lines of one site follow one another.
        if self.broken.last().is_some_and(|last| Arc::ptr_eq(last, &error)) {
            return false;
        }
        let is_new = self.told.insert(error.to_string());
        if is_new {
            self.broken.push(error);
        }
        is_new
    }
}

impl fmt::Display for QueueCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [memo, network, rules] = [How::Memo, How::Network, How::Rules].map(|how| self.of(how));
        write!(f, "{} lines, {} written, {} changed; ", self.lines, self.written, self.changed)?;
        write!(f, "{memo} from the memo, {network} by the network")?;
        if rules > 0 {
            write!(f, ", {rules} by rules")?;
        }
        match self.of(How::NormalForm) {
            0 => {}
            normal => write!(f, ", {normal} by the normal form")?,
        }
        match self.explored {
            0 => {}
            explored => write!(f, ", {explored} passed on all the same")?,
        }
        for reason in Reason::ALL {
            match self.of(How::Unchanged(reason)) {
                0 => {}
                count => write!(f, ", {count} unchanged ({reason})")?,
            }
        }
        Ok(())
    }
}

/// Translates one input after another as one queue, on all threads of the current rayon pool.
/// Output and counts are the same on any number of threads. Memory does not grow with the number
/// of lines or their length.
pub struct Queue<'q> {
    models: &'q dyn Models,
    output: &'q mut dyn Write,
    options: QueueOptions,
    counts: QueueCounts,
    seen: HashSet<u128, FxBuildHasher>,
    /// Whether the last line written has no end yet.
    is_open: bool,
    on_broken: Box<dyn FnMut(&Error) + 'q>,
}

impl<'q> Queue<'q> {
    /// An empty queue.
    pub fn new(registry: &'q Registry, output: &'q mut dyn Write, options: QueueOptions) -> Self {
        Self::of(registry, output, options)
    }

    /// An empty queue that finds models there.
    pub(crate) fn of(
        models: &'q dyn Models,
        output: &'q mut dyn Write,
        options: QueueOptions,
    ) -> Self {
        Self {
            models,
            output,
            options,
            counts: QueueCounts::default(),
            seen: HashSet::default(),
            is_open: false,
            on_broken: Box::new(|_| {}),
        }
    }

    /// Has a model that cannot be loaded told of at once, when the first URL asks for it.
    pub fn on_broken(mut self, tell: impl FnMut(&Error) + 'q) -> Self {
        self.on_broken = Box::new(tell);
        self
    }

    /// Translates the lines of `input`; errors call it `name`. What can be read at once is
    /// translated at once and written out before more is waited for, so that a program at
    /// the other end of a pipe gets its answers.
    pub fn feed(&mut self, name: &Path, input: impl Read) -> Result<()> {
        let mut input = BufReader::with_capacity(BLOCK, input);
        let mut block = Vec::new();
        loop {
            let read = read_some(&mut input).map_err(Error::io("read", name))?;
            if read.is_empty() {
                return self.translate(&block);
            }
            let (lines, begun) = read.split_at(memchr::memrchr(b'\n', read).map_or(0, |at| at + 1));
            if !lines.is_empty() {
                block.extend_from_slice(lines);
                self.translate(&block)?;
                block.clear();
            }
            block.extend_from_slice(begun);
            let used = read.len();
            work::count(used);
            input.consume(used);
            if block.len() > LONGEST {
                self.pass_on(&mem::take(&mut block), name, &mut input)?;
            }
        }
    }

    /// Flushes the output; what was done.
    pub fn finish(self) -> Result<QueueCounts> {
        self.output.flush().map_err(Error::io("write", "-"))?;
        Ok(self.counts)
    }

    /// Translates whole lines, the last of which may have no end, and writes them out.
    pub(crate) fn translate(&mut self, block: &[u8]) -> Result<()> {
        work::count(block.len());
        let mut answers = block::answers(self.models, self.options, block)?;
        block::answer_waiting(self.models, self.options, &mut answers)?;
        answers.into_iter().try_for_each(|chunk| self.write_all(chunk))?;
        self.flush()
    }

    fn write_all(&mut self, chunk: Answers<'_>) -> Result<()> {
        let Answers { text, lines, counts, waits } = chunk;
        self.report(&counts.broken)?;
        self.counts.add(counts);
        if !waits && !self.options.unique {
            return self.write(&text, lines.len());
        }
        let mut from = 0;
        for line in lines {
            match line {
                Answer::Ready { end, key } => {
                    self.write_new(&text[from..end], key)?;
                    from = end;
                }
                Answer::Late(text, key) => self.write_new(&text, key)?,
                Answer::Waiting(_) => {}
            }
        }
        Ok(())
    }

    /// Writes a line, unless its form came before and only new ones are asked for.
    fn write_new(&mut self, line: &[u8], key: Option<u128>) -> Result<()> {
        if self.options.unique && key.is_some_and(|key| !self.seen.insert(key)) {
            return Ok(());
        }
        self.write(line, 1)
    }

    /// Writes so many lines.
    fn write(&mut self, text: &[u8], lines: usize) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.is_open {
            self.put(b"\n")?;
        }
        self.counts.written += lines as u64;
        self.put(text)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.is_open = !bytes.ends_with(b"\n");
        self.output.write_all(bytes).map_err(Error::io("write", "-"))
    }

    fn flush(&mut self) -> Result<()> {
        self.output.flush().map_err(Error::io("write", "-"))
    }

    /// Tells of models that could not be loaded, each once; a [strict](QueueOptions::strict)
    /// queue ends with the first.
    fn report(&mut self, broken: &[Arc<Error>]) -> Result<()> {
        for error in broken {
            if self.counts.note_broken(Arc::clone(error)) {
                (self.on_broken)(error);
            }
        }
        match self.counts.broken.first() {
            Some(error) if self.options.strict => Err(Error::Unusable(error.to_string())),
            _ => Ok(()),
        }
    }

    /// Writes what there is of a line that is too long to be held; in JSON that is all.
    pub(crate) fn begin_long(&mut self, head: &[u8]) -> Result<()> {
        let mut written = Vec::new();
        let line = Line { url: head, end: b"" };
        record::write_too_long(self.options, line, &mut written)?;
        self.counts.count(How::Unchanged(Reason::TooLong), Became::Same);
        self.write(&written, 1)
    }

    /// Passes a line on that is too long to be held: in text as it comes, in JSON only its
    /// beginning. With [`QueueOptions::unique`] it always counts as new.
    fn pass_on(&mut self, head: &[u8], name: &Path, input: &mut dyn BufRead) -> Result<()> {
        self.begin_long(head)?;
        loop {
            let read = read_some(input).map_err(Error::io("read", name))?;
            let end = memchr::memchr(b'\n', read).map(|end| end + 1);
            let used = end.unwrap_or(read.len());
            if self.options.format == QueueFormat::Text && used > 0 {
                self.put(&read[..used])?;
            }
            let is_over = end.is_some() || read.is_empty();
            input.consume(used);
            // Whoever waits for what was read gets it before more is waited for.
            self.flush()?;
            if is_over {
                return Ok(());
            }
        }
    }
}

/// What can be read at once; nothing at the end.
fn read_some(input: &mut dyn BufRead) -> io::Result<&[u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

#[cfg(test)]
mod tests;
