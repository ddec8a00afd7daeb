use undust_learn::config::Config;

use undust_util::op_counter::assert_linear;

use super::*;
use crate::engine::learning::{AutoLearner, Learn};

fn options() -> EngineOptions {
    EngineOptions { risk: 0.05, audits: 0.0, ..EngineOptions::default() }
}

fn site(options: EngineOptions) -> SiteEngine {
    SiteEngine::new(options, Secret::of_seed(17), Arc::new(AutoLearner::default().begin()))
}

fn page(digest: &str) -> ResponseOutcome {
    ResponseOutcome::Content {
        title: None,
        simhash: None,
        short_text: None,
        digest: Some(xxhash_rust::xxh3::xxh3_64(digest.as_bytes())),
    }
}

fn redirect(target: &str) -> ResponseOutcome {
    ResponseOutcome::Redirect(target.into())
}

/// Asks for a URL, and fetches it if that is what becomes of it; whether it was.
fn crawl(site: &mut SiteEngine, url: &str, digest: &str) -> bool {
    let fetches = site.decide_and_keep(url).fetches();
    if fetches {
        site.saw(url, page(digest));
    }
    fetches
}

/// Stories, each under a plain URL and under one with an argument that changes nothing.
fn stories(site: &mut SiteEngine, numbers: std::ops::Range<u32>) -> usize {
    let fetched =
        numbers.flat_map(|n| [format!("http://a.test/{n}"), format!("http://a.test/{n}?v={n}")]);
    let mut count = 0;
    for url in fetched {
        let digest = url.split('?').next().unwrap_or_default().to_owned();
        count += usize::from(crawl(site, &url, &digest));
    }
    count
}

#[test]
fn probes_prove_what_nobody_has_learned() {
    let mut site = site(options());
    let fetched = stories(&mut site, 0..80);
    assert!((81..130).contains(&fetched), "{fetched}");
    let Decision::Fetch = site.decide_and_keep("http://a.test/900") else { panic!("a new story") };
    site.saw("http://a.test/900", page("900"));
    let skip = site.decide_and_keep("http://a.test/900?v=7");
    let Decision::Skip { form, why, loss, .. } = skip else { panic!("{skip:?}") };
    assert_eq!((form.as_str(), why.as_str()), ("http://a.test/900", "drop ?v"));
    assert!(loss > 0.0 && loss <= MOST_LOSS);
    let stats = site.stats();
    assert!(stats.by_probes > 0 && stats.by_probes == stats.skipped && stats.probes > 0);
    assert!(stats.spent <= 0.05 * stats.distinct as f64);
}

#[test]
fn a_group_that_showed_two_pages_is_never_skipped() {
    let mut site = site(options());
    stories(&mut site, 0..80);
    for (url, digest) in [("http://a.test/900", "one"), ("http://a.test/900?v=1", "other")] {
        site.saw(url, page(digest));
    }
    assert!((2..40).all(|v| crawl(&mut site, &format!("http://a.test/900?v={v}"), "one")));
}

#[test]
fn what_is_in_flight_proves_nothing() {
    let mut site = site(options());
    stories(&mut site, 0..80);
    assert!(site.decide_and_keep("http://a.test/900").fetches());
    assert_eq!(site.decide_and_keep("http://a.test/900?v=1"), Decision::Fetch);
    assert_eq!(site.stats().pending, 2);
    site.saw("http://a.test/900", ResponseOutcome::Dropped(undust_pages::pages::DropReason::NotOk));
    assert!(site.decide_and_keep("http://a.test/900?v=2").fetches());
}

#[test]
fn the_budget_ends_skips() {
    let mut site = site(EngineOptions { risk: 0.0, ..options() });
    assert_eq!(stories(&mut site, 0..80), 160);
    let mut site = super::tests::site(EngineOptions { budget: false, risk: 0.0, ..options() });
    assert!(stories(&mut site, 0..80) < 130);
}

#[test]
fn audits_measure_and_switch_off() {
    let mut site = site(EngineOptions { audits: 0.3, ..options() });
    stories(&mut site, 0..200);
    let audits = site.stats().audits;
    assert!(audits.audited > 20 && audits.lost == 0 && audits.trials > audits.audited);
    // From now on the argument makes a page.
    let mut lost = 0;
    for n in 1000..1100 {
        let url = format!("http://a.test/{n}");
        crawl(&mut site, &url, &url);
        let other = format!("{url}?v={n}");
        lost += usize::from(!crawl(&mut site, &other, &other));
    }
    let stats = site.stats();
    assert!(stats.audits.lost > 0 && stats.switched_off > 0 && lost < 20, "{lost} {stats:?}");
    assert!(stats.lost_share_bound < 1.0);
}

/// URLs of stories with an argument that changes nothing, none of which was fetched.
fn others(numbers: std::ops::Range<u32>) -> impl Iterator<Item = String> {
    numbers.flat_map(|n| (0..40).map(move |v| format!("http://a.test/{n}?v=x{v}")))
}

