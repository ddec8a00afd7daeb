//! What the live engine did, as a report has it.

use undust_live::engine::replay::LiveReplay;
use undust_report::{Live, LivePoint, Site};

/// The figures of a replay.
pub(super) fn live_of(replay: &LiveReplay) -> Live {
    let point = |fetches, found| LivePoint { fetches, found };
    let curve = replay.curve.iter().map(|at| point(at.fetches, at.live));
    Live {
        urls: replay.pages,
        pages: replay.clusters,
        fetched: replay.fetched,
        found: replay.covered,
        redundant: replay.redundant(),
        saved: replay.saved(),
        lost: replay.lost(),
        audited: replay.stats.audits.audited,
        lost_share_bound: replay.stats.lost_share_bound,
        curve: std::iter::once(point(0, 0)).chain(curve).collect(),
    }
}

/// A site of which only that is known.
pub(crate) fn replayed_site(name: &str, crawl: &str, replay: &LiveReplay) -> Site {
    let mut site = Site::new(name, crawl);
    site.add_live(live_of(replay));
    let points = replay.curve.iter().map(|at| [at.fetches, at.keep_all]);
    let last = [replay.pages, replay.clusters];
    site.add_whole_curve("keep-all", std::iter::once([0, 0]).chain(points).chain([last]));
    site
}
