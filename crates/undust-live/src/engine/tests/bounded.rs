//! Memory that is kept, whatever comes, and what it costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_crawl::{ReadOptions, read_pages};
use undust_learn::config::Config;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;

use crate::engine::Live;
use crate::engine::evidence::Hypotheses;
use crate::engine::learning::{AutoLearner, Learn};
use crate::engine::options::EngineOptions;
use crate::engine::replay::replay;
use crate::engine::secret::Secret;

/// What the URLs of a site are like.
#[derive(Debug, Clone, Copy)]
enum Names {
    Plain,
    Random,
    Deep,
    Long,
    Arguments,
    Redirects,
}

const NAMES: [Names; 6] =
    [Names::Plain, Names::Random, Names::Deep, Names::Long, Names::Arguments, Names::Redirects];

fn url(names: Names, page: u32, random: &mut ChaCha8Rng) -> String {
    let mut word = || format!("{:08x}", random.random::<u32>());
    let rest = match names {
        Names::Plain | Names::Redirects => format!("shop/item/{page}?ref={}", page % 7),
        Names::Random => format!("{}/{}/{}.html?{}=1", word(), word(), word(), word()),
        Names::Deep => (0..14).map(|_| word()).collect::<Vec<_>>().join("/"),
        Names::Long => (0..500).map(|_| word()).collect(),
        Names::Arguments => {
            format!("list?a{}={}&{}={page}&b={page}", page % 10_000, word(), word())
        }
    };
    format!("http://a.test/{rest}")
}

