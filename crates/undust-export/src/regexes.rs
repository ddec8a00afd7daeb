//! Accepted edits as regexes over the path and query of a URL: what servers and crawlers in Java apply.

mod change;
mod guard;
pub(crate) mod piece;
pub(crate) mod place;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use fancy_regex::Regex;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_url::tokens::authority;

pub(crate) use self::change::{Written, written};
use self::change::{bodies, names};
pub(crate) use self::guard::LONGEST_ADDRESS;
use self::guard::{Guard, guard};
use self::piece::{Words, is_simple_name, literal};
use self::place::{Place, Site};
use crate::applied::{Applied, Consumer};
use crate::unsaid::Unsaid;

/// Longest regex, in bytes: nginx takes no longer parameter than 4,096.
const LONGEST: usize = 3800;

/// One regex of a rule, and what is written for what it matches: by the shape of both a path again, for its first slash
/// is in no group and no other follows.
#[derive(Debug)]
pub(crate) struct Line {
    /// The origins of URLs that it may change.
    pub origins: Vec<String>,
    /// To be read from the beginning of the path on, without `^`.
    pub regex: String,
    pub written: Vec<Written>,
    /// A text without which it matches nothing.
    needle: String,
    /// All of the regex but what every rule asks first.
    compiled: Regex,
}

/// An edit as regexes; the first that matches is applied.
#[derive(Debug)]
pub(crate) struct RegexRule {
    /// The number of the edit, counted from 1.
    pub number: usize,
    pub lines: Vec<Line>,
}

/// Edits of a site that are to be said by regexes.
pub(crate) struct Translator<'s> {
    site: Site<'s>,
    editor: &'s Editor,
    origins: Origins<'s>,
    separator: &'static str,
    guard: Guard,
}

/// What separates arguments in regexes: either of two characters.
const SEPARATORS: &str = "&;";

/// The one of these that more URLs have. No value has either, so that a URL with the other one stays.
fn separator(urls: &[String]) -> &'static str {
    let with = |mark: char| urls.iter().filter(|url| url.contains(mark)).count();
    if with(';') > with('&') { ";" } else { "&" }
}

impl<'s> Translator<'s> {
    pub(crate) fn new(
        name: &'s str,
        editor: &'s Editor,
        conventions: &'s UrlConventions,
        urls: &[String],
    ) -> Self {
        let lexicon = editor.lexicon();
        let mut names: Vec<String> = conventions
            .argument_names()
            .filter(|name| is_simple_name(name))
            .filter_map(literal)
            .collect();
        names.sort_unstable();
        let words = Words::new(lexicon);
        let separator = separator(urls);
        let guard = Guard::new(&guard(&words, editor).replace(SEPARATORS, separator));
        let site = Site { words, names, known_values: editor.known_values() };
        Self { site, editor, origins: Origins { site: name, conventions }, separator, guard }
    }

    /// A chain of the rules of edits, each given by its number. Behind a rule come again those before it that may hold
    /// once it was applied.
    pub(crate) fn chain(
        &self,
        edits: &[(usize, Vec<Rc<RegexRule>>)],
        leads_to: impl Fn(usize, usize) -> bool,
    ) -> Chain {
        let mut chain = Chain { guard: self.guard.clone(), rules: Vec::new() };
        let mut room = edits.len() * (MOST_PLACES - 1);
        for (place, (number, rules)) in edits.iter().enumerate() {
            chain.rules.extend(rules.iter().cloned());
            for (earlier, rules) in &edits[..place] {
                if room > 0 && leads_to(*number, *earlier) {
                    room -= 1;
                    chain.rules.extend(rules.iter().cloned());
                }
            }
        }
        chain
    }

    /// The names of arguments that an edit asks for, as regexes.
    pub(crate) fn names(&self, edit: Option<&AcceptedEdit>) -> Vec<String> {
        edit.map_or(Vec::new(), |edit| names(&self.site.words, &edit.edit))
    }

    /// What is known of the site.
    pub(crate) fn site(&self) -> &Site<'s> {
        &self.site
    }

    /// The rule of an edit, for URLs that fulfil these lookaheads, too.
    ///
    /// # Errors
    ///
    /// What of it cannot be said.
    pub(crate) fn rule(
        &self,
        number: usize,
        edit: &AcceptedEdit,
        narrower: &str,
    ) -> Result<RegexRule, Unsaid> {
        let bodies = bodies(&self.site.words, self.editor.literals(), &edit.edit)?;
        let mut lines = Vec::new();
        for head in Place::of(&self.site, edit)?.heads()? {
            let origins = self.origins.of(head.origin.as_deref());
            for body in &bodies {
                let rest = format!("{narrower}{}{}", head.lookaheads, body.regex);
                let rest = rest.replace(SEPARATORS, self.separator);
                let regex = format!("{}{rest}", self.guard.text);
                if regex.len() > LONGEST {
                    return Err(Unsaid::TooLong(LONGEST));
                }
                let compiled =
                    Regex::new(&format!("^{rest}")).map_err(|_| Unsaid::TooLong(LONGEST))?;
                let (origins, written) = (origins.clone(), body.written.clone());
                let needle = body.needle.clone();
                lines.push(Line { origins, regex, written, needle, compiled });
            }
        }
        Ok(RegexRule { number, lines })
    }
}