/// How many of these are drawn for an audit, of those that could be.
fn audited(site: &mut SiteEngine, urls: &[String]) -> (u64, u64) {
    let before = site.stats().audits.trials;
    let is_audit = |decision: &Decision| matches!(decision, Decision::Probe { hypothesis } if hypothesis.starts_with("audit: "));
    let drawn = urls.iter().filter(|url| is_audit(&site.decide_and_keep(url))).count() as u64;
    (drawn, site.stats().audits.trials - before)
}

/// Whether `drawn` of `trials` are as if drawn with this probability: within five deviations.
fn is_drawn_at(share: f64, (drawn, trials): (u64, u64)) -> bool {
    let (expected, trials) = (share * trials as f64, trials as f64);
    (drawn as f64 - expected).abs() < 5.0 * (trials * share * (1.0 - share)).sqrt()
}

/// An author who links URLs alone that are never audited by a seed that he knows, or by the hash that
/// drew them once, or that he saw skipped in an earlier crawl, is audited like all others.
#[test]
fn no_author_foresees_the_audits() {
    const SHARE: f64 = 0.1;
    let options = EngineOptions { audits: SHARE, budget: false, ..options() };
    let secret = Secret::drawn().expect("random numbers");
    let mut site = SiteEngine::new(options, secret, Arc::new(AutoLearner::default().begin()));
    stories(&mut site, 0..80);
    let known = [17, 1].map(Secret::of_seed);
    let is_never_drawn = |url: &String| {
        let once = xxhash_rust::xxh3::xxh3_64_with_seed(url.as_bytes(), 17);
        (once as f64) >= SHARE * u64::MAX as f64
            && known.iter().all(|known| known.draw("audit", 1, url) >= SHARE)
    };
    let urls: Vec<String> = others(0..80).filter(is_never_drawn).collect();
    let first = audited(&mut site, &urls);
    assert!(first.1 > 1000 && is_drawn_at(SHARE, first), "{first:?}");
    let was_skipped = |url: &&String| site.secret.draw("audit", 1, url) >= SHARE;
    let skipped: Vec<String> = urls.iter().filter(was_skipped).cloned().collect();
    site.begin_crawl();
    stories(&mut site, 0..80);
    let second = audited(&mut site, &skipped);
    assert!(second.1 > 1200 && is_drawn_at(SHARE, second), "{second:?}");
}

#[test]
fn redirects_are_followed_in_any_order() {
    let mut site = site(options());
    site.saw("http://a.test/a", redirect("http://a.test/b#top"));
    site.saw("http://a.test/b", redirect("http://A.test:80/c"));
    site.saw("http://a.test/x", redirect("http://a.test/y"));
    site.saw("http://a.test/y", redirect("http://a.test/x"));
    assert_eq!((site.stats().fetched, site.stats().pending), (0, 4));
    site.saw("http://a.test/c", page("c"));
    site.saw("http://a.test/late", redirect("http://a.test/a"));
    let stats = site.stats();
    assert_eq!((stats.fetched, stats.distinct, stats.pending), (4, 1, 2));
}

#[test]
fn the_first_answer_of_a_crawl_counts() {
    let mut site = site(options());
    site.saw("http://a.test/a", page("one"));
    site.saw("http://a.test/a", page("other"));
    assert_eq!((site.stats().fetched, site.stats().distinct), (1, 1));
    assert!(!site.decide_and_keep("http://a.test/a").fetches());
    site.begin_crawl();
    assert!(crawl(&mut site, "http://a.test/a", "changed"));
    assert_eq!(site.stats().fetched, 2);
}

/// What is known of forms stays, but every page is to be found again.
#[test]
fn a_later_crawl_begins_with_what_is_known() {
    let mut site = site(options());
    stories(&mut site, 0..80);
    site.begin_crawl();
    // All pages have changed.
    let mut fetched = 0;
    for n in 0..80 {
        for url in [format!("http://a.test/{n}"), format!("http://a.test/{n}?v={n}")] {
            fetched += usize::from(crawl(&mut site, &url, &format!("new {n}")));
        }
    }
    assert!((80..100).contains(&fetched), "{fetched}");
}

#[test]
fn nothing_is_learned_from_a_ban() {
    let mut site = site(EngineOptions { first_learning: 150, ..options() });
    let url = |n: u32| format!("http://a.test/{}/{n}", ["story", "user", "tag"][n as usize % 3]);
    for n in 0..100 {
        crawl(&mut site, &url(n), &n.to_string());
    }
    for n in 100..200 {
        crawl(&mut site, &url(n), "go away");
    }
    let stats = site.stats();
    assert!(stats.banned && stats.ignored == 100, "{stats:?}");
    assert!(!site.is_learning_due());
    assert_eq!((stats.fetched, stats.distinct), (100, 100));
    for n in 200..300 {
        assert!(crawl(&mut site, &url(n), &n.to_string()), "{n}");
    }
    assert!(!site.stats().banned && site.is_learning_due());
    // What the ban hid is fetched again.
    assert!(site.decide_and_keep(&url(150)).fetches());
}

