//! A limit on the requests for the URLs of a trap: a policy of the site, which says nothing of pages.

mod formats;
mod robots;

use regex::RegexSet;
use rustc_hash::FxHashSet;
use serde::Serialize;

use undust_url::tokens::authority;

use crate::growth::{Growth, Says, returned};
use crate::requests::Requested;
use crate::rule::{Query, Rule};
pub(crate) use robots::is_allowed;

pub use formats::{RuleFormat, rules};

/// A rule meets at most one in this many of the URLs that it is not for: several rules may meet 1 % together.
const ONE_OTHER_OF: usize = 200;

/// How the URLs of a pattern are named in rules of a server and of robots.txt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// A regular expression for the path and the query; with several hosts, for the host before them. It is anchored,
    /// and means the same to nginx, HAProxy, Caddy, Anubis and Cloudflare.
    pub regex: String,
    /// Paths of robots.txt, as RFC 9309 has them. Such a path is wider than the expression: a star matches any text.
    /// There is none where it would meet what it is not for.
    pub robots: Vec<String>,
    /// What the expression would have met in the input.
    pub met: Met,
    /// An expression for the path alone, whole and without escapes, and the names of which the query has at least so many. They serve
    /// programs that read the query by themselves.
    #[serde(skip)]
    pub(crate) path: String,
    #[serde(skip)]
    pub(crate) names: Vec<String>,
    #[serde(skip)]
    pub(crate) least: usize,
}

/// What a rule would have met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Met {
    /// Requests.
    pub requests: u64,
    /// Requests by what calls itself a browser. In an input that does not say who asked it is 0.
    pub browsers: u64,
    /// Requests by browsers for URLs to which browsers came back: these are people. In an input that does not say who
    /// asked, requests for URLs that were asked for twice.
    pub returned: u64,
    /// URLs of other patterns.
    pub other_urls: u64,
}

/// The policies for groups, each the place of its URLs and a rule; none for a rule that meets too much else. `known`
/// are all URLs. Linear in their length.
pub(crate) fn policies(
    rules: &[(&[&Requested], &Rule<'_>)],
    known: &[&Requested],
    with_host: bool,
    says: Says,
) -> Vec<Option<Policy>> {
    let mut policies: Vec<Policy> = rules.iter().map(|(_, rule)| policy(rule, with_host)).collect();
    let Ok(set) = RegexSet::new(policies.iter().map(|policy| &policy.regex)) else {
        return vec![None; policies.len()];
    };
    let own: Vec<FxHashSet<&str>> =
        rules.iter().map(|(urls, _)| urls.iter().map(|known| &*known.url).collect()).collect();
    let mut others = vec![[Vec::new(), Vec::new()]; policies.len()];
    for &known in known {
        let target = target(&known.url, with_host);
        let path = &target[target.find('/').unwrap_or(0)..];
        let is_other = |number: usize| !own[number].contains(&*known.url);
        let matches = set.matches(&target);
        for met in &matches {
            policies[met].met.count(known, says.has_agents);
            others[met][0].extend(is_other(met).then_some(known));
        }
        for (number, policy) in policies.iter().enumerate() {
            if is_other(number) && !matches.matched(number) && !is_allowed(&policy.robots, path) {
                others[number][1].push(known);
            }
        }
    }
    let is_few = |number: usize, others: &[&Requested]| {
        others.len() * ONE_OTHER_OF <= known.len() - rules[number].0.len()
    };
    // What the expression meets elsewhere, or the line with the same arguments, is of the same trap if it is walked
    // through, too.
    let is_walked = |others: &[&Requested]| Growth::of(others.iter().copied(), says).is_walked();
    // Nor may it close what people ask for among its own URLs. What other rules are for does not count as the site.
    let rest = known.len() - rules.iter().map(|(urls, _)| urls.len()).sum::<usize>();
    let is_free_of_people = |number: usize| {
        let urls = rules[number].0.iter().copied();
        let people = Growth::of(urls, says).urls_of_people() as usize;
        people * ONE_OTHER_OF <= rest + people
    };
    let is_named = |number: usize| matches!(rules[number].1.query, Query::Has { .. });
    (policies.into_iter().zip(others).enumerate())
        .map(|(number, (mut policy, [by_regex, by_robots]))| {
            policy.met.other_urls = by_regex.len() as u64;
            if !(is_few(number, &by_robots) || is_named(number) && is_walked(&by_robots)) {
                policy.robots.clear();
            }
            let is_narrow = is_few(number, &by_regex) || is_walked(&by_regex);
            (is_narrow && is_free_of_people(number)).then_some(policy)
        })
        .collect()
}

impl Policy {
    /// Each URL that was counted stands for `scale`.
    pub(crate) fn scaled(mut self, scale: u64) -> Self {
        let Met { requests, browsers, returned, other_urls } = &mut self.met;
        [requests, browsers, returned, other_urls].into_iter().for_each(|count| *count *= scale);
        self
    }
}

fn policy(rule: &Rule<'_>, with_host: bool) -> Policy {
    let (names, least) = match &rule.query {
        Query::Has { names, least } => (names.iter().map(ToString::to_string).collect(), *least),
        Query::Any | Query::None => (Vec::new(), 0),
    };
    Policy {
        regex: rule.regex(with_host),
        robots: rule.robots(),
        met: Met::default(),
        path: rule.whole_path_regex(with_host),
        names,
        least,
    }
}

impl Met {
    /// Counts a URL.
    fn count(&mut self, known: &Requested, has_agents: bool) {
        self.requests += u64::from(known.requests);
        self.browsers += if has_agents { known.by_browsers() } else { 0 };
        self.returned += returned(known, has_agents);
    }
}

/// The path and the query of a URL as a server gets them; with several hosts, the host before them.
pub(crate) fn target(url: &str, with_host: bool) -> String {
    let host = authority(url);
    let path = &url[host.end..];
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{}{slash}{path}", if with_host { &url[host] } else { "" })
}

#[cfg(test)]
mod tests;
