//! A queue of URLs in, their canonical forms out: one line in, one line out, in order,
//! whatever the lines are.

mod ahead;
mod block;
mod blocks;
mod counts;
mod record;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

pub use self::counts::QueueCounts;
pub use self::record::AnsweredUrl;

use undust_util::error::{Error, Result};

use self::ahead::{AHEAD, Ahead};
use self::block::{Answers, Work};
use self::blocks::{Blocks, Next};
use crate::registry::Models;

/// Longest line, in bytes, that is translated; a longer one is passed on as it comes.
pub const LONGEST: usize = 1 << 16;

/// How a translated queue is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum QueueFormat {
    /// The canonical form alone.
    #[default]
    Text,
    /// An object a line: url, canonical, site, how, reason, cause, and the steps of the cause,
    /// each with its notation and [what is known of it](crate::translation::StepEvidence). Of a line of more than
    /// 65,536 bytes, its end included, the first 32,769.
    Jsonl,
}

/// What a [`Queue`] does in addition to translating. By default it writes forms as text,
/// a line for each line, and nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueueOptions {
    /// How lines are written.
    pub format: QueueFormat,
    /// Whether only the first URL of each canonical form is written, as it came. Takes 19 to
    /// 39 bytes of memory a form, and 58 while its table doubles; without it, memory does not
    /// grow with the queue.
    pub unique: bool,
    /// Least confidence in every step, 0 to 1; with less, the URL stays as it is.
    pub min_confidence: Option<f64>,
    /// The share of changed URLs that are written unchanged, so that their pages can be observed: 0
    /// to 1.
    pub exploration: f64,
    /// Whether to count URLs with unseen shapes:
    /// [`QueueCounts::novelty`](QueueCounts::novelty).
    pub stats: bool,
    /// Whether a model that cannot be loaded ends the queue; without it, its URLs come back as
    /// they came.
    pub strict: bool,
    /// Whether, while blocks are translated, the next is read, and the last one written: for inputs that are all files,
    /// for which nobody waits.
    pub read_ahead: bool,
}

impl QueueOptions {
    /// Whether only forms are wanted, without their confidence and without duplicates being dropped.
    fn want_forms_alone(&self) -> bool {
        self.format == QueueFormat::Text
            && !self.unique
            && self.min_confidence.is_none()
            && self.exploration <= 0.0
    }
}

/// Translates one input after another as one queue, on all threads of the current rayon pool.
/// Output is the same on any number of threads, and so are counts, unless a site has more templates
/// than a network's cache holds. Memory does not grow with the number of lines or their length: it is
/// that of four blocks of 1 MiB, three of them with their answers.
pub struct Queue<'q> {
    work: Work<'q>,
    output: &'q mut dyn Write,
    counts: QueueCounts,
    seen: HashSet<u128, FxBuildHasher>,
    /// Whether the last line written has no end yet.
    is_open: bool,
    on_broken: Box<dyn FnMut(&Error) + 'q>,
}

impl<'q> Queue<'q> {
    /// An empty queue.
    pub fn new(models: &'q dyn Models, output: &'q mut dyn Write, options: QueueOptions) -> Self {
        Self {
            work: Work { models, options },
            output,
            counts: QueueCounts::default(),
            seen: HashSet::default(),
            is_open: false,
            on_broken: Box::new(|_| {}),
        }
    }

    /// Reports a model that cannot be loaded at once, when the first URL asks for it.
    pub fn on_broken(mut self, report: impl FnMut(&Error) + 'q) -> Self {
        self.on_broken = Box::new(report);
        self
    }

    /// Translates the lines of `input`; errors call it `name`. Complete lines are answered before
    /// more input is waited for, so that a program at the other end of a pipe gets its answers; unless the queue
    /// [reads ahead](QueueOptions::read_ahead).
    pub fn feed(&mut self, name: &Path, input: impl Read) -> Result<()> {
        let mut blocks = Blocks::new(input);
        loop {
            let next = match self.work.options.read_ahead {
                true => rayon::in_place_scope_fifo(|scope| self.take_lines(scope, &mut blocks))?,
                false => blocks.next(),
            };
            let next = next.map_err(Error::io("read", name))?;
            if self.take(next, name, &mut blocks)? {
                return Ok(());
            }
        }
    }

