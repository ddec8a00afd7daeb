//! Whether traps of any kind are named and met, and sites without a trap are left alone.

use std::collections::HashSet;

use undust_pages::Response;

use super::sites::{Log, Random, SITES};
use super::traps::TRAPS;
use crate::{Requests, ShapesReport};

fn report(requests: &[Response]) -> ShapesReport {
    let mut counted = Requests::default();
    requests.iter().for_each(|request| counted.push(request));
    ShapesReport::of(&counted, None)
}

/// What may be missing from a log: nothing, agents, sizes, times, or all but two days.
fn spoil(requests: &mut Vec<Response>, how: usize) {
    match how {
        1 => requests.iter_mut().for_each(|one| one.agent = None),
        2 => requests.iter_mut().for_each(|one| one.length = None),
        3 => {
            requests.iter_mut().for_each(|one| one.time = None);
            requests.sort_by(|a, b| a.url.cmp(&b.url));
        }
        4 => requests.retain(|one| one.time.as_deref().is_some_and(|time| time < "2031-05-03")),
        _ => {}
    }
}

/// How many of some URLs the rules meet, by the expressions and by the lines of robots.txt.
fn met(report: &ShapesReport, urls: &HashSet<String>) -> [usize; 2] {
    let policies = || report.growing().filter_map(|pattern| pattern.policy.as_ref());
    let regexes: Vec<regex::Regex> =
        policies().map(|policy| regex::Regex::new(&policy.regex).expect("an expression")).collect();
    let by_regex = |url: &&String| regexes.iter().any(|regex| regex.is_match(url));
    let by_robots =
        |url: &&String| policies().any(|policy| !crate::policy::is_allowed(&policy.robots, url));
    [urls.iter().filter(by_regex).count(), urls.iter().filter(by_robots).count()]
}

fn summary(report: &ShapesReport) -> String {
    let rows = report.patterns.iter().take(4).map(|one| {
        format!(
            "{} {} {:?} {:?}",
            one.pattern,
            one.urls,
            one.cause,
            one.policy.as_ref().map(|p| (&p.regex, &p.robots))
        )
    });
    rows.collect::<Vec<_>>().join("\n      ")
}

#[test]
fn a_site_without_a_trap_has_no_rule() {
    let mut faults = Vec::new();
    for seed in 0..160 {
        let mut random = Random(seed);
        let pages = SITES[seed as usize % SITES.len()](&mut random);
        let robots = random.below(4);
        let per_page = [0.2, 0.5, 1.0, 4.0, 12.0][random.below(5)];
        let mut log = Log::default();
        log.site(&mut random, &pages, robots, per_page);
        let spoilt = random.below(5);
        spoil(&mut log.requests, spoilt);
        let report = report(&log.requests);
        let [regex, lines] = met(&report, &log.honest);
        if (regex + lines) * 100 > log.honest.len() {
            faults.push(format!("seed {seed}: {robots} robots, {per_page} a page, spoilt {spoilt}: {regex} and {lines} of {}\n      {}", log.honest.len(), summary(&report)));
        }
    }
    assert!(faults.is_empty(), "{} of 160\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_trap_is_named_and_met_and_nothing_else() {
    let mut faults = Vec::new();
    for seed in 0..240 {
        let mut random = Random(seed);
        let (kind, make) = TRAPS[seed as usize % TRAPS.len()];
        let trap = make(&mut random);
        let (robots, hidden) = (random.below(3), [0, 35, 60][random.below(3)]);
        let per_page = [0.5, 1.0, 4.0, 8.0][random.below(4)];
        let mut log = Log::default();
        log.site(&mut random, &trap.pages, robots, per_page);
        log.trap(&mut random, &trap.urls, hidden, trap.size);
        let report = report(&log.requests);
        let [regex, lines] = met(&report, &log.trap);
        let [other_regex, other_lines] = met(&report, &log.honest);
        let is_met = regex.min(lines) * 10 >= log.trap.len() * 9;
        let is_narrow = other_regex.max(other_lines) * 100 <= log.honest.len();
        let named: u64 = (report.patterns.iter())
            .filter(|one| {
                one.cause.as_ref().is_some_and(|cause| {
                    trap.causes.iter().any(|name| cause.argument.contains(&**name))
                })
            })
            .map(|one| one.urls)
            .sum();
        if !is_met || !is_narrow || named * 2 < log.trap.len() as u64 {
            faults.push(format!(
                "{kind}, seed {seed}: {robots} robots, {hidden} % hidden, {per_page} a page: met {regex} and {lines} of {}, others {other_regex} and {other_lines} of {}, named {named}\n      {}",
                log.trap.len(), log.honest.len(), summary(&report)
            ));
        }
    }
    assert!(faults.is_empty(), "{} of 240\n{}", faults.len(), faults.join("\n"));
}

/// The first pages of a list are read by people, and its last by nobody: no rule can tell them apart, so there is none.
#[test]
fn first_pages_of_lists_stay_open() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let pages: Vec<String> =
            (0..90).map(|n| format!("/list/{}?page={}", n / 3, 1 + n % 3)).collect();
        let beyond: Vec<String> =
            (0..3000).map(|n| format!("/list/{}?page={}", n % 30, 4 + n / 30)).collect();
        let mut log = Log::default();
        log.site(&mut random, &pages, 1, 6.0);
        log.trap(&mut random, &beyond, 0, None);
        let report = report(&log.requests);
        assert_eq!(met(&report, &log.honest), [0, 0], "seed {seed}: {}", summary(&report));
    }
}
