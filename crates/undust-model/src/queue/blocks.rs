//! An input, cut into blocks of whole lines.

use std::io::{self, BufRead, BufReader, Read};
use std::mem;

use undust_util::op_counter;

use super::LONGEST;

/// Bytes read at once; the lines among them are translated together on all threads, the network
/// decoding what is new in batches.
const BLOCK: usize = 1 << 20;

/// What comes next in an input.
pub(super) enum Next {
    /// Whole lines.
    Lines(Vec<u8>),
    /// The beginning of a line that is too long to be held; its rest comes by [`Blocks::rest`].
    Long(Vec<u8>),
    /// The end, and before it a line without one, if that is not empty.
    End(Vec<u8>),
}

/// The blocks of an input. Memory: what is read at once, a block to use again, and what a line may have.
pub(super) struct Blocks<R> {
    input: BufReader<R>,
    /// The beginning of a line.
    begun: Vec<u8>,
    /// A block that nobody needs.
    spare: Vec<u8>,
}

impl<R: Read> Blocks<R> {
    /// The blocks of an input, which is not read yet.
    pub(super) fn new(input: R) -> Self {
        let input = BufReader::with_capacity(BLOCK, input);
        Self { input, begun: Vec::new(), spare: Vec::new() }
    }

    /// The whole lines that can be read at once, if any can; else waits for more.
    pub(super) fn next(&mut self) -> io::Result<Next> {
        loop {
            if self.begun.len() > LONGEST {
                return Ok(Next::Long(mem::take(&mut self.begun)));
            }
            let read = read_some(&mut self.input)?;
            if read.is_empty() {
                return Ok(Next::End(mem::take(&mut self.begun)));
            }
            let used = read.len();
            op_counter::count(used);
            let (lines, begun) = read.split_at(memchr::memrchr(b'\n', read).map_or(0, |at| at + 1));
            let whole = (!lines.is_empty()).then(|| {
                let mut block = mem::take(&mut self.spare);
                block.clear();
                block.append(&mut self.begun);
                block.extend_from_slice(lines);
                block
            });
            self.begun.extend_from_slice(begun);
            self.input.consume(used);
            if let Some(block) = whole {
                return Ok(Next::Lines(block));
            }
        }
    }

    /// Takes a block back.
    pub(super) fn reuse(&mut self, block: Vec<u8>) {
        self.spare = block;
    }

    /// Hands out the rest of a long line as it comes.
    pub(super) fn rest<E>(
        &mut self,
        failed: impl FnOnce(io::Error) -> E,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            let read = match read_some(&mut self.input) {
                Ok(read) => read,
                Err(error) => return Err(failed(error)),
            };
            let end = memchr::memchr(b'\n', read).map(|end| end + 1);
            let used = end.unwrap_or(read.len());
            let is_over = end.is_some() || read.is_empty();
            take(&read[..used])?;
            self.input.consume(used);
            if is_over {
                return Ok(());
            }
        }
    }
}

/// What can be read at once; nothing at the end, and then it is not asked again: a terminal would
/// wait for another Ctrl-D.
fn read_some(input: &mut impl BufRead) -> io::Result<&[u8]> {
    let read = loop {
        match input.fill_buf() {
            Ok(read) => break read.len(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    if read == 0 { Ok(&[]) } else { input.fill_buf() }
}
