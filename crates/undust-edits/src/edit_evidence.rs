//! What is known of an operation, and the share of its URLs that it may put wrong.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::translation::StepEvidence;

/// Counts over the training crawl, in URLs. A URL that is alone in its form is no evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditEvidence {
    /// Changed URLs that come to share their form with another URL.
    pub tested: u32,
    /// Clusters that no form stands for any more: a crawler would never see them.
    pub lost: u32,
    /// Pages that come to share a form with another page, whether or not either can be seen by another URL.
    pub collisions: u32,
    /// Fetches that it saves.
    pub saved: i32,
    /// Effective samples: pages that tested URLs show. Each page counts once, however many URLs
    /// show it, unless a word of the URL names it, as that of a log-in page does; then each URL
    /// counts.
    #[serde(default)]
    pub pages: u32,
    /// Kinds of pages, patterns of the path and names in the query, on which it was tested; none of an edit that was
    /// refused.
    #[serde(default, skip_serializing_if = "is_none")]
    pub kinds: u32,
    /// Forms that the edit had a part in, over the crawl's URLs. None of an edit that was refused, or of a model that
    /// an older version wrote: it does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<u32>,
    /// Of these, those that the crawl fetched, that answered with status 200 themselves, and that showed the page of a
    /// URL that they are the form of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<u32>,
    /// Of these, those that the crawl fetched and that redirect. None in a model that an older version wrote, which
    /// counted them among those that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirected: Option<u32>,
    /// Of these, those that no URL of the crawl has and that the site itself names, by a label, as the URL of the page
    /// that they are the form of. None where labels were not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labelled: Option<u32>,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl EditEvidence {
    /// Whether its forms may be fetched: most answered, and none redirects. None if that is not
    /// known.
    pub fn may_be_fetched(&self) -> Option<bool> {
        let (forms, answered, redirected) = (self.forms?, self.answered?, self.redirected?);
        Some(answered > forms / 2 && redirected == 0)
    }

    /// Whether any page is evidence against it.
    pub fn is_contradicted(&self) -> bool {
        self.collisions > 0
    }

    /// As it is reported, with the shrunk rate.
    pub(crate) fn describe(&self, rate: f64) -> StepEvidence {
        StepEvidence {
            tested: self.tested as usize,
            lost: self.lost as usize,
            collisions: self.collisions as usize,
            saved: Some(self.saved.into()),
            pages: Some(self.pages as usize).filter(|pages| *pages > 0),
            kinds: Some(self.kinds as usize).filter(|kinds| *kinds > 0),
            labelled: self.labelled.map(|forms| forms as usize).filter(|forms| *forms > 0),
            bound: rate,
        }
    }

    /// Saved fetches, less `loss_cost` for each page that collides.
    pub fn gain(&self, loss_cost: f64) -> f64 {
        f64::from(self.saved) - loss_cost * f64::from(self.collisions)
    }
}

impl AddAssign for EditEvidence {
    fn add_assign(&mut self, other: Self) {
        self.tested += other.tested;
        self.lost += other.lost;
        self.collisions += other.collisions;
        self.saved += other.saved;
        self.pages += other.pages;
        self.kinds += other.kinds;
        self.forms = self.forms.zip(other.forms).map(|(here, there)| here + there);
        self.labelled = self.labelled.zip(other.labelled).map(|(here, there)| here + there);
        self.answered = self.answered.zip(other.answered).map(|(here, there)| here + there);
        self.redirected = self.redirected.zip(other.redirected).map(|(here, there)| here + there);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: EditEvidence = EditEvidence {
        tested: 17,
        lost: 2,
        collisions: 3,
        saved: 10,
        pages: 8,
        kinds: 2,
        forms: Some(3),
        answered: Some(3),
        redirected: Some(0),
        labelled: None,
    };

    #[test]
    fn what_is_known_is_described() {
        assert!((KNOWN.gain(8.0) + 14.0).abs() < 1e-9);
        let described = KNOWN.describe(0.25);
        assert_eq!(
            (described.tested, described.lost, described.saved, described.bound),
            (17, 2, Some(10), 0.25)
        );
        assert_eq!(described.collisions, 3);
    }

    #[test]
    fn evidence_adds_up() {
        let mut sum = KNOWN;
        sum += EditEvidence {
            tested: 5,
            lost: 6,
            collisions: 7,
            saved: -8,
            pages: 1,
            kinds: 1,
            forms: Some(4),
            answered: Some(4),
            redirected: Some(1),
            labelled: None,
        };
        assert_eq!(
            sum,
            EditEvidence {
                tested: 22,
                lost: 8,
                collisions: 10,
                saved: 2,
                pages: 9,
                kinds: 3,
                forms: Some(7),
                answered: Some(7),
                redirected: Some(1),
                labelled: None
            }
        );
    }

    /// A form that redirects may lead back to the URL that it was made of.
    #[test]
    fn what_mostly_answers_and_never_redirects_may_be_fetched() {
        let known = |forms, answered, redirected| {
            let (forms, answered) = (Some(forms), Some(answered));
            EditEvidence { forms, answered, redirected, ..KNOWN }.may_be_fetched()
        };
        for (forms, answered, redirected, may_be) in [
            (1, 1, Some(0), Some(true)),
            (9, 5, Some(0), Some(true)),
            (9, 4, Some(0), Some(false)),
            (2, 1, Some(0), Some(false)),
            (0, 0, Some(0), Some(false)),
            (9, 8, Some(1), Some(false)),
            // An older version counted those that redirect among those that answered.
            (9, 9, None, None),
        ] {
            assert_eq!(known(forms, answered, redirected), may_be, "{forms} {answered}");
        }
        assert_eq!(EditEvidence::default().may_be_fetched(), None);
    }
}
