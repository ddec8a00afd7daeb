//! The groups that a report is of: first the traps, then the patterns of all other URLs.

use crate::cause::{Cause, cause};
use crate::label::Label;
use crate::pattern::{Names, Pattern, patterns};
use crate::requests::{Requested, Requests};
use crate::rule::{Query, Rule};
use crate::trap::View;

/// URLs of one pattern.
pub(crate) struct Group<'r> {
    pub pattern: String,
    pub urls: Vec<&'r Requested>,
    pub cause: Option<Cause>,
    /// What meets them, if it can be said in a rule.
    pub rule: Option<Rule<'r>>,
    /// Whether other URLs than these may be of the pattern.
    pub is_open: bool,
}

/// The groups, in no order. Each URL is in one.
pub(crate) fn groups<'r>(
    requests: &Requests,
    view: &mut View<'r>,
    with_host: bool,
) -> Vec<Group<'r>> {
    let traps = view.traps();
    let known = |urls: &[u32]| urls.iter().map(|url| view.known[*url as usize]).collect();
    let mut groups: Vec<Group<'r>> = Vec::with_capacity(traps.len());
    groups.extend(traps.into_iter().map(|trap| Group {
        pattern: trap.rule.describe(with_host),
        urls: known(&trap.urls),
        cause: Some(trap.cause),
        rule: Some(trap.rule),
        is_open: true,
    }));
    let rest = view.rest();
    let urls: Vec<&str> = rest.iter().map(|url| view.urls[*url as usize]).collect();
    for (pattern, places) in patterns(&urls) {
        let of_rest: Vec<u32> = places.iter().map(|place| rest[*place as usize]).collect();
        let urls: Vec<&Requested> = known(&of_rest);
        // A log tells of causes where URLs grow without an end, and nowhere else.
        let cause = requests.has_pages.then(|| cause(&pattern, &urls)).flatten();
        groups.push(Group {
            pattern: pattern.describe(with_host),
            rule: cause.as_ref().and_then(|cause| rule(&pattern, cause)),
            is_open: pattern.is_open(),
            urls,
            cause,
        });
    }
    groups
}

/// The rule for a pattern of a crawl: its path, with the argument that makes it grow. There is none for what no rule
/// can say, such as the order of arguments.
fn rule<'r>(pattern: &Pattern<'r>, cause: &Cause) -> Option<Rule<'r>> {
    let names = pattern.names.list();
    let named = names.iter().find(|name| ***name == *cause.argument);
    let query = match (cause.segment, named, &pattern.names) {
        (None, Some(name), _) => Query::Has { names: vec![name.clone()], least: 1 },
        (Some(_), _, Names::All(names)) if names.is_empty() => Query::None,
        (Some(_), _, Names::All(names)) => Query::Has { names: names[..1].to_vec(), least: 1 },
        _ => return None,
    };
    let goes_on = pattern.path.last() == Some(&Label::Rest);
    let path = pattern.path.iter().filter(|label| **label != Label::Rest);
    Some(Rule { path: Some(path.map(|label| vec![*label]).collect()), goes_on, query })
}
