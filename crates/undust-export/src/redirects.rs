//! The redirects that a crawl saw. Exported rules redirect, too: together they may lead in a circle.

use std::collections::{BTreeMap, BTreeSet};

use undust_pages::url_text::redirect_targets;

use undust_url::tokens::authority;

use crate::applied::Consumer;
use crate::regexes::piece::literal;
use crate::unsaid::Unsaid;

/// A URL of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawledUrl {
    /// As it was asked for.
    pub url: String,
    /// The status of its answer, if that is known.
    pub status: Option<u16>,
    /// Where it redirects to; none if it was answered, or if that is not known.
    pub location: Option<String>,
}

impl From<String> for CrawledUrl {
    fn from(url: String) -> Self {
        Self { url, status: None, location: None }
    }
}

/// What a crawl saw of its URLs.
#[derive(Debug, Default)]
pub(crate) struct Redirects {
    /// Those that redirect, each with the URL that it leads to.
    targets: BTreeMap<String, String>,
    /// Those that answered with status 200 themselves.
    answered: BTreeSet<String>,
}

impl Redirects {
    /// The first answer of a URL counts.
    pub(crate) fn of(urls: &[CrawledUrl]) -> Self {
        let mut first: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for crawled in urls {
            first.entry(&crawled.url).or_insert(crawled.location.as_deref());
        }
        let target = |location: &str| {
            let mut meant = redirect_targets(location);
            meant.find(|url| first.contains_key(&**url)).unwrap_or(location.into()).into_owned()
        };
        let redirects = first
            .iter()
            .filter_map(|(url, location)| Some(((*url).to_owned(), target((*location)?))));
        let answered = urls.iter().filter(|crawled| {
            crawled.status == Some(200) && first.get(&*crawled.url) == Some(&None)
        });
        let answered = answered.map(|crawled| crawled.url.clone()).collect();
        Self { targets: redirects.collect(), answered }
    }

    /// Whether a URL answered, as far as is known.
    pub(crate) fn may_answer(&self, url: &str) -> bool {
        self.answered.is_empty() || self.answered.contains(url)
    }

    /// By rule that sends clients from URLs which answered to others: how many others these are, and how many of them
    /// answered, too.
    pub(crate) fn answers(&self, consumer: &dyn Consumer) -> BTreeMap<usize, (u32, u32)> {
        let mut forms: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for url in &self.answered {
            if let Some(last) = consumer.apply(url).pop().filter(|last| last.url != *url) {
                forms.entry(last.rule).or_default().insert(last.url);
            }
        }
        let count = |forms: BTreeSet<String>| {
            let answered = forms.iter().filter(|form| self.answered.contains(*form)).count();
            (forms.len() as u32, answered as u32)
        };
        forms.into_iter().map(|(rule, forms)| (rule, count(forms))).collect()
    }

    /// The rule that sends a client which asks for this URL to one that redirects, and the kind of its path, as a regex:
    /// segments with a digit are any.
    pub(crate) fn sent_on(&self, consumer: &dyn Consumer, url: &str) -> Option<(usize, String)> {
        let last = consumer.apply(url).pop().filter(|last| self.targets.contains_key(&last.url))?;
        let path = &url[authority(url).end..];
        let segments = path.split('?').next().unwrap_or_default().split('/').map(|segment| {
            let is_any = segment.contains(|letter: char| letter.is_ascii_digit());
            if is_any { Some("[^/?]+".to_owned()) } else { literal(segment) }
        });
        Some((last.rule, segments.collect::<Option<Vec<_>>>()?.join("/")))
    }

    /// The last rule that has a part in sending a client which asks for this URL in a circle, or over more redirects
    /// than one, and why that is wrong. What the site does by itself is no rule's fault.
    pub(crate) fn blame(&self, consumer: &dyn Consumer, url: &str) -> Option<(usize, Unsaid)> {
        let (mut at, mut passed) = (url.to_owned(), vec![url.to_owned()]);
        let mut rule = None;
        while passed.len() <= MOST_HOPS {
            let steps = consumer.apply(&at);
            let next = match steps.into_iter().next_back() {
                Some(last) if last.url != at => {
                    rule = Some(last.rule);
                    last.url
                }
                _ => match self.targets.get(&at) {
                    Some(target) => target.clone(),
                    None => break,
                },
            };
            if passed.contains(&next) {
                return rule.map(|rule| (rule, Unsaid::Circle(url.to_owned())));
            }
            passed.push(next.clone());
            at = next;
        }
        // The URL itself was passed, too.
        rule.filter(|_| passed.len() > 2).map(|rule| (rule, Unsaid::Detour(url.to_owned())))
    }
}

/// Redirects that are followed to find a circle.
const MOST_HOPS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applied::Applied;

    /// Drops `?s`, by rule 7.
    struct Drops;

    impl Consumer for Drops {
        fn apply(&self, url: &str) -> Vec<Applied> {
            let dropped = url.strip_suffix("?s");
            dropped.map(|url| Applied { rule: 7, url: url.to_owned() }).into_iter().collect()
        }

        fn forget(&mut self, _: usize) {}

        fn numbers(&self) -> BTreeSet<usize> {
            [7].into()
        }
    }

    fn blamed(redirects: &[(&str, &str)], url: &str) -> Option<(usize, Unsaid)> {
        let of = |(url, location): &(&str, &str)| CrawledUrl {
            url: format!("http://a.test{url}"),
            status: Some(302),
            location: Some(format!("http://a.test{location}")),
        };
        let urls: Vec<CrawledUrl> = redirects.iter().map(of).collect();
        Redirects::of(&urls).blame(&Drops, &format!("http://a.test{url}"))
    }

    #[test]
    fn forms_answer_if_the_crawl_saw_them_do_so() {
        let page = |path: &str, status| CrawledUrl {
            url: format!("http://a.test{path}"),
            status: Some(status),
            location: None,
        };
        let urls = [
            page("/x?s", 200),
            page("/x", 200),
            page("/y?s", 200),
            page("/y", 404),
            page("/z?s", 200),
            page("/w?s", 404),
        ];
        let answers = Redirects::of(&urls).answers(&Drops);
        assert_eq!(answers, BTreeMap::from([(7, (3, 1))]));
    }

    #[test]
    fn a_rule_is_to_blame_for_circles_and_detours() {
        let circle = Some((7, Unsaid::Circle("http://a.test/x?s".into())));
        let detour = |url: &str| Some((7, Unsaid::Detour(format!("http://a.test{url}"))));
        assert_eq!(blamed(&[], "/x?s"), None);
        assert_eq!(blamed(&[("/x", "/x?s")], "/x?s"), circle);
        assert_eq!(blamed(&[("/x", "/y")], "/x?s"), detour("/x?s"));
        assert_eq!(blamed(&[("/y", "/x?s")], "/y"), detour("/y"));
        // The site's own.
        assert_eq!(blamed(&[("/x", "/y"), ("/y", "/z")], "/x"), None);
        assert_eq!(blamed(&[("/x", "/y"), ("/y", "/x")], "/x"), None);
    }

    /// As clients ask for it.
    #[test]
    fn a_redirect_may_be_written_otherwise() {
        let urls = [
            CrawledUrl {
                url: "http://a.test/x".into(),
                status: Some(302),
                location: Some("http://A.test:80/x?s#top".into()),
            },
            String::from("http://a.test/x?s").into(),
        ];
        let blame = Redirects::of(&urls).blame(&Drops, "http://a.test/x?s");
        assert!(matches!(blame, Some((7, Unsaid::Circle(_)))), "{blame:?}");
    }
}
