//! Policies as files of the programs that site owners run.

mod anubis;
mod caddy;
mod cloudflare;
mod haproxy;
mod nginx;

use undust_util::plural::counted;

use super::{Policy, robots};
use crate::report::PatternReport;

/// A program that keeps to rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFormat {
    /// A `map` and limits.
    Nginx,
    /// Lines of robots.txt.
    Robots,
    /// Rules of the policy file of Anubis.
    Anubis,
    /// Matchers of a Caddyfile.
    Caddy,
    /// The expression of a custom rule of Cloudflare.
    Cloudflare,
    /// An `acl` and a stick table.
    Haproxy,
}

/// Rules for the patterns that have a policy. With several hosts the host is a part of each, except in robots.txt,
/// which is of one host. nginx, HAProxy and Caddy know robots by their names; Anubis and Cloudflare challenge everybody.
pub fn rules(format: RuleFormat, patterns: &[&PatternReport], with_host: bool) -> String {
    if format == RuleFormat::Robots {
        return robots::lines(patterns);
    }
    let rules: Vec<Row<'_>> = (patterns.iter())
        .filter_map(|pattern| Some((*pattern, pattern.policy.as_ref()?)))
        .enumerate()
        .map(|(number, (pattern, policy))| Row {
            number: number + 1,
            comment: comment(pattern),
            policy,
        })
        .collect();
    let nothing = if rules.is_empty() { NOTHING } else { "" };
    // A server that has lines of its own about them needs the names of nginx's variables, also without a pattern.
    if rules.is_empty() && format != RuleFormat::Nginx {
        return format!("{HEAD}{nothing}");
    }
    let body = match format {
        RuleFormat::Nginx | RuleFormat::Robots => nginx::rules(&rules, with_host),
        RuleFormat::Anubis => anubis::rules(&rules, with_host),
        RuleFormat::Caddy => caddy::rules(&rules, with_host),
        RuleFormat::Cloudflare => cloudflare::rules(&rules, with_host),
        RuleFormat::Haproxy => haproxy::rules(&rules, with_host),
    };
    format!("{HEAD}{nothing}{body}")
}

pub(super) const NOTHING: &str =
    "# There is no rule: nothing grows without an end here, or no rule for it is narrow enough.\n";

/// A policy with what is said of it.
struct Row<'p> {
    number: usize,
    comment: String,
    policy: &'p Policy,
}

const HEAD: &str = "\
# Request budgets of `undust shapes`. This is a policy: it does not say that the URLs of a pattern show one page.
";

/// The pattern, its counts, and the people that its rule would have met, on one line.
pub(super) fn comment(pattern: &PatternReport) -> String {
    let counts =
        format!("{}, {}", counted(pattern.urls, "URL"), counted(pattern.requests, "request"));
    let name =
        pattern.pattern.replace(|letter: char| letter.is_control() || letter.is_whitespace(), "?");
    let met = pattern.policy.as_ref().zip(pattern.people);
    let people = met.map_or_else(String::new, |(policy, _)| {
        format!("; by browsers {}, {} of them came back", policy.met.browsers, policy.met.returned)
    });
    format!("{counts}{people}: {name}")
}
