//! Collisions: URLs of several duplicate clusters that get one form.
//!
//! Two counts are taken of them, and both are of the field. The papers on rules count URLs *outside
//! their form's majority cluster*, which is [`Collisions`]. The simulator counts *lost clusters*, those
//! that are the majority of no form, so that a crawler which fetches one URL a form never sees them:
//! [`Replay::lost`](crate::simulate::Replay::lost), and, as edits come and go, the gate's forms.

use std::ops::AddAssign;

/// The cluster of most URLs of a form, given as the URLs of each cluster; the first cluster of several.
pub(crate) fn majority(members: impl IntoIterator<Item = (u32, u32)>) -> Option<u32> {
    let most = members.into_iter().max_by_key(|&(cluster, count)| (count, u32::MAX - cluster));
    most.map(|(cluster, _)| cluster)
}

/// Numbers of URLs. A form that one URL alone has counts nothing: it proves nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Collisions {
    /// URLs that share their form with another.
    pub merged: usize,
    /// Of these, URLs whose form spans more than one cluster.
    pub strict: usize,
    /// Of these, URLs outside their form's [majority] cluster. A crawler that fetches one URL a
    /// form would miss their pages, or as many others.
    pub outside: usize,
}

impl Collisions {
    /// The URLs of one form, given as their clusters, which are sorted on the way.
    pub(crate) fn of_form(clusters: &mut [u32]) -> Self {
        if clusters.len() < 2 {
            return Self::default();
        }
        clusters.sort_unstable();
        let largest = clusters.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0);
        let outside = clusters.len() - largest;
        let strict = if outside > 0 { clusters.len() } else { 0 };
        Self { merged: clusters.len(), strict, outside }
    }

    /// All URLs of a crawl, given as the hash of each one's form and its cluster. A sort: n log n.
    pub(crate) fn of_forms(forms: &[u64], clusters: &[u32]) -> Self {
        let mut urls: Vec<(u64, u32)> =
            forms.iter().copied().zip(clusters.iter().copied()).collect();
        urls.sort_unstable();
        let (mut sum, mut of_form) = (Self::default(), Vec::new());
        for form in urls.chunk_by(|a, b| a.0 == b.0) {
            of_form.clear();
            of_form.extend(form.iter().map(|(_, cluster)| *cluster));
            sum += Self::of_form(&mut of_form);
        }
        sum
    }
}

impl AddAssign for Collisions {
    fn add_assign(&mut self, other: Self) {
        self.merged += other.merged;
        self.strict += other.strict;
        self.outside += other.outside;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_form_alone_counts_nothing() {
        assert_eq!(Collisions::of_form(&mut []), Collisions::default());
        assert_eq!(Collisions::of_form(&mut [7]), Collisions::default());
    }

    #[test]
    fn the_majority_keeps_its_form() {
        let pure = Collisions { merged: 3, strict: 0, outside: 0 };
        assert_eq!(Collisions::of_form(&mut [4, 4, 4]), pure);
        let strict = Collisions { merged: 5, strict: 5, outside: 3 };
        assert_eq!(Collisions::of_form(&mut [1, 4, 2, 4, 3]), strict);
    }

    proptest! {
        #[test]
        fn a_crawl_is_the_sum_of_its_forms(urls in prop::collection::vec((0u64..9, 0u32..9), 0..60)) {
            let (forms, clusters): (Vec<_>, Vec<_>) = urls.iter().copied().unzip();
            let mut sum = Collisions::default();
            for form in 0..9 {
                let of_form = urls.iter().filter(|url| url.0 == form).map(|url| url.1);
                sum += Collisions::of_form(&mut of_form.collect::<Vec<_>>());
            }
            prop_assert_eq!(Collisions::of_forms(&forms, &clusters), sum);
            prop_assert!(sum.outside <= sum.strict && sum.strict <= sum.merged);
        }
    }
}
