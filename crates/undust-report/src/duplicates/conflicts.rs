//! Where `rel=canonical` and content disagree.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use undust_cluster::clusters::Clusters;
use undust_pages::Page;
use undust_url::normal::normal;

use super::printed::Named;
use crate::answers::Answers;
use crate::rows::ConflictRow;
use crate::text::kept;

/// The pages whose canonical URL fails, redirects, has other content, or is not the one that is printed for their
/// content. A canonical URL that was not fetched is no conflict: nothing is known of it. Linear in the pages.
pub(super) fn conflicts(
    pages: &[Page],
    clusters: &Clusters,
    answers: &Answers,
    named: &Named<'_>,
    printed: &[u32],
) -> Vec<ConflictRow> {
    let mut rows: Vec<ConflictRow> = Vec::new();
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| !page.is_redirect) {
        let Some(said) = answers.named(&page.url) else { continue };
        let own = printed[clusters.of(at) as usize];
        let target = named.page(said);
        let problem = match target.map(|target| (target, &pages[target as usize])) {
            None => match answers.failure(said) {
                Some(status) => format!("answers {status}"),
                None => continue,
            },
            Some((target, _)) if clusters.of(target as usize) != clusters.of(at) => {
                "has other content".to_owned()
            }
            Some((_, target)) if target.is_redirect => "redirects".to_owned(),
            Some((target, _)) if target != own => {
                let is_own = said == normal(&page.url);
                let name = if is_own { "names itself" } else { "names another URL" };
                format!("{name}, although other URLs have its content")
            }
            Some(_) => continue,
        };
        rows.push(ConflictRow {
            problem,
            url: kept(&page.url),
            says: kept(said),
            page: kept(&pages[own as usize].url),
        });
    }
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    rows.iter().for_each(|row| *counts.entry(row.problem.clone()).or_default() += 1);
    rows.sort_by_cached_key(|row| (Reverse(counts[&row.problem]), row.problem.clone()));
    rows
}
