//! Blocks of a file that are translated before their turn.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use rayon::{ScopeFifo, Yield};

use undust_util::error::Result;

use super::block::{Begun, Work, chunks};

/// Blocks that are translated while the one before them is awaited or written. With one, a thread that
/// has done its share goes to sleep before there is more to do.
pub(super) const AHEAD: usize = 2;

/// How long a thread without work waits before it looks for some again.
const PAUSE: Duration = Duration::from_micros(50);

/// A block at work. Each of its chunks is a piece of work of its own, the oldest first: whoever waits for
/// a block does a chunk, looks whether that was the last, and so never stays in a later block while
/// there is something to write, and to read.
pub(super) struct Ahead {
    block: Arc<Vec<u8>>,
    /// How many chunks it has.
    chunks: usize,
    /// What became of them, as it comes: their numbers, and the lines.
    done: Receiver<(usize, Result<Begun>)>,
}

impl Ahead {
    /// Lets the threads of `scope` translate a block of whole lines.
    pub(super) fn begin<'s, 'q: 's>(scope: &ScopeFifo<'s>, work: Work<'q>, block: Vec<u8>) -> Self {
        let ranges = chunks(&block);
        let (block, chunks) = (Arc::new(block), ranges.len());
        let (sender, done) = mpsc::channel();
        for (chunk, lines) in ranges.into_iter().enumerate() {
            let (block, sender) = (Arc::clone(&block), sender.clone());
            scope.spawn_fifo(move |_| {
                let begun = work.begin_chunk(&block, lines);
                // Before the chunk is sent: who receives all chunks must be the only owner of the block.
                drop(block);
                // If the queue has ended meanwhile, nobody takes it.
                sender.send((chunk, begun)).unwrap_or_default();
            });
        }
        Self { block, chunks, done }
    }

    /// The block, and what became of its chunks. None if one was never done.
    pub(super) fn wait(self) -> Option<(Vec<u8>, Result<Vec<Begun>>)> {
        let mut begun: Vec<Option<Result<Begun>>> = Vec::new();
        begun.resize_with(self.chunks, || None);
        for _ in 0..self.chunks {
            let (chunk, lines) = wait_for(&self.done)?;
            begun[chunk] = Some(lines);
        }
        let block = Arc::try_unwrap(self.block).unwrap_or_else(|shared| shared.to_vec());
        Some((block, begun.into_iter().flatten().collect()))
    }
}

/// What is sent, while this thread does others' work if it is one of a pool. None if nobody will send.
fn wait_for<T>(sent: &Receiver<T>) -> Option<T> {
    loop {
        match sent.try_recv() {
            Ok(value) => return Some(value),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        match rayon::yield_now() {
            Some(Yield::Executed) => {}
            Some(Yield::Idle) => {
                if let Ok(value) = sent.recv_timeout(PAUSE) {
                    return Some(value);
                }
            }
            None => return sent.recv().ok(),
        }
    }
}
