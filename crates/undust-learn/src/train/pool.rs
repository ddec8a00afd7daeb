//! Sites trained side by side.

use std::cmp::Reverse;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::Site;

/// Trains sites by `train`, the largest first, on as many threads as there are jobs: by default
/// one for each processor, because one site gains little from a second thread and a second site
/// all of it. The results are in the order in which the sites were begun.
pub fn side_by_side<T: Send>(
    mut sites: Vec<Site>,
    jobs: Option<NonZero<usize>>,
    train: impl Fn(&Site) -> T + Sync,
) -> Vec<T> {
    sites.sort_by_key(|site| (Reverse(site.data.len()), site.name.clone()));
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.map_or(processors, usize::from).clamp(1, sites.len().max(1));
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(sites.len())));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(site) = sites.get(place) else { break };
                    let result = (place, train(site));
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use undust_pages::Page;
    use undust_url::site::SiteBy;

    use super::*;
    use crate::train::TrainingData;

    #[test]
    fn every_site_is_trained_once_and_the_largest_first() {
        let site = |pages: usize| Site {
            name: format!("site-{pages}.test"),
            by: SiteBy::Host,
            data: TrainingData::Pages(vec![Page::default(); pages]),
            crawls: Vec::new(),
        };
        for jobs in [None, NonZero::new(1), NonZero::new(7)] {
            let sites = [3, 9, 1, 5].map(site).into_iter().collect();
            let trained = side_by_side(sites, jobs, |site| site.data.len());
            assert_eq!(trained, [9, 5, 3, 1]);
        }
        assert!(side_by_side(Vec::new(), None, |_| ()).is_empty());
    }
}
