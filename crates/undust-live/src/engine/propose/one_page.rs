//! Kinds of URLs that may show one page, whatever they are.

use undust_url::query::{arguments, path_and_query};

use super::drawn::named;
use super::kind::MOST_ARGUMENTS;
use super::{Kind, Proposals, Propose};

/// Segments of a path, and names in a query, that tell kinds apart: where either grows without end,
/// all longer ones are alike.
const MOST_PARTS: usize = 3;

/// Proposes that all URLs of a kind show one page: endless calendars that are empty, paths that do
/// not exist, sessions of one page. The kinds of a URL are what has as many segments in its folder, with any
/// query or none, and what has the same names, too. No other folder has a say, and no other depth: the page above
/// a hundred empty lists links the others.
#[derive(Debug, Clone, Copy, Default)]
pub struct OnePage;

impl Propose for OnePage {
    fn propose(&self, url: &str, proposals: &mut Proposals) {
        let Some((folder, rest)) = folder(url) else { return };
        let (path, query) = path_and_query(rest);
        let segments = path.split('/').skip(1).count();
        let names = names(query);
        let last = rest.rsplit(['/', '=']).next().unwrap_or_default();
        let any_names = (!names.is_empty()).then(|| pattern(segments, &[]) + "?*");
        let these_names = (!rest.is_empty()).then(|| pattern(segments, &names));
        for kind in any_names.into_iter().chain(these_names) {
            let form = format!("{folder}{kind}");
            let pooled = Kind::of_folder(&form);
            proposals.leaves_out(last);
            proposals.add(&[&form], &["one page: ", &form], &pooled, "one page of a kind");
        }
    }
}

/// A URL up to its first segment, and what follows.
fn folder(url: &str) -> Option<(&str, &str)> {
    let (path, _) = path_and_query(url);
    let first = path.strip_prefix('/')?;
    let end = first.find('/').unwrap_or(first.len());
    let start = url.find("://").map_or(0, |scheme| scheme + 3);
    let start = start + url.get(start..)?.find('/')?;
    url.split_at_checked(start + 1 + end)
}

/// The names of a query, in order.
fn names(query: &str) -> Vec<&str> {
    if query.is_empty() {
        return Vec::new();
    }
    let names = arguments(query).take(MOST_ARGUMENTS).map(|argument| named(argument.key()));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// So many segments and these names.
fn pattern(segments: usize, names: &[&str]) -> String {
    let mut pattern = "/*".repeat(segments.min(MOST_PARTS));
    if segments > MOST_PARTS {
        pattern.push_str("/**");
    }
    for (number, name) in names.iter().take(MOST_PARTS).enumerate() {
        pattern.push(if number == 0 { '?' } else { '&' });
        if names.len() <= MOST_PARTS {
            pattern.push_str(name);
            pattern.push('=');
        }
        pattern.push('*');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn forms(url: &str) -> Vec<String> {
        let mut proposals = Proposals::default();
        OnePage.propose(url, &mut proposals);
        proposals.iter().map(|proposal| proposals.form(proposal).to_owned()).collect()
    }

    #[test]
    fn kinds_keep_the_folder() {
        let day = ["http://a.test/calendar/*?*", "http://a.test/calendar/*?by=*&d=*"];
        assert_eq!(forms("http://a.test/calendar/?d=7&by=day"), day);
        assert_eq!(forms("http://a.test/about?sid=7")[0], "http://a.test/about?*");
        assert_eq!(forms("http://a.test/x/1/2/3/4/5"), forms("http://a.test/x/7/8/9/10/11/12"));
        assert_eq!(forms("http://a.test/x?a&b&c&d"), forms("http://a.test/x?a&b&c&e=7&f=8"));
        assert_eq!(forms("http://a.test/x/1/2"), ["http://a.test/x/*/*"]);
        assert_ne!(forms("http://a.test/x/1/2"), forms("http://a.test/x/1/2/3"));
        assert_ne!(forms("http://a.test/alice/7")[0], forms("http://a.test/bob/7")[0]);
        assert!(forms("http://a.test/about").is_empty() && forms("").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(url in "\\PC*|http://x/[a/?&;=#é1]{0,30}") {
            prop_assert!(forms(&url).len() <= 2);
        }
    }
}
