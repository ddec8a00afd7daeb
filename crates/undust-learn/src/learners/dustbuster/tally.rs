//! Instances of a rule, counted, and the verdict of Figure 4 on it.

use crate::config::DustbusterConfig;

/// What the instances of a rule say about it.
///
/// The more a verdict says for the rule, the greater it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValidationVerdict {
    /// Too many refute it.
    Refuted,
    /// Too few are known, and to know more would take too many trials.
    Dear,
    /// Too few are known.
    Unknown,
    /// Enough of them are known, and too few refute it.
    Valid,
}

/// Instances of a rule, counted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InstanceTally {
    /// Instances whose image shows the page of their URL.
    pub(crate) same: u32,
    /// Instances whose image shows another page, or none.
    pub(crate) different: u32,
}

impl InstanceTally {
    /// Counts an instance; one that is not known says nothing.
    pub(crate) fn count(&mut self, answer: Option<bool>) {
        match answer {
            Some(true) => self.same += 1,
            Some(false) => self.different += 1,
            None => {}
        }
    }

    /// Whether further instances cannot change the verdict: the loop of Figure 4.
    pub(crate) fn is_decided(self, settings: &DustbusterConfig) -> bool {
        let (count, share) = (settings.validations as f64, settings.refutation);
        f64::from(self.same) >= (1.0 - share) * count || self.refutes(count, share)
    }

    fn refutes(self, count: f64, share: f64) -> bool {
        self.different > 0 && f64::from(self.different) >= share * count
    }

    /// The verdict of Figure 4. With fewer than N known instances, the paper's ε is a share of the
    /// known ones; with fewer than `min_known` the rule stays unknown.
    pub(crate) fn verdict(self, settings: &DustbusterConfig) -> ValidationVerdict {
        let known = (self.same + self.different) as usize;
        let drawn = known.min(settings.validations) as f64;
        let is_enough = known >= settings.min_known.max(1);
        if self.refutes(settings.validations as f64, settings.refutation)
            || is_enough && self.refutes(drawn, settings.refutation)
        {
            ValidationVerdict::Refuted
        } else if is_enough {
            ValidationVerdict::Valid
        } else {
            ValidationVerdict::Unknown
        }
    }
}
