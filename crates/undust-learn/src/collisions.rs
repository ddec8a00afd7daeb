//! Collisions: URLs of several duplicate clusters that get one form.
//!
//! Two counts are taken of them, and both are of the field. The papers on rules count URLs *outside
//! their form's majority cluster*, which is [`Collisions`]. The simulator counts *lost clusters*, those
//! that are the majority of no form, so that a crawler which fetches one URL a form never sees them:
//! [`Replay::lost`](crate::simulate::Replay::lost), and, as edits come and go, the gate's forms.

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
}

#[cfg(test)]
mod tests {
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
}
