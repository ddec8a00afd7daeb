//! URLs that no crawl has: others taken apart and put together anew. What a rule does to them, no crawl shows.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_url::tokens::authority;

/// Texts that are put into others.
const ODD: [&str; 40] = [
    "%7E",
    "%2F",
    "%41",
    "%C3%B6",
    "%3D",
    "%26",
    "%",
    "+",
    "%20",
    " ",
    "\t",
    "..",
    ".",
    "*",
    "~",
    "//",
    "\\",
    "ö",
    ";",
    "&",
    "=",
    "?",
    ":",
    ",",
    "-1",
    "_2",
    "1_",
    "1T2",
    "0",
    "12345",
    "A",
    "Ab",
    "(x)",
    "$1",
    "'",
    "{x}",
    ".html",
    "index.php",
    "@evil.test",
    ".evil.test",
];

/// Arguments that no site has.
const FOREIGN: [&str; 7] = ["undust_unknown=1", "utm_source=a", "x", "", "=", "=1", "a=/"];

/// A URL in parts.
#[derive(Debug, Clone)]
struct Parts {
    origin: String,
    segments: Vec<String>,
    arguments: Vec<String>,
    separator: &'static str,
}

impl Parts {
    fn of(url: &str) -> Option<Self> {
        let (origin, address) = url.split_at(authority(url).end);
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let segments = path.strip_prefix('/')?.split('/').map(str::to_owned).collect();
        let separator = if query.contains(';') && !query.contains('&') { ";" } else { "&" };
        let arguments = query.split(['&', ';']).filter(|argument| !argument.is_empty());
        let arguments = arguments.map(str::to_owned).collect();
        Some(Self { origin: origin.to_owned(), segments, arguments, separator })
    }

    fn url(&self) -> String {
        let mark = if self.arguments.is_empty() { "" } else { "?" };
        let (path, query) = (self.segments.join("/"), self.arguments.join(self.separator));
        format!("{}/{path}{mark}{query}", self.origin)
    }
}

/// `count` URLs made of these, always the same for a seed. Half are made of those that are `changed`, if there are any:
/// they have more that a rule asks for.
pub(crate) fn mutated(
    urls: &[String],
    is_changed: impl Fn(&str) -> bool,
    count: usize,
    seed: u64,
) -> Vec<String> {
    let all: Vec<Parts> = urls.iter().filter_map(|url| Parts::of(url)).collect();
    let changed = urls.iter().filter(|url| is_changed(url)).filter_map(|url| Parts::of(url));
    let changed: Vec<Parts> = changed.collect();
    let mut mutator = Mutator { all, changed, random: ChaCha8Rng::seed_from_u64(seed) };
    (0..count).filter_map(|_| mutator.url()).collect()
}

struct Mutator {
    all: Vec<Parts>,
    changed: Vec<Parts>,
    random: ChaCha8Rng,
}

impl Mutator {
    fn url(&mut self) -> Option<String> {
        let mut parts = self.any()?;
        for _ in 0..*[1, 1, 1, 2, 2, 3, 4].choose(&mut self.random)? {
            self.change(&mut parts);
        }
        Some(parts.url())
    }

    fn any(&mut self) -> Option<Parts> {
        let is_changed = !self.changed.is_empty() && self.random.random_range(0..2) == 0;
        let from = if is_changed { &self.changed } else { &self.all };
        from.choose(&mut self.random).cloned()
    }

    fn change(&mut self, parts: &mut Parts) {
        let Some(other) = self.any() else { return };
        match self.random.random_range(0..10) {
            0..3 => self.change_path(&mut parts.segments, other.segments),
            3..8 => self.change_query(&mut parts.arguments, &other),
            8 => {
                parts.separator = [";", "&", "&&"].choose(&mut self.random).copied().unwrap_or("&")
            }
            _ => {
                parts.origin = match self.random.random_range(0..5) {
                    0 => parts.origin.replacen("http:", "https:", 1),
                    1 => parts.origin.replacen("://", "://www.", 1),
                    2 => parts.origin.replacen("://", "://user@", 1),
                    3 => parts.origin.to_uppercase(),
                    _ => format!("{}:80", parts.origin),
                };
            }
        }
    }

    fn change_path(&mut self, segments: &mut Vec<String>, other: Vec<String>) {
        let place = self.random.random_range(0..segments.len());
        let one = other.choose(&mut self.random).cloned().unwrap_or_default();
        match self.random.random_range(0..7) {
            0 => segments.insert(place, one),
            1 if segments.len() > 1 => _ = segments.remove(place),
            2 => segments[place] = one,
            3 => *segments = other,
            4 => segments.push(String::new()),
            5 => segments[place] = self.random.random_range(0..30).to_string(),
            _ => segments[place] = self.respelled(&segments[place]),
        }
    }

    fn change_query(&mut self, arguments: &mut Vec<String>, other: &Parts) {
        let foreign = FOREIGN.choose(&mut self.random).map(|text| (*text).to_owned());
        let one = other.arguments.choose(&mut self.random).cloned().or(foreign.clone());
        let (one, foreign) = (one.unwrap_or_default(), foreign.unwrap_or_default());
        let place = self.random.random_range(0..=arguments.len());
        let Some(here) = arguments.get(place).cloned() else { return arguments.push(one) };
        let name = |argument: &str| argument.split('=').next().unwrap_or_default().to_owned();
        let value =
            |argument: &str| argument.split_once('=').map_or("", |parts| parts.1).to_owned();
        match self.random.random_range(0..11) {
            0 => arguments.insert(place, one),
            1 => _ = arguments.remove(place),
            2 => arguments.push(here),
            3 => arguments.shuffle(&mut self.random),
            4 => arguments[place] = format!("{}={}", name(&here), value(&one)),
            5 => arguments[place] = format!("{}={}", name(&one), value(&here)),
            6 => arguments[place] = name(&here),
            7 => arguments[place] = name(&here) + "=",
            8 => arguments.insert(place, foreign),
            9 => {
                let segment = other.segments.choose(&mut self.random).cloned().unwrap_or_default();
                arguments[place] = format!("{}={segment}", name(&here));
            }
            _ => arguments[place] = self.respelled(&here),
        }
    }

    /// With another text in it, or in other letters.
    fn respelled(&mut self, text: &str) -> String {
        match self.random.random_range(0..6) {
            0 => text.to_uppercase(),
            1 => text.to_lowercase(),
            _ => {
                let at = self.random.random_range(0..=text.chars().count());
                let (front, rest): (String, String) =
                    (text.chars().take(at).collect(), text.chars().skip(at).collect());
                let odd = ODD.choose(&mut self.random).copied().unwrap_or_default();
                format!("{front}{odd}{rest}")
            }
        }
    }
}
