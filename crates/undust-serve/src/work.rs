//! Work on threads that may be held up, no more of it at once than there are processors.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use tokio::task::spawn_blocking;

use undust_model::queue::{Queue, QueueCounts, QueueFormat, QueueOptions};
use undust_model::registry::Pinned;
use undust_util::error::Result;

use super::failure::Failure;
use super::lines::BodyPart;
use super::metrics::Outcomes;
use super::query::AnswerFormat;
use super::state::Service;

/// Bytes of a stream that are translated together, on all threads.
const STREAMED: usize = 1 << 17;
/// Bytes of a body that is held whole: less than one thread takes. Other requests have the others, and
/// handing parts of a request over costs more than it gains.
pub(super) const HELD: usize = 1 << 13;

impl Service {
    /// Does a piece of work once it is its turn, and counts the URLs that it translated.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<(T, Outcomes)> + Send + 'static,
    ) -> Result<T, Failure> {
        // The semaphore is never closed.
        let turn = self.turns.acquire().await.map_err(|error| Failure::inside(&error))?;
        let service = Arc::clone(self);
        let done = spawn_blocking(move || {
            let begin = Instant::now();
            let (done, outcomes) = work(&service)?;
            if outcomes != Outcomes::default() {
                service.counted.translated(outcomes, begin.elapsed());
            }
            Ok(done)
        });
        let done = done.await;
        drop(turn);
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err::<_, undust_util::error::Error>(error)) => Err(Failure::inside(&error)),
            Err(error) => Err(Failure::inside(&error)),
        }
    }

    /// The answer to whole lines, by one model of each site, a block at a time.
    pub(super) async fn lines(
        self: &Arc<Self>,
        format: AnswerFormat,
        lines: Bytes,
        block: usize,
    ) -> Result<Vec<u8>, Failure> {
        let length = lines.len();
        let feed = move |queue: &mut Queue<'_>| {
            let mut rest = &lines[..];
            while !rest.is_empty() {
                let (block, after) = rest.split_at(block_end(rest, block));
                queue.translate(block)?;
                rest = after;
            }
            Ok(())
        };
        self.queued(format, length, feed).await
    }

    /// The answer to a piece of a body.
    pub(super) async fn piece(
        self: &Arc<Self>,
        format: AnswerFormat,
        piece: BodyPart,
    ) -> Result<Vec<u8>, Failure> {
        match piece {
            BodyPart::Lines(lines) => self.lines(format, lines.into(), STREAMED).await,
            BodyPart::TooLong(head) => {
                self.queued(format, head.len(), move |queue| queue.translate(&head)).await
            }
            BodyPart::More(more) if format == AnswerFormat::Text => Ok(more),
            BodyPart::More(_) => Ok(Vec::new()),
        }
    }

    async fn queued(
        self: &Arc<Self>,
        format: AnswerFormat,
        length: usize,
        feed: impl FnOnce(&mut Queue<'_>) -> Result<()> + Send + 'static,
    ) -> Result<Vec<u8>, Failure> {
        self.work(move |service| {
            let mut text = Vec::with_capacity(length);
            let models = Pinned::new(&service.registry);
            let mut queue = Queue::new(&models, &mut text, options(format, service));
            feed(&mut queue)?;
            let counts: QueueCounts = queue.finish()?;
            Ok((text, Outcomes::of_lines(&counts)))
        })
        .await
    }
}

/// Where the lines end that are translated together. They are limited to about `block` bytes,
/// because what is known of a short line takes more memory than the line.
fn block_end(lines: &[u8], block: usize) -> usize {
    let Some((first, rest)) = lines.split_at_checked(block) else { return lines.len() };
    match memchr::memrchr(b'\n', first) {
        Some(end) => end + 1,
        None => memchr::memchr(b'\n', rest).map_or(lines.len(), |end| block + end + 1),
    }
}

fn options(format: AnswerFormat, service: &Service) -> QueueOptions {
    let format = match format {
        AnswerFormat::Text => QueueFormat::Text,
        AnswerFormat::Json | AnswerFormat::JsonLines => QueueFormat::Jsonl,
    };
    QueueOptions { format, exploration: service.exploration(), ..QueueOptions::default() }
}
