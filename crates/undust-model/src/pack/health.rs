//! Storage that fails is left alone for a while: work with a thousand models waits for one time-out alone.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::ReadAt;

/// How long storage is left alone at least, and at most. In between it is as long as the failure took.
const LEFT_ALONE: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(60)];

/// The last failure of some storage.
#[derive(Default)]
pub(super) struct Health(Mutex<Option<Failure>>);

struct Failure {
    until: Instant,
    kind: ErrorKind,
    sentence: String,
}

impl Health {
    /// Asks the storage; while it is left alone, the answer is its last failure.
    pub(super) fn ask<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if let Some(error) = self.failure() {
            return Err(error);
        }
        let begun = Instant::now();
        let done = work();
        if let Err(error) = &done
            && is_outage(error.kind())
        {
            let now = Instant::now();
            let until = now + (now - begun).clamp(LEFT_ALONE[0], LEFT_ALONE[1]);
            let failure = Failure { until, kind: error.kind(), sentence: error.to_string() };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
        done
    }

    fn failure(&self) -> Option<io::Error> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = last.take().filter(|failure| failure.until > Instant::now());
        last.as_ref().map(|one| io::Error::new(one.kind, one.sentence.clone()))
    }
}

/// Whether it says nothing of what is read, and something of what reads it.
fn is_outage(kind: ErrorKind) -> bool {
    !matches!(kind, ErrorKind::UnexpectedEof | ErrorKind::StaleNetworkFileHandle)
}

/// A source whose storage is left alone where it fails.
pub(super) struct Guarded {
    pub source: Arc<dyn ReadAt>,
    pub health: Arc<Health>,
}

impl ReadAt for Guarded {
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        self.health.ask(|| self.source.read_exact_at(buffer, at))
    }

    fn length(&self) -> io::Result<u64> {
        self.health.ask(|| self.source.length())
    }

    fn version(&self) -> String {
        self.source.version()
    }

    fn written(&self) -> Option<SystemTime> {
        self.source.written()
    }
}
