//! Accepted edits as regexes over the path and query of a URL: what servers and crawlers in Java apply.

mod change;
pub(crate) mod piece;
pub(crate) mod place;

use fancy_regex::Regex;

use undust_model::conventions::UrlConventions;
use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::editor::Editor;
use undust_url::tokens::authority;

pub(crate) use self::change::Written;
use self::change::bodies;
use self::piece::{Words, is_simple_name, literal};
use self::place::{Site, heads};
use crate::applied::{Applied, Consumer};
use crate::unsaid::Unsaid;

/// Longest regex, in bytes: nginx takes no longer parameter than 4,096.
const LONGEST: usize = 3800;

/// One regex of a rule, and what is written for what it matches.
#[derive(Debug)]
pub(crate) struct Line {
    /// The origins of URLs that it may change.
    pub origins: Vec<String>,
    /// To be read from the beginning of the path on, without `^`.
    pub regex: String,
    pub written: Vec<Written>,
    /// A text without which it matches nothing.
    needle: String,
    compiled: Regex,
}

/// An edit as regexes, of which the first that matches is applied.
#[derive(Debug)]
pub(crate) struct RegexRule {
    /// The number of the edit, counted from 1.
    pub number: usize,
    /// The edit's notation.
    pub notation: String,
    pub lines: Vec<Line>,
}

/// Edits of a site that are to be said by regexes.
pub(crate) struct Translator<'s> {
    site: Site<'s>,
    editor: &'s Editor,
    origins: Origins<'s>,
    separator: Separator,
}

/// What separates arguments. A character of both is no part of a value, so that a URL with the other one stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    And,
    Semicolon,
}

impl Separator {
    /// The one that more of these URLs have.
    fn of(urls: &[String]) -> Self {
        let with = |mark: char| urls.iter().filter(|url| url.contains(mark)).count();
        if with(';') > with('&') { Self::Semicolon } else { Self::And }
    }

    /// A regex for both as one for this alone.
    fn alone(self, regex: &str) -> String {
        let mark = if self == Self::And { "&" } else { ";" };
        regex
            .replace("[&;]", mark)
            .replace("[?&;]", &format!("[?{mark}]"))
            .replace("[^=&;]", &format!("[^={mark}]"))
    }
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
        // A bare argument is set aside where training saw none.
        let bare =
            conventions.normalize(&format!("http://{name}/?undust")).unknown_params.is_empty();
        let site = Site {
            words: Words::new(lexicon),
            names,
            known_values: editor.known_values(),
            has_bare_arguments: bare,
        };
        Self {
            site,
            editor,
            origins: Origins { site: name, conventions },
            separator: Separator::of(urls),
        }
    }

    /// What is known of the site.
    pub(crate) fn site(&self) -> &Site<'s> {
        &self.site
    }

    /// The rule of an edit, for URLs that lack all arguments of some names, given as regexes.
    ///
    /// # Errors
    ///
    /// What of it cannot be said.
    pub(crate) fn rule(
        &self,
        number: usize,
        notation: &str,
        edit: &AcceptedEdit,
        lacking: &[String],
    ) -> Result<RegexRule, Unsaid> {
        let lacks = |name: &String| format!("(?![^?]*\\?(?:.*[&;])?{name}(?![^=&;]))");
        let lacking: String = lacking.iter().map(lacks).collect();
        let bodies = bodies(&self.site.words, self.editor.literals(), &edit.edit)?;
        let mut lines = Vec::new();
        for head in heads(&self.site, edit)? {
            let origins = self.origins.of(head.origin.as_deref());
            for body in &bodies {
                let regex =
                    self.separator.alone(&format!("{lacking}{}{}", head.lookaheads, body.regex));
                if regex.len() > LONGEST {
                    return Err(Unsaid::TooLong(LONGEST));
                }
                let compiled =
                    Regex::new(&format!("^{regex}")).map_err(|_| Unsaid::TooLong(LONGEST))?;
                let (origins, written) = (origins.clone(), body.written.clone());
                let needle = body.needle.clone();
                lines.push(Line { origins, regex, written, needle, compiled });
            }
        }
        Ok(RegexRule { number, notation: notation.to_owned(), lines })
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

/// Regexes one after another, each applied once: a chain of maps in nginx, a list of rules in Java.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub rules: Vec<RegexRule>,
}

impl RegexRule {
    fn apply(&self, origin: &str, rest: &str) -> Option<String> {
        let of_origin = |line: &&Line| {
            rest.contains(&line.needle) && line.origins.iter().any(|one| one == origin)
        };
        self.lines.iter().filter(of_origin).find_map(|line| {
            // A regex that gives up changes nothing here; its consumer has bounds of its own.
            let found = line.compiled.captures(rest).ok()??;
            let mut text = String::with_capacity(rest.len());
            for part in &line.written {
                match part {
                    Written::Group(group) => {
                        text.push_str(found.get(*group).map_or("", |found| found.as_str()));
                    }
                    Written::Text(part) => text.push_str(part),
                }
            }
            Some(text)
        })
    }
}

impl Consumer for Chain {
    fn apply(&self, url: &str) -> Vec<Applied> {
        let (origin, rest) = url.split_at(authority(url).end);
        let mut steps: Vec<Applied> = Vec::new();
        if !rest.starts_with('/') {
            return steps;
        }
        for rule in &self.rules {
            let before = steps.last().map_or(rest, |step| &step.url[origin.len()..]);
            if let Some(after) = rule.apply(origin, before) {
                steps.push(Applied { rule: rule.number, url: format!("{origin}{after}") });
            }
        }
        steps
    }

    fn forget(&mut self, number: usize) {
        self.rules.retain(|rule| rule.number != number);
    }

    fn numbers(&self) -> Vec<usize> {
        self.rules.iter().map(|rule| rule.number).collect()
    }
}