fn response(names: Names, url: &str, page: u32) -> Response {
    let simhash = Some(Simhash(u64::from(page).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let shown = Response { url: url.to_owned(), status: 200, simhash, ..Response::default() };
    match names {
        Names::Redirects if page.is_multiple_of(2) => Response {
            status: 301,
            location: Some(format!("{url}&to={page}")),
            simhash: None,
            ..shown
        },
        _ => Response { title: Some(format!("page {page}")), ..shown },
    }
}

/// Learns nothing, and proposes what others do. Notes the most bytes of URLs that it was given at once.
#[derive(Default)]
struct OnlyProposals(AtomicUsize);

impl Learn for OnlyProposals {
    fn begin(&self) -> Hypotheses {
        AutoLearner::default().begin()
    }

    fn learn(
        &self,
        pages: &[undust_pages::page::Page],
        _: &undust_cluster::clusters::Clusters,
        _: &dyn undust_learn::observer::Observer,
    ) -> undust_util::error::Result<Hypotheses> {
        self.0.fetch_max(pages.iter().map(|page| page.url.len()).sum(), Ordering::Relaxed);
        Ok(self.begin())
    }
}

/// However its URLs are made, and whatever does not come back: the tables of a site take no more than their part, and what it
/// is learned from no more than its own.
#[test]
fn a_site_keeps_within_its_memory() {
    const MEMORY: usize = 8 << 20;
    for names in NAMES {
        let options =
            EngineOptions { background: false, memory: MEMORY, ..EngineOptions::default() };
        let learner = Arc::new(OnlyProposals::default());
        let live = Live::with_secret(options, Secret::of_seed(17), learner.clone());
        let (mut random, mut most) = (ChaCha8Rng::seed_from_u64(5), 0);
        for page in 0..12_000 {
            let url = url(names, page, &mut random);
            live.decide(&format!("{url}&never={page}")).expect("a decision");
            if live.decide(&url).expect("a decision").fetches() {
                live.saw(response(names, &url, page)).expect("taken");
            }
            most = most.max(live.totals().memory);
        }
        assert!(most <= MEMORY as u64 / 2, "{names:?}: {most}");
        let learned_from = learner.0.load(Ordering::Relaxed);
        assert!((1..=MEMORY / 8).contains(&learned_from), "{names:?}: {learned_from}");
        assert!(live.totals().fetched > 5_000, "{names:?}");
    }
}

/// Sites that are put away and come back decide as if they had stayed, whether or not their models are put away, too.
#[test]
fn a_site_that_was_put_away_is_as_it_was() {
    const SITES: u32 = 250;
    let crawl = |memory: usize, folder: Option<&std::path::Path>, state| {
        let options = EngineOptions {
            background: false,
            first_learning: 60,
            memory,
            ..EngineOptions::default()
        };
        let learner = AutoLearner { state, ..AutoLearner::new(Config::default()) };
        let learner: Arc<dyn Learn> = Arc::new(learner);
        let mut live = Live::with_secret(options, Secret::of_seed(17), learner);
        if let Some(folder) = folder {
            live.put_away_in(folder).expect("a file");
        }
        let (mut decided, mut most) = (Vec::new(), 0);
        for round in 0..12 {
            for site in 0..SITES {
                for page in 10 * round..10 * round + 10 {
                    for query in ["", "?v=1", "?w=2&v=1"].iter().take(1 + page as usize % 3) {
                        let url = format!("http://{site}.test/story/{page}{query}");
                        let decision = live.decide(&url).expect("a decision");
                        if decision.fetches() {
                            let digest = Some(format!("{site} {page}"));
                            let came = Response {
                                url: url.clone(),
                                status: 200,
                                digest,
                                ..Response::default()
                            };
                            live.saw(came).expect("taken");
                        }
                        decided.push((url, decision));
                    }
                }
                most = most.max(live.totals().memory);
            }
            if round == 7 {
                live.begin_crawl().expect("a crawl");
            }
        }
        (decided, live.stats(), most)
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (expected, stats, needed) = crawl(1 << 30, None, None);
    let models = tempfile::tempdir().expect("a folder");
    for state in [None, Some(models.path().to_owned())] {
        let (decided, stats_of_few, most) = crawl(6 << 20, Some(folder.path()), state);
        let first_other = decided.iter().zip(&expected).find(|(one, other)| one != other);
        assert_eq!(first_other, None);
        assert_eq!(stats_of_few, stats);
        assert!(needed > 2 * most && most < (3 << 20) + (1 << 18), "{most} of {needed}");
        let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// What it costs that evidence gives way, on crawls of real applications: with a twentieth of the default memory hardly a saving
/// and hardly a page.
#[test]
fn little_memory_costs_little() {
    let (mut whole, mut part, mut pages) = ((0, 0), (0, 0), 0);
    for crawl in ["blog", "events", "shop", "talks"] {
        let path = undust_testing::in_repository(&format!("data/{crawl}.jsonl.gz"));
        let (crawl, _) = read_pages(&[path], &ReadOptions::default()).expect("a crawl");
        let clusters = cluster(&crawl.pages, &ClusterOptions::default());
        let learner = AutoLearner::new(Config::default());
        let add = |sum: &mut (i64, usize), memory| {
            let options = EngineOptions { memory, ..EngineOptions::default() };
            let replay = replay(&crawl.pages, &clusters, &learner, &options, 17).expect("a replay");
            *sum = (sum.0 + replay.saved(), sum.1 + replay.lost());
        };
        let memory = EngineOptions::default().memory;
        add(&mut whole, memory);
        add(&mut part, memory / 20);
        pages += clusters.len();
    }
    assert!(part.0 as f64 >= 0.99 * whole.0 as f64, "{part:?} {whole:?}");
    assert!(part.1 as f64 <= whole.1 as f64 + 0.0002 * pages as f64, "{part:?} {whole:?}");
}

/// A site that takes more than all should does not have the others looked through at each event.
#[test]
fn one_large_site_costs_the_others_nothing() {
    use undust_util::op_counter::assert_linear;

    let crawl = |sites: usize| {
        let options =
            EngineOptions { background: false, memory: 1 << 20, ..EngineOptions::default() };
        let mut live =
            Live::with_secret(options, Secret::of_seed(17), Arc::new(OnlyProposals::default()));
        let folder = tempfile::tempdir().expect("a folder");
        live.put_away_in(folder.path()).expect("a file");
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for site in 0..sites {
            let url = format!("http://{site}.test/");
            live.saw(response(Names::Plain, &url, 1)).expect("taken");
        }
        for page in 0..sites as u32 {
            let url = url(Names::Random, page, &mut random);
            live.saw(response(Names::Random, &url, page)).expect("taken");
        }
        live.totals().sites
    };
    assert_linear(2000, "sites beside a large one", crawl);
}
