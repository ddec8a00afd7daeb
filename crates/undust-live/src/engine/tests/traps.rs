//! Sites with endless URLs: the crawl ends, and finds the site's pages.

mod server;

use std::collections::VecDeque;
use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;
use undust_url::site::SiteBy;

use self::server::{FULL, LISTS, MANUAL, Server, Shown};
use crate::engine::secret::Secret;
use crate::engine::{AutoLearner, EngineOptions, Live};

/// What is endless about a site.
#[derive(Debug, Clone, Copy)]
enum Trap {
    /// Each page links one page under a new session.
    SessionOnOnePage,
    /// Each page links all that it links under a new session.
    SessionOnAllPages,
    /// Each day links the next, and all are empty.
    Calendar,
    /// Each page of a list links the next, and all but the first few are empty.
    PastTheEnd,
    /// The same of thirty lists, with the last page that is not empty in the place of those after it.
    PastTheEnds,
    /// Each list links its narrower ones, and all are empty.
    Facets,
    /// What does not exist shows one page, whose links exist even less.
    SoftNotFound,
    /// What does not exist shows one page, which links others in the same folder.
    SoftNotFoundBeside,
    /// A page appends an argument to its own URL.
    AppendedArgument,
    /// A page of a manual links all of them below one more folder, and the server shows what the last segment names.
    RelativeLinks,
    /// The same with folders of several names.
    RelativeLinksAnywhere,
    /// Each page links one page under a host of its own.
    SessionInHost,
    /// Each page links one page under a new name of an argument.
    SessionAsName,
    /// Each page links all that it links under a new name of an argument, beside the number of the page.
    SessionAsNameOfAll,
    /// Each page links one page under a new name of its file.
    SessionInFile,
    /// Each page links one page below a new first folder, as ASP.NET does without cookies.
    SessionAsFolder,
    /// Each page links all that it links below a new first folder.
    SessionAsFolderOfAll,
    /// The same in the middle of all paths.
    SessionInMiddleOfAll,
    /// The same in the names of all files.
    SessionInFileOfAll,
    /// A hundred of these at once: sessions of one page in arguments, paths and hosts, and calendars.
    Hundred,
}

const TRAPS: [Trap; 20] = [
    Trap::SessionOnOnePage,
    Trap::SessionOnAllPages,
    Trap::Calendar,
    Trap::PastTheEnd,
    Trap::PastTheEnds,
    Trap::Facets,
    Trap::SoftNotFound,
    Trap::SoftNotFoundBeside,
    Trap::AppendedArgument,
    Trap::RelativeLinks,
    Trap::RelativeLinksAnywhere,
    Trap::SessionInHost,
    Trap::SessionAsName,
    Trap::SessionAsNameOfAll,
    Trap::SessionInFile,
    Trap::SessionAsFolder,
    Trap::SessionAsFolderOfAll,
    Trap::SessionInMiddleOfAll,
    Trap::SessionInFileOfAll,
    Trap::Hundred,
];

/// Which URL of the queue is next.
#[derive(Debug, Clone, Copy)]
enum Order {
    Breadth,
    Depth,
    Random,
}

const ORDERS: [Order; 3] = [Order::Breadth, Order::Depth, Order::Random];

/// A site and a crawl of it.
#[derive(Debug, Clone, Copy)]
struct Case {
    trap: Trap,
    order: Order,
    /// Pages that are no trap.
    real: u32,
    /// Links of a page that lead into the trap.
    links: u32,
    /// Whether what is new is a number that grows, or drawn.
    counts: bool,
    seed: u64,
}

/// What a crawl came to.
#[derive(Debug)]
struct Crawled {
    fetched: usize,
    lost: usize,
}

/// Crawls a site until nothing is left, or until it has fetched too much.
fn crawl(case: Case) -> Crawled {
    let site_by = SiteBy::Domain;
    let options = EngineOptions { background: false, site_by, ..EngineOptions::default() };
    let learner = Arc::new(AutoLearner::new(Config::default()));
    let live = Live::with_secret(options, Secret::of_seed(case.seed), learner);
    let mut server = Server::new(case);
    let mut random = ChaCha8Rng::seed_from_u64(case.seed);
    let mut queue = VecDeque::from(["http://a.test/page/0".to_owned()]);
    let mut queued: FxHashSet<String> = queue.iter().cloned().collect();
    let (mut fetched, mut found) = (0, FxHashSet::default());
    while let Some(url) = next(&mut queue, case.order, &mut random) {
        if !live.decide(&url).expect("a decision").fetches() {
            continue;
        }
        let Shown { page, mut links } = server.show(&url);
        links.shuffle(&mut random);
        queue.extend(links.into_iter().filter(|link| queued.insert(link.clone())));
        fetched += 1;
        found.insert(page.clone());
        live.saw(Response { url, status: 200, digest: Some(page), ..Response::default() })
            .expect("taken");
        if fetched > 4 * most_fetched(case) {
            break;
        }
    }
    let mut pages: Vec<String> = (0..case.real).map(|number| format!("page {number}")).collect();
    match case.trap {
        Trap::RelativeLinks | Trap::RelativeLinksAnywhere => {
            pages.extend((0..MANUAL).map(|number| format!("part-{number}")));
        }
        Trap::PastTheEnds => pages.extend((0..LISTS).flat_map(|list| {
            (1..=FULL).map(move |number| format!("http://a.test/list/{list} {number}"))
        })),
        _ => {}
    }
    let lost = pages.iter().filter(|page| !found.contains(*page)).count();
    Crawled { fetched, lost }
}

