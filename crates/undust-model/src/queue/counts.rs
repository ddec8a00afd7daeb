//! What became of the lines of a queue, counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use undust_util::error::Error;
use undust_util::plural::counted;

use super::novelty::Novelty;
use crate::translation::{How, Reason};

/// How many lines were translated how.
#[derive(Debug, Clone, Default)]
pub struct QueueCounts {
    /// Lines read.
    pub lines: u64,
    /// Lines written; fewer only with [`QueueOptions::unique`](super::QueueOptions::unique).
    pub written: u64,
    /// Lines whose canonical form is not the line itself.
    pub changed: u64,
    /// Lines that would have changed, and were passed on [all the
    /// same](super::QueueOptions::exploration).
    pub explored: u64,
    /// There are few ways, and nearly all lines of a queue go two or three of them.
    how: Vec<(How, u64)>,
    /// How much was new to the models; all 0 without [`super::QueueOptions::stats`].
    pub novelty: Novelty,
    /// Models that could not be loaded, by what is wrong with them.
    pub broken: BTreeMap<String, Arc<Error>>,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Became {
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

    /// Lines that were only written as their site writes them.
    fn normalized(&self) -> u64 {
        let normalized = self.how.iter().filter(|(how, _)| matches!(how, How::NormalForm(_)));
        normalized.map(|(_, count)| count).sum()
    }

    pub(super) fn count(&mut self, how: How, became: Became) {
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

    pub(super) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.written += other.written;
        self.changed += other.changed;
        self.explored += other.explored;
        self.novelty.add(other.novelty);
        other.how.into_iter().for_each(|(how, lines)| self.count_how(how, lines));
        self.broken.extend(other.broken);
    }
}

impl fmt::Display for QueueCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cache, network, rules] =
            [How::Cache, How::Network, How::Rules].map(|how| self.of(how));
        let lines = counted(self.lines, "line");
        write!(f, "{lines}, {} written, {} changed; ", self.written, self.changed)?;
        write!(f, "{cache} from the cache, {network} by the network")?;
        if rules > 0 {
            write!(f, ", {rules} by rules")?;
        }
        match self.normalized() {
            0 => {}
            normal => write!(f, ", {normal} by the normal form")?,
        }
        match self.explored {
            0 => {}
            explored => write!(f, ", {explored} explored")?,
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