    /// Translates what comes next; whether that was the end.
    fn take(&mut self, next: Next, name: &Path, blocks: &mut Blocks<impl Read>) -> Result<bool> {
        match next {
            Next::Lines(block) => {
                self.translate(&block)?;
                blocks.reuse(block);
            }
            Next::Long(head) => self.pass_on(&head, name, blocks)?,
            Next::End(rest) => {
                self.translate(&rest)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Translates all lines before what is none, or cannot be read, and says what that is.
    fn take_lines<'s>(
        &mut self,
        scope: &rayon::ScopeFifo<'s>,
        blocks: &mut Blocks<impl Read>,
    ) -> Result<io::Result<Next>>
    where
        'q: 's,
    {
        let work = self.work;
        let mut ahead = VecDeque::new();
        loop {
            let stop = match blocks.next() {
                Ok(Next::Lines(block)) => {
                    ahead.push_back(Ahead::begin(scope, work, block));
                    None
                }
                next => Some(next),
            };
            let most = if stop.is_none() { AHEAD } else { 0 };
            while ahead.len() > most
                && let Some(first) = ahead.pop_front()
            {
                // A thread that panicked sends nothing. Nothing more is written, and the scope hands
                // the panic on.
                let Some((block, begun)) = first.wait() else {
                    return Ok(Ok(Next::End(Vec::new())));
                };
                let answers = work.finish(&block, begun?)?;
                self.write_all(answers)?;
                blocks.reuse(block);
            }
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Flushes the output; returns the counts.
    pub fn finish(self) -> Result<QueueCounts> {
        self.output.flush().map_err(Error::io("write", "-"))?;
        Ok(self.counts)
    }

    /// Translates whole lines, the last of which may have no end, and writes them out. Of a line of
    /// more than [`LONGEST`] bytes the first bytes suffice: they are written as they came.
    pub fn translate(&mut self, block: &[u8]) -> Result<()> {
        let begun = self.work.begin(block)?;
        self.write_all(self.work.finish(block, begun)?)
    }

    /// Writes what becomes of a block.
    fn write_all(&mut self, answers: Vec<Answers>) -> Result<()> {
        for Answers { text, lines, ends, counts } in answers {
            self.report(&counts.broken)?;
            self.counts.add(counts);
            if !self.work.options.unique {
                self.write(&text, lines)?;
            }
            let mut from = 0;
            for (end, key) in ends {
                if key.is_none_or(|key| self.seen.insert(key)) {
                    self.write(&text[from..end], 1)?;
                }
                from = end;
            }
        }
        self.flush()
    }

    /// Writes this number of lines.
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

    /// Reports models that could not be loaded, each once; a [strict](QueueOptions::strict)
    /// queue ends with the first.
    fn report(&mut self, broken: &BTreeMap<String, Arc<Error>>) -> Result<()> {
        for (sentence, error) in broken {
            if !self.counts.broken.contains_key(sentence) {
                (self.on_broken)(error);
                self.counts.broken.insert(sentence.clone(), Arc::clone(error));
            }
        }
        match self.counts.broken.values().next() {
            Some(error) if self.work.options.strict => Err(Error::Shared(Arc::clone(error))),
            _ => Ok(()),
        }
    }

    /// Passes a line on that is too long to be held: in text as it comes, in JSON only its
    /// beginning. With [`QueueOptions::unique`] it always counts as new.
    fn pass_on(&mut self, head: &[u8], name: &Path, blocks: &mut Blocks<impl Read>) -> Result<()> {
        self.translate(head)?;
        blocks.rest(Error::io("read", name), |part| {
            if self.work.options.format == QueueFormat::Text && !part.is_empty() {
                self.put(part)?;
            }
            // Write what was translated before waiting for more input.
            self.flush()
        })
    }
}
