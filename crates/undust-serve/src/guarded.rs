//! A connection that must move: one on which no byte comes or goes for a while is closed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose reads and writes fail once neither has moved a byte for some time. A client that
/// is gone without a word, or that does not take its answer, costs no more than that time.
pub(super) struct Guarded<S> {
    stream: S,
    idle_time: Duration,
    moved: Instant,
    timer: Pin<Box<Sleep>>,
}

impl<S> Guarded<S> {
    pub(super) fn new(stream: S, idle_time: Duration) -> Self {
        Self { stream, idle_time, moved: Instant::now(), timer: Box::pin(sleep(idle_time)) }
    }

    /// What becomes of a read or write that had to wait. The timer is set anew only when it has
    /// run out, not with every byte.
    fn waits<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        loop {
            ready!(self.timer.as_mut().poll(context));
            let end = self.moved + self.idle_time;
            if Instant::now() >= end {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.timer.as_mut().reset(end);
        }
    }

    fn moves<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_pending() {
            return self.waits(context);
        }
        self.moved = Instant::now();
        poll
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.moves(context, poll)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.moves(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.moves(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
