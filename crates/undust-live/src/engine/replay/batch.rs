//! A crawl as a crawler goes about it that learns once: it fetches a first part, learns from that,
//! and skips on the rest what the model gives the form of a URL that it fetched.

use rustc_hash::FxHashSet;
use serde::Serialize;

use undust_cluster::clusters::Clusters;
use undust_model::translation::Canonicalizer;
use undust_pages::page::Page;
use undust_util::error::Result;

use crate::engine::learning::Learn;

/// What a crawler fetched and found that believes a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelReplay {
    /// URLs of the crawl.
    pub pages: usize,
    /// Distinct pages.
    pub clusters: usize,
    /// URLs at the beginning of the crawl that were all fetched, to learn from them.
    pub learned: usize,
    /// URLs fetched, these included.
    pub fetched: usize,
    /// Distinct pages among them.
    pub covered: usize,
}

impl ModelReplay {
    /// Of the fetches of a crawler that fetches every URL which show nothing new, how many are
    /// saved.
    pub fn saved(&self) -> i64 {
        (self.pages - self.clusters) as i64 - (self.fetched - self.covered) as i64
    }

    /// Distinct pages that are never seen.
    pub fn lost(&self) -> usize {
        self.clusters - self.covered
    }
}

/// What these pages teach, as far as it is accepted. `clusters` must be those of `pages`.
///
/// # Errors
///
/// Those of [`Learn::learn`].
pub fn learn_accepted(
    pages: &[Page],
    clusters: &Clusters,
    learner: &dyn Learn,
) -> Result<Option<Box<dyn Canonicalizer>>> {
    Ok(learner.learn(pages, clusters, &())?.accepted)
}

/// Crawls pages again, in their order: the first `learned` are fetched, each other URL is fetched
/// unless one of its form was. `clusters` must be those of `pages`. Without a model all are fetched.
pub fn replay_model(
    pages: &[Page],
    clusters: &Clusters,
    learned: usize,
    model: Option<&dyn Canonicalizer>,
) -> ModelReplay {
    if let Some(model) = model {
        model.prepare(&mut pages.iter().map(|page| &*page.url));
    }
    let (mut forms, mut found, mut fetched) = (FxHashSet::default(), FxHashSet::default(), 0);
    for (number, page) in pages.iter().enumerate() {
        let form = model.map(|model| model.canonicalize(&page.url).canonical);
        let is_new = form.is_none_or(|form| forms.insert(form.into_owned()));
        if number < learned || is_new {
            fetched += 1;
            found.insert(clusters.of(number));
        }
    }
    ModelReplay {
        pages: pages.len(),
        clusters: clusters.len(),
        learned,
        fetched,
        covered: found.len(),
    }
}

#[cfg(test)]
mod tests {
    use undust_cluster::clusters::{ClusterOptions, cluster};
    use undust_learn::config::Config;
    use undust_testing::crawl;

    use super::*;
    use crate::engine::learning::AutoLearner;

    #[test]
    fn nothing_is_saved_before_it_is_learned() {
        let urls = |n| ["", "?v=1"].map(|query| format!("http://a.test/story/{n}{query}")).to_vec();
        let (pages, clusters) = crawl(&(0..200).map(urls).collect::<Vec<_>>());
        let learner = AutoLearner::new(Config::default());
        let (first, _) = pages.split_at(200);
        let known = cluster(first, &ClusterOptions::default());
        let model = learn_accepted(first, &known, &learner).expect("a model");
        let all = replay_model(&pages, &clusters, 0, model.as_deref());
        assert_eq!((all.fetched, all.saved(), all.lost()), (200, 200, 0));
        let rest = replay_model(&pages, &clusters, 200, model.as_deref());
        assert_eq!((rest.fetched, rest.saved(), rest.lost()), (300, 100, 0));
        let nothing = replay_model(&pages, &clusters, 0, None);
        assert_eq!((nothing.fetched, nothing.saved(), nothing.lost()), (400, 0, 0));
    }
}
