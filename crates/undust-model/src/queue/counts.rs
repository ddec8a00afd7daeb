//! What became of the lines of a queue, counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use undust_util::{Error, counted};

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
    pub(super) novelty: Novelty,
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

    /// How many URLs have shapes that training never saw, in words; of no URL without
    /// [`stats`](super::QueueOptions::stats).
    pub fn novelty(&self) -> impl fmt::Display {
        self.novelty
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

/// From this share of new shapes on a model is worth training again.
const TRAIN_AGAIN: f64 = 0.2;

/// Fewest URLs by which that is decided.
const FEW: u64 = 100;

/// URLs by whether training saw their shape: the URL with its numbers and rare words left open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Novelty {
    /// URLs whose shape training saw.
    pub seen: u64,
    /// URLs whose shape it never saw.
    pub new: u64,
    /// URLs with models that do not record shapes.
    pub undecided: u64,
}

impl Novelty {
    pub(super) fn count(&mut self, is_seen: Option<bool>) {
        *match is_seen {
            Some(true) => &mut self.seen,
            Some(false) => &mut self.new,
            None => &mut self.undecided,
        } += 1;
    }

    pub(super) fn add(&mut self, other: Self) {
        self.seen += other.seen;
        self.new += other.new;
        self.undecided += other.undecided;
    }

    /// The share of new shapes, if any is known.
    fn share(&self) -> Option<f64> {
        let all = self.seen + self.new;
        (all > 0).then(|| self.new as f64 / all as f64)
    }
}

/// The share, and when to train again.
impl fmt::Display for Novelty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.seen + self.new;
        if let Some(share) = self.share() {
            write!(f, "{} of {all} URLs ({:.1} %)", self.new, 100.0 * share)?;
            f.write_str(" have shapes that training never saw: ")?;
            f.write_str(if all < FEW {
                "too few URLs to say whether to train again"
            } else if share >= TRAIN_AGAIN {
                "the site has changed; train again on a newer crawl"
            } else {
                "no need to train again below 20 %"
            })?;
        }
        if self.undecided > 0 {
            let semicolon = if all > 0 { "; " } else { "" };
            let urls = counted(self.undecided, "URL");
            write!(f, "{semicolon}{urls} with models that do not record shapes")?;
        }
        if all + self.undecided == 0 {
            f.write_str("no URL belongs to a site with a model")?;
        }
        Ok(())
    }
}
