//! A made-up site that answers, and leads into a trap.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Case, Trap};

/// Pages of a list that are not empty.
pub(super) const FULL: u32 = 5;

/// Lists that have no end.
pub(super) const LISTS: u32 = 30;

/// Pages of a manual.
pub(super) const MANUAL: u32 = 4;

/// A page, and what it links.
pub(super) struct Shown {
    pub page: String,
    pub links: Vec<String>,
}

/// A site that answers.
pub(super) struct Server {
    case: Case,
    random: ChaCha8Rng,
    count: u32,
}

impl Server {
    /// That of a case, before anybody asked.
    pub(super) fn new(case: Case) -> Self {
        Self { case, random: ChaCha8Rng::seed_from_u64(case.seed), count: 0 }
    }

    /// Something that no link had.
    fn fresh(&mut self) -> String {
        self.count += 1;
        if self.case.counts {
            self.count.to_string()
        } else {
            format!("{:08x}", self.random.random::<u32>())
        }
    }

    pub(super) fn show(&mut self, url: &str) -> Shown {
        let path = url.split('?').next().unwrap_or_default();
        let name = url
            .split_once("?n=")
            .map_or(path, |(_, query)| query.split('&').next().unwrap_or_default());
        let number = path.contains("/page/").then(|| name.rsplit(['/', '-']).next()).flatten();
        let number = number.and_then(|number| number.parse().ok());
        match number {
            Some(number) if number < self.case.real => self.show_real(url, number),
            _ => self.show_trap(url),
        }
    }

    fn show_real(&mut self, url: &str, number: u32) -> Shown {
        let real = self.case.real;
        let below = (3 * number + 1..3 * number + 4).filter(move |other| *other < real);
        let again =
            if self.link_of_all().is_some() { self.case.links.saturating_sub(2) } else { 0 };
        let linked = below.chain([0]).chain(std::iter::repeat_n(number, again as usize));
        let mut links: Vec<String> = linked.map(|number| self.link(number)).collect();
        links.extend(self.entries());
        if matches!(self.case.trap, Trap::AppendedArgument) {
            let mark = if url.contains('?') { '&' } else { '?' };
            links.push(format!("{url}{mark}lang=en"));
        }
        Shown { page: format!("page {number}"), links }
    }

    /// A link to a page that is no trap.
    fn link(&mut self, number: u32) -> String {
        let number = number.to_string();
        match self.link_of_all() {
            Some(link) => link.replace("NEW", &self.fresh()).replace("NUMBER", &number),
            None => format!("http://a.test/page/{number}"),
        }
    }

    /// How all pages are linked under a new session, if they are.
    fn link_of_all(&self) -> Option<&'static str> {
        match self.case.trap {
            Trap::SessionOnAllPages => Some("http://a.test/page/NUMBER?sid=NEW"),
            Trap::SessionAsNameOfAll => Some("http://a.test/page/?n=NUMBER&NEW"),
            Trap::SessionAsFolderOfAll => Some("http://a.test/(S(NEW))/page/NUMBER"),
            Trap::SessionInMiddleOfAll => Some("http://a.test/page/NEW/NUMBER"),
            Trap::SessionInFileOfAll => Some("http://a.test/page/NEW-NUMBER"),
            _ => None,
        }
    }

    /// Links of any page that lead into the trap.
    fn entries(&mut self) -> Vec<String> {
        let link = match self.case.trap {
            Trap::SessionOnOnePage => "http://a.test/about?sid=NEW",
            Trap::SoftNotFoundBeside => "http://a.test/docs/NEW",
            Trap::SessionInHost => "http://NEW.a.test/about",
            Trap::SessionAsName => "http://a.test/about?NEW",
            Trap::SessionInFile => "http://a.test/about-NEW.html",
            Trap::SessionAsFolder => "http://a.test/(S(NEW))/about",
            Trap::Calendar => return vec!["http://a.test/calendar?day=0".to_owned()],
            Trap::PastTheEnd => return vec!["http://a.test/list?page=1".to_owned()],
            Trap::PastTheEnds => {
                return (0..LISTS).map(|list| format!("http://a.test/list/{list}")).collect();
            }
            Trap::Facets => return vec!["http://a.test/list?color=1".to_owned()],
            Trap::SoftNotFound => return vec!["http://a.test/docs/missing".to_owned()],
            Trap::RelativeLinks | Trap::RelativeLinksAnywhere => {
                return vec!["http://a.test/manual/part-0".to_owned()];
            }
            Trap::Hundred => return (0..100).map(|trap| self.entry(trap)).collect(),
            Trap::AppendedArgument
            | Trap::SessionOnAllPages
            | Trap::SessionAsNameOfAll
            | Trap::SessionAsFolderOfAll
            | Trap::SessionInMiddleOfAll
            | Trap::SessionInFileOfAll => return Vec::new(),
        };
        (0..self.case.links).map(|_| link.replace("NEW", &self.fresh())).collect()
    }

    /// One of a hundred.
    fn entry(&mut self, trap: u32) -> String {
        let fresh = self.fresh();
        match trap % 4 {
            0 => format!("http://a.test/about{trap}?sid={fresh}"),
            1 => format!("http://a.test/about{trap}/{fresh}"),
            2 => format!("http://{fresh}.a.test/about{trap}"),
            _ => format!("http://a.test/calendar{trap}?day={fresh}&view=month"),
        }
    }

    fn show_trap(&mut self, url: &str) -> Shown {
        let (mut links, mut page) = (self.entries(), trap_of(url).to_owned());
        match self.case.trap {
            Trap::Calendar | Trap::PastTheEnd => {
                let (list, number) = url.rsplit_once('=').unwrap_or((url, ""));
                let number: u32 = number.parse().unwrap_or_default();
                links.extend(
                    (1..=self.case.links).map(|after| format!("{list}={}", number + after)),
                );
                if list.ends_with("page") && number <= FULL {
                    page += &number.to_string();
                }
            }
            Trap::PastTheEnds => {
                let (list, number) = url.split_once("?page=").unwrap_or((url, "1"));
                let number: u32 = number.parse().unwrap_or_default();
                links.push(format!("{list}?page={}", number + 1));
                page = format!("{list} {}", number.min(FULL));
            }
            Trap::Facets => {
                links.extend(
                    (0..self.case.links)
                        .map(|facet| format!("{url}&facet{facet}={}", self.fresh())),
                );
            }
            Trap::RelativeLinks | Trap::RelativeLinksAnywhere => {
                let (folder, part) = url.rsplit_once('/').unwrap_or((url, ""));
                page = part.to_owned();
                let names: &[&str] = match self.case.trap {
                    Trap::RelativeLinks => &["manual"],
                    _ => &["manual", "guide", "api", "faq", "howto"],
                };
                links.extend((0..MANUAL).map(|part| {
                    let name = names[self.random.random_range(0..names.len())];
                    format!("{folder}/{name}/part-{part}")
                }));
            }
            Trap::SoftNotFound => {
                links.extend((0..self.case.links).map(|link| {
                    format!("{url}/{}", ["docs", "missing", "more"][link as usize % 3])
                }));
            }
            _ => {}
        }
        links.push("http://a.test/page/0".to_owned());
        Shown { page, links }
    }
}

/// Which trap a URL leads into: all of a trap is one page.
fn trap_of(url: &str) -> &str {
    let path = url.split(".test/").nth(1).unwrap_or_default();
    let about = path.split(['/', '?', '-']).find(|part| part.starts_with("about"));
    about.unwrap_or_else(|| path.split(['/', '?']).next().unwrap_or_default())
}
