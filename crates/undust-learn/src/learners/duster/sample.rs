//! The clusters that are learned from, and the URLs of each that are aligned.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::sequence::{Encoded, Sequence, SequenceLexicon};
use crate::config::DusterConfig;
use crate::training::{TrainingSet, hold_out};

/// Longest URL that is aligned, in tokens: alignment takes the square of it. Most URLs have 20
/// to 60.
const LONGEST: usize = 200;

/// The URLs of one cluster that are aligned.
#[derive(Debug)]
pub(super) struct ClusterSample {
    pub cluster: u32,
    /// The pages of the URLs, without the canonical one.
    pub others: Vec<u32>,
    /// The URLs, the canonical one first.
    urls: Vec<Encoded>,
}

impl ClusterSample {
    /// What is to be aligned.
    pub(super) fn sequences(&self, lexicon: &SequenceLexicon<'_>) -> Vec<Sequence> {
        let encoded = self.urls.iter().enumerate();
        encoded.map(|(place, url)| lexicon.sequence(url, place == 0)).collect()
    }
}

/// The samples of a crawl.
#[derive(Debug, Default)]
pub(super) struct Samples<'c> {
    pub samples: Vec<ClusterSample>,
    /// The tokens of their URLs.
    pub lexicon: SequenceLexicon<'c>,
    /// By cluster: whether it is learned from; it may not validate then.
    pub learned_from: Vec<bool>,
    /// Clusters with more URLs than are aligned.
    pub sampled: usize,
    /// URLs left out because they are too long. If it is the canonical one, its cluster is left
    /// out as well.
    pub too_long: usize,
}

impl<'c> Samples<'c> {
    /// Draws them. Every cluster of two URLs or more is either learned from or validates;
    /// clusters of one always validate. Linear in the pages.
    pub(super) fn draw(set: &TrainingSet<'c>, settings: &DusterConfig, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let learned = hold_out::duplicates_but(set.clusters(), settings.validation, &mut random);
        let mut samples = Self::default();
        if settings.validation > 0.0 {
            samples.learned_from = vec![false; set.clusters().len()];
            learned.iter().for_each(|&cluster| samples.learned_from[cluster as usize] = true);
        }
        for cluster in learned {
            let drawn = samples.cluster(set, cluster, settings.urls_per_cluster, &mut random);
            samples.samples.extend(drawn);
        }
        samples
    }

    fn cluster(
        &mut self,
        set: &TrainingSet<'c>,
        cluster: u32,
        most: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<ClusterSample> {
        let url = |page: u32| set.pages()[page as usize].url.as_ref();
        let canonical = set.canonical(cluster);
        let members = set.clusters().members(cluster).iter().copied();
        let mut others: Vec<u32> = members.filter(|page| url(*page) != canonical).collect();
        if others.len() + 1 > most {
            self.sampled += 1;
            others = index::sample(random, others.len(), most.max(2) - 1)
                .into_iter()
                .map(|place| others[place])
                .collect();
            others.sort_unstable();
        }
        let mut urls = vec![self.read(canonical)?];
        others.retain(|page| match self.read(url(*page)) {
            Some(encoded) => {
                urls.push(encoded);
                true
            }
            None => false,
        });
        (!others.is_empty()).then_some(ClusterSample { cluster, others, urls })
    }

    fn read(&mut self, url: &'c str) -> Option<Encoded> {
        let encoded = self.lexicon.read(url, LONGEST);
        self.too_long += usize::from(encoded.is_none());
        encoded
    }
}

#[cfg(test)]
mod tests {
    use undust_testing::crawl;

    use super::*;

    fn groups(sizes: &[usize]) -> Vec<Vec<String>> {
        let urls = |(group, size): (usize, &usize)| {
            (0..*size).map(|n| format!("http://x.com/{group}/{n}")).collect()
        };
        sizes.iter().enumerate().map(urls).collect()
    }

    #[test]
    fn half_of_the_duplicate_clusters_validate_and_single_pages_always_do() {
        let (pages, clusters) = crawl(&groups(&[1, 2, 3, 1, 2, 20, 2, 2]));
        let set = TrainingSet::new(&pages, &clusters);
        let samples = Samples::draw(&set, &DusterConfig::default(), 5);
        assert_eq!(samples.learned_from.iter().filter(|learned| **learned).count(), 3);
        assert!(!samples.learned_from[0] && !samples.learned_from[3]);
        let drawn: Vec<usize> = samples.samples.iter().map(|s| s.cluster as usize).collect();
        assert!(drawn.iter().all(|cluster| samples.learned_from[*cluster]));
    }

    #[test]
    fn a_sample_holds_the_canonical_url_and_others_once_each() {
        let (pages, clusters) = crawl(&groups(&[50]));
        let set = TrainingSet::new(&pages, &clusters);
        let settings = DusterConfig { validation: 0.0, ..DusterConfig::default() };
        let samples = Samples::draw(&set, &settings, 5);
        assert!(samples.learned_from.is_empty());
        let [sample] = samples.samples.as_slice() else { panic!("one cluster") };
        assert_eq!((sample.others.len(), samples.sampled), (9, 1));
        assert!(sample.others.windows(2).all(|pair| pair[0] < pair[1]));
        let other = |page: &u32| pages[*page as usize].url.as_ref() != set.canonical(0);
        assert!(sample.others.iter().all(other));
        let sequences = sample.sequences(&samples.lexicon);
        let url: String = sequences[0].iter().map(|set| samples.lexicon.text(set.first)).collect();
        assert_eq!(url, set.canonical(0));
        assert!(sequences[0].iter().all(|set| set.canonical.is_some()));
    }

    #[test]
    fn what_is_too_long_is_left_out_and_counted() {
        let long = format!("http://x.com/{}", "a1".repeat(300));
        let (pages, clusters) =
            crawl(&[vec!["http://x.com/a".into(), "http://x.com/b".into(), long]]);
        let set = TrainingSet::new(&pages, &clusters);
        let settings = DusterConfig { validation: 0.0, ..DusterConfig::default() };
        let samples = Samples::draw(&set, &settings, 5);
        assert_eq!((samples.samples[0].others.len(), samples.too_long), (1, 1));
    }
}
