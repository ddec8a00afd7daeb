//! Sites are learned beside the crawl.

use std::sync::atomic::{AtomicU32, Ordering};

use undust_cluster::clusters::Clusters;
use undust_learn::observer::Observer;
use undust_pages::page::Page;

use super::*;

/// Learns nothing, when it is allowed to.
#[derive(Default)]
struct Slow {
    gate: Mutex<()>,
    learned: AtomicU32,
    /// How many learn at the moment, and did at most.
    at_once: [AtomicU32; 2],
}

impl Learn for Slow {
    fn begin(&self) -> Hypotheses {
        Hypotheses::default()
    }

    fn learn(&self, _: &[Page], _: &Clusters, _: &dyn Observer) -> Result<Hypotheses> {
        let [now, most] = &self.at_once;
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        drop(locked(&self.gate));
        now.fetch_sub(1, Ordering::SeqCst);
        self.learned.fetch_add(1, Ordering::SeqCst);
        Ok(Hypotheses::default())
    }
}

/// Nobody waits for a learner that takes its time.
#[test]
fn learning_is_beside_the_crawl() {
    let slow = Arc::new(Slow::default());
    let learner: Arc<dyn Learn> = Arc::clone(&slow) as _;
    let live = Live::in_memory(options(true), learner).expect("an engine");
    let shut = locked(&slow.gate);
    crawl(&live, 0..300);
    assert!(live.stats().values().all(|site| site.learnings == 0));
    drop(shut);
    live.settle().expect("learning");
    assert!(live.stats().values().all(|site| site.learnings == 1));
    assert_eq!(slow.learned.load(Ordering::SeqCst), 2);
}

/// However many sites are due: as many threads as there are cores, and every site is learned.
#[test]
fn many_sites_are_learned_by_few_threads() {
    const SITES: u32 = 200;
    let slow = Arc::new(Slow::default());
    let learner: Arc<dyn Learn> = Arc::clone(&slow) as _;
    let live = Live::in_memory(EngineOptions { first_learning: 2, ..options(true) }, learner)
        .expect("an engine");
    let see = |page: u32| {
        for site in 0..SITES {
            live.saw(response(&format!("http://{site}.test/{page}"), &page.to_string()))
                .expect("a response");
        }
    };
    let shut = locked(&slow.gate);
    (0..4).for_each(see);
    drop(shut);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    live.settle().expect("learning");
    assert!((1..=2 * cores).contains(&live.totals().learnings), "{:?}", live.totals());
    // Whoever found no room is due at the next page as well.
    let all_learned = |page| {
        see(page);
        live.settle().expect("learning");
        live.stats().values().all(|site| site.learnings > 0)
    };
    assert!((4..1000).any(all_learned));
    assert!(u64::from(slow.at_once[1].load(Ordering::SeqCst)) <= cores);
}

/// What a site was taught takes effect while others are crawled: it does not wait, and take memory, until somebody comes back.
#[test]
fn what_was_learned_does_not_wait_for_its_site() {
    let live = Live::with_secret(options(true), Secret::of_seed(17), learner());
    let visit = |site: u32, page: u32| {
        let url = format!("http://{site}.test/story/{page}");
        live.saw(response(&url, &format!("story {page}"))).expect("taken");
    };
    for site in 0..20 {
        let mut page = 0;
        // Until there is a thread for it.
        let is_begun = || {
            let site = Arc::clone(&locked(&live.sites)[&*format!("{site}.test")]);
            let is_running = locked(&site.background).is_running();
            is_running || live.engine(&site).expect("a site").stats().learnings > 0
        };
        while page < 60 || !is_begun() {
            visit(site, page);
            page += 1;
        }
    }
    let mut page = 0;
    while live.totals().learnings < 20 {
        visit(99, page % 30);
        page += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whichever steps of the disk fail: a page that is refused is as if it had not come, and one that is not is there,
/// whatever becomes of what it teaches.
#[test]
fn a_page_is_taken_or_refused_though_what_it_teaches_cannot_be_kept() {
    for done in 0..6 {
        let folder = tempfile::tempdir().expect("a folder");
        let live = Live::open(folder.path(), options(false), learner()).expect("a state");
        let (mut taken, mut refused) = (0, 0);
        for n in 0..140 {
            let fault = undust_util::disk::DiskFault::after(done, 1);
            let story = format!("story {}", n / 2);
            let came = live.saw(response(&format!("http://a.test/{n}?v={}", n % 2), &story));
            drop(fault);
            *(if came.is_ok() { &mut taken } else { &mut refused }) += 1;
        }
        let of = |live: &Live| live.stats().values().map(|site| site.fetched).sum::<u64>();
        assert_eq!((of(&live), taken + refused), (taken, 140), "{done}");
        assert_eq!(taken == 0, done == 0);
        live.keep().expect("the sites");
        drop(live);
        let live = Live::open(folder.path(), options(false), learner()).expect("a state");
        assert_eq!(of(&live), taken, "{done}");
    }
}

/// On a disk that takes no site that is put away, a crawl begins for all sites or for none.
#[test]
fn a_crawl_begins_for_all_sites() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut live = Live::open(folder.path(), options(false), learner()).expect("a state");
    for site in 0..100 {
        live.saw(response(&format!("http://{site}.test/"), "a page")).expect("taken");
    }
    live.idle = Some(crate::engine::live::idle::Idle::full(folder.path()));
    live.options.memory = 1;
    live.begin_crawl().expect("a crawl");
    assert!(live.stats().values().all(|site| site.crawl == 2));
    drop(live);
    let live = Live::open(folder.path(), options(false), learner()).expect("a state");
    assert!(live.stats().values().all(|site| site.crawl == 2));
}