/// How URLs of the site begin.
struct Origins<'s> {
    site: &'s str,
    conventions: &'s UrlConventions,
}

impl Origins<'_> {
    /// The origins that the site writes as this one; without one, all of its name and its `www.` twin.
    fn of(&self, origin: Option<&str>) -> Vec<String> {
        let host =
            origin.and_then(|origin| origin.split_once("://")).map_or(self.site, |parts| parts.1);
        let bare = host.strip_prefix("www.").unwrap_or(host);
        let mut all: Vec<String> = ["http", "https"]
            .into_iter()
            .flat_map(|scheme| [format!("{scheme}://{bare}"), format!("{scheme}://www.{bare}")])
            .collect();
        if let Some(origin) = origin {
            let wanted = format!("{origin}/");
            all.retain(|one| *self.conventions.normalize(&format!("{one}/")).url == *wanted);
        }
        all
    }
}

/// Regexes one after another, each applied once: a chain of maps in nginx, a list of rules in Java. A rule may be in it
/// more than once.
#[derive(Debug)]
pub(crate) struct Chain {
    guard: Guard,
    pub rules: Vec<Rc<RegexRule>>,
}

impl RegexRule {
    /// Each of its regexes as a rule of its own.
    pub(crate) fn by_line(self) -> impl Iterator<Item = Self> {
        let Self { number, lines } = self;
        lines.into_iter().map(move |line| Self { number, lines: vec![line] })
    }

    /// What it makes of the path and query of a URL of this origin, if rules are for such an address.
    fn apply(&self, origin: &str, address: &str) -> Option<String> {
        let of_origin = |line: &&Line| {
            address.contains(&line.needle) && line.origins.iter().any(|one| one == origin)
        };
        self.lines.iter().filter(of_origin).find_map(|line| {
            // A regex that gives up changes nothing here; its consumer has bounds of its own.
            let found = line.compiled.captures(address).ok()??;
            let group = |number| found.get(number).map_or("", |group| group.as_str());
            Some(written(&line.written, group))
        })
    }
}

/// Most places in a chain for each of its rules.
const MOST_PLACES: usize = 3;

impl Chain {
    /// Puts a rule once more where one of a later edit would be applied to a URL to which it could be applied itself:
    /// a model applies the first edit that holds, and after each again the first. Rules for which there is no more
    /// place are left out.
    pub(crate) fn settle(&mut self, urls: &[&str]) -> Vec<usize> {
        let mut left_out = Vec::new();
        let distinct: BTreeSet<*const RegexRule> = self.rules.iter().map(Rc::as_ptr).collect();
        let most = distinct.len() * MOST_PLACES;
        for url in urls {
            let (origin, address) = url.split_at(authority(url).end);
            while let Some((place, rule)) = self.out_of_order(origin, address) {
                if self.rules.len() < most {
                    self.rules.insert(place, rule);
                } else {
                    left_out.push(rule.number);
                    self.forget(rule.number);
                }
            }
        }
        left_out
    }

    /// The first place at which a rule of an earlier edit could be applied; the end is one.
    fn out_of_order(&self, origin: &str, address: &str) -> Option<(usize, Rc<RegexRule>)> {
        let first = |address: &str, before: usize| {
            let is_admitted = self.guard.admits(address);
            let earlier = self.rules.iter().filter(|rule| is_admitted && rule.number < before);
            let applied = earlier.filter(|rule| rule.apply(origin, address).is_some());
            applied.min_by_key(|rule| rule.number).cloned()
        };
        let mut address = Cow::Borrowed(address);
        let mut is_changed = false;
        let mut is_admitted = self.guard.admits(&address);
        for (place, rule) in self.rules.iter().enumerate() {
            if !is_admitted {
                break;
            }
            let Some(after) = rule.apply(origin, &address) else { continue };
            if let Some(rule) = first(&address, rule.number) {
                return Some((place, rule));
            }
            is_admitted = self.guard.admits(&after);
            (address, is_changed) = (Cow::Owned(after), true);
        }
        let rule = is_changed.then(|| first(&address, usize::MAX)).flatten()?;
        Some((self.rules.len(), rule))
    }
}

impl Consumer for Chain {
    fn apply(&self, url: &str) -> Vec<Applied> {
        let (origin, address) = url.split_at(authority(url).end);
        let mut steps: Vec<Applied> = Vec::new();
        let mut is_admitted = self.guard.admits(address);
        for rule in &self.rules {
            if !is_admitted {
                break;
            }
            let before = steps.last().map_or(address, |step| &step.url[origin.len()..]);
            if let Some(after) = rule.apply(origin, before) {
                is_admitted = self.guard.admits(&after);
                steps.push(Applied { rule: rule.number, url: format!("{origin}{after}") });
            }
        }
        steps
    }

    fn forget(&mut self, number: usize) {
        self.rules.retain(|rule| rule.number != number);
    }

    fn numbers(&self) -> BTreeSet<usize> {
        self.rules.iter().map(|rule| rule.number).collect()
    }
}