/// A ban that another crawl begins in takes back pages of that before, which count in it no more.
#[test]
fn a_ban_over_two_crawls_takes_nothing_from_the_second() {
    for before in 1..64 {
        let mut site = site(options());
        let url =
            |n: u32| format!("http://a.test/{}/{n}", ["story", "user", "tag"][n as usize % 3]);
        for n in 0..100 {
            crawl(&mut site, &url(n), &n.to_string());
        }
        for n in 100..100 + before {
            crawl(&mut site, &url(n), "go away");
        }
        site.begin_crawl();
        for n in 200..264 {
            crawl(&mut site, &url(n), "go away");
        }
        let stats = site.stats();
        assert!(stats.banned && stats.distinct <= 1, "{before}: {stats:?}");
    }
}

/// What audits proved in one crawl is not for the next to pay.
#[test]
fn audits_of_an_earlier_crawl_spend_nothing() {
    let mut site = site(EngineOptions { audits: 0.1, ..options() });
    site.stats.audits = Audits { trials: 400, audited: 40, lost: 20 };
    site.begin_crawl();
    site.stats.audits.trials += 1;
    site.finish(Some(Pending::Audit(1)), false);
    assert_eq!(site.proven, 0.0);
}

/// A folder that answers with one page and does not, again and again, says nothing of the others,
/// keeps nobody from learning of them, and costs what other pages do.
#[test]
fn a_folder_that_toggles_a_ban_harms_nobody() {
    let toggled = |pages: u32| {
        let mut site = site(EngineOptions { first_learning: 150, ..options() });
        let mut bans = 0;
        for n in 0..pages {
            let kind = ["", "a/", "a/b/"][n as usize % 3];
            let is_ban = n % 160 >= 80;
            let shown = if is_ban { format!("ban {}", n / 160) } else { format!("alice {n}") };
            let was_banned = site.stats().banned;
            crawl(&mut site, &format!("http://a.test/alice/{kind}{n}"), &shown);
            bans += u32::from(!was_banned && site.stats().banned);
            if n % 4 == 0 {
                crawl(&mut site, &format!("http://a.test/bob/{n}"), &format!("bob {n}"));
            }
        }
        (site, bans)
    };
    assert_linear(1000, "a ban that comes and goes", |pages| toggled(pages as u32).1);
    let (mut site, bans) = toggled(2000);
    assert!(bans >= 10 && site.stats().ignored > 700, "{bans} {:?}", site.stats());
    assert!(site.is_learning_due());
    // Nothing of a ban is left in what is believed.
    let told = |site: &mut SiteEngine| {
        let url = "http://a.test/alice/a/99?v=1";
        site.explain(url).1.iter().map(|form| form.fetched).max()
    };
    assert_eq!(told(&mut site), Some(0));
}

/// What is taken back is as if it had not come.
#[test]
fn a_page_that_is_taken_back_leaves_nothing() {
    let believed = |site: &mut SiteEngine| {
        let urls = (0..80)
            .flat_map(|n| [format!("http://a.test/{n}?v=9"), format!("http://a.test/x/{n}?v=9")]);
        urls.map(|url| site.explain(&url)).collect::<Vec<_>>()
    };
    let mut site = site(options());
    stories(&mut site, 0..80);
    let before = believed(&mut site);
    let first = site.len() as u32;
    for n in 200..230 {
        site.saw(&format!("http://a.test/{n}?v=2"), page("go away"));
    }
    for number in (first..site.len() as u32).rev() {
        site.take_back(number);
    }
    let after = believed(&mut site);
    for (before, after) in before.iter().zip(&after) {
        let (forms, others) = (&before.1, &after.1);
        assert_eq!(forms.len(), others.len());
        for (form, other) in forms.iter().zip(others) {
            assert_eq!(
                (form.fetched, form.shows_two_pages),
                (other.fetched, other.shows_two_pages)
            );
            let losses = [form, other].map(|form| form.loss.unwrap_or_default());
            assert!((losses[0] - losses[1]).abs() < 1e-4, "{form:?} {other:?}");
        }
    }
}

#[test]
fn what_is_learned_is_believed_after_it_was_tested() {
    let learner = AutoLearner::new(Config::default());
    let mut site = site(EngineOptions { probes: false, first_learning: 150, ..options() });
    assert_eq!(stories(&mut site, 0..80), 160);
    assert!(site.is_learning_due());
    let learning = site.snapshot().learn(&learner, &()).expect("a model");
    site.install(learning);
    let fetched = stories(&mut site, 100..200);
    assert!((100..140).contains(&fetched), "{fetched}");
    assert!(site.stats().by_model > 60 && site.stats().by_probes == 0);
}
