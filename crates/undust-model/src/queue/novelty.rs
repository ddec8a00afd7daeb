//! How many URLs of a queue have shapes that training never saw.

use std::fmt;

use undust_util::plural::counted;

/// From this share of new shapes on a model is worth training again.
const TRAIN_AGAIN: f64 = 0.2;

/// Fewest URLs by which that is decided.
const FEW: u64 = 100;

/// URLs by whether training saw their shape: the URL with its numbers and rare words left open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Novelty {
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
    pub(crate) fn share(&self) -> Option<f64> {
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