fn next(queue: &mut VecDeque<String>, order: Order, random: &mut ChaCha8Rng) -> Option<String> {
    match order {
        Order::Breadth => queue.pop_front(),
        Order::Depth => queue.pop_back(),
        Order::Random if queue.is_empty() => None,
        Order::Random => queue.swap_remove_back(random.random_range(0..queue.len())),
    }
}

/// Three fetches a page, and sixty for each trap of sessions. What is counted may be a calendar, in which one day in two
/// hundred is not empty: ten fetches a page, and nine hundred.
fn most_fetched(case: Case) -> usize {
    let traps = match case.trap {
        Trap::Hundred => 100,
        Trap::PastTheEnds => LISTS,
        Trap::AppendedArgument
        | Trap::SessionOnAllPages
        | Trap::SessionAsNameOfAll
        | Trap::SessionAsFolderOfAll
        | Trap::SessionInMiddleOfAll
        | Trap::SessionInFileOfAll => case.real,
        _ => 1,
    };
    let is_drawn = match case.trap {
        Trap::SessionOnOnePage
        | Trap::SessionAsName
        | Trap::SessionInFile
        | Trap::SessionAsFolder
        | Trap::SoftNotFoundBeside
        | Trap::SessionInHost => !case.counts,
        Trap::AppendedArgument
        | Trap::SessionOnAllPages
        | Trap::SessionAsNameOfAll
        | Trap::SessionAsFolderOfAll
        | Trap::SessionInMiddleOfAll
        | Trap::SessionInFileOfAll
        | Trap::Hundred => true,
        Trap::Calendar
        | Trap::PastTheEnd
        | Trap::PastTheEnds
        | Trap::Facets
        | Trap::SoftNotFound
        | Trap::RelativeLinks
        | Trap::RelativeLinksAnywhere => false,
    };
    let (of_page, of_trap) = match is_drawn {
        // Sessions that are counted look like a calendar of each page, and three pages say little of it.
        true if case.counts && matches!(case.trap, Trap::SessionAsNameOfAll) => (3, 270),
        true if case.counts && case.real <= 3 => (3, 130),
        true => (3, 60),
        // Dead links lead to deeper ones, and each depth is of its own. A list had other pages before its end.
        false if matches!(case.trap, Trap::PastTheEnds) => (10, 90),
        // The pages of the manual under all orders of the names of its folders.
        false if matches!(case.trap, Trap::RelativeLinks) => (3, 60 * MANUAL),
        false if matches!(case.trap, Trap::RelativeLinksAnywhere) => (3, 750 * MANUAL),
        false if matches!(case.trap, Trap::SoftNotFound | Trap::PastTheEnd) => (10, 1300),
        false => (10, 900),
    };
    (of_page * case.real + of_trap * traps) as usize
}

fn cases() -> Vec<Case> {
    let sizes = [(3, 1), (28, 1), (28, 12), (120, 3), (400, 28)];
    let all = TRAPS.into_iter().flat_map(|trap| ORDERS.map(|order| (trap, order)));
    let all = all.flat_map(|(trap, order)| sizes.map(|(real, links)| (trap, order, real, links)));
    let case = |((trap, order, real, links), seed): ((Trap, Order, u32, u32), u64)| Case {
        trap,
        order,
        real,
        links,
        counts: seed % 2 == 0,
        seed,
    };
    all.zip(0..).map(case).collect()
}

/// Whatever is endless, and whichever URL is next: the crawl ends, and what it loses is within the
/// risk of all the sites together.
#[test]
fn a_crawl_leaves_every_trap() {
    let crawled: Vec<(Case, Crawled)> =
        cases().into_iter().map(|case| (case, crawl(case))).collect();
    let stuck: Vec<_> =
        crawled.iter().filter(|(case, crawled)| crawled.fetched > most_fetched(*case)).collect();
    assert!(stuck.is_empty(), "{} of {}: {stuck:#?}", stuck.len(), crawled.len());
    let lost: usize = crawled.iter().map(|(_, crawled)| crawled.lost).sum();
    let pages: u32 = crawled.iter().map(|(case, _)| case.real).sum();
    assert!(
        lost as f64 <= EngineOptions::default().risk * f64::from(pages),
        "{lost} of {pages}: {crawled:#?}"
    );
}
