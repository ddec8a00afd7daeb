//! Arguments that do not matter, by name: what tools drop that know no more of a URL than its arguments.

use std::borrow::Cow;
use std::collections::BTreeSet;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::Edit;
use undust_edits::editor::Editor;
use undust_edits::program::FRONT;
use undust_edits::restriction::Restriction;
use undust_url::lexicon::Symbol;
use undust_url::query::query_span;
use undust_url::tokens::authority;

use crate::applied::{Applied, Consumer};
use crate::regexes::piece::is_text;
use crate::unsaid::Unsaid;

/// A name that is dropped below a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameRule {
    /// The numbers of its edits, counted from 1; the first stands for all.
    pub numbers: Vec<usize>,
    pub name: String,
    /// What paths begin with.
    pub prefix: String,
}

/// What drops arguments by their names.
#[derive(Debug, Default)]
pub(crate) struct NameList {
    pub rules: Vec<NameRule>,
    /// Whether a rule asks for the beginning of the path.
    has_prefixes: bool,
    /// The hosts on which the rules hold.
    pub hosts: Vec<String>,
}

/// The name that an edit drops.
///
/// # Errors
///
/// It does something else.
pub(crate) fn dropped_name(editor: &Editor, edit: &AcceptedEdit) -> Result<String, Unsaid> {
    match &edit.edit {
        Edit::DropKey(key) => Ok(editor.lexicon().spell(*key).into_owned()),
        Edit::Joint(_) => Err(Unsaid::Joint),
        Edit::CutValue(..) => Err(Unsaid::CutsValues),
        Edit::DropSlot(_) | Edit::DropPath => Err(Unsaid::Placeholder),
        Edit::DropArgument(..) | Edit::Replace { .. } => Err(Unsaid::NotADrop),
    }
}

/// What the paths of an edit's reach begin with: whole segments of words.
fn prefix(editor: &Editor, only: Option<&Restriction>) -> String {
    let lexicon = editor.lexicon();
    let of = |path: &[Symbol]| {
        let rest = path.get(FRONT - 1..).unwrap_or_default();
        let count = rest.iter().take_while(|symbol| is_text(**symbol)).count();
        let text: String = rest[..count].iter().map(|symbol| lexicon.spell(*symbol)).collect();
        let is_whole = count == rest.len();
        let end = if is_whole { text.len() } else { text.rfind('/').map_or(0, |at| at + 1) };
        text[..end].to_owned()
    };
    let prefix = match only {
        Some(Restriction::Paths(paths)) => {
            paths.iter().map(|path| of(path)).reduce(|a, b| common(&a, &b))
        }
        Some(Restriction::Beginning(all)) => {
            let begin = |segment: &[Symbol]| {
                let text: String = segment.iter().map(|symbol| lexicon.spell(*symbol)).collect();
                if text.contains('<') { "/".to_owned() } else { format!("/{text}") }
            };
            all.iter().map(|segment| begin(segment)).reduce(|a, b| common(&a, &b))
        }
        Some(Restriction::All(all)) => {
            all.iter().map(|only| self::prefix(editor, Some(only))).max_by_key(String::len)
        }
        _ => None,
    };
    prefix.filter(|prefix| prefix.starts_with('/')).unwrap_or_else(|| "/".into())
}

/// The longest beginning of both that ends in `/`, or all of one that both are.
fn common(a: &str, b: &str) -> String {
    if a == b {
        return a.to_owned();
    }
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let end = a.get(..same).and_then(|same| same.rfind('/')).map_or(0, |at| at + 1);
    a[..end].to_owned()
}

impl NameList {
    /// Rules for these edits. Without prefixes a name is dropped everywhere.
    pub(crate) fn new(
        editor: &Editor,
        edits: &[(usize, &AcceptedEdit)],
        has_prefixes: bool,
        hosts: Vec<String>,
    ) -> (Self, Vec<(usize, Unsaid)>) {
        let mut list = Self { rules: Vec::new(), has_prefixes, hosts };
        let mut left_out = Vec::new();
        for (number, edit) in edits {
            let odd = Unsaid::Replacement("an argument whose name has unusual characters");
            let name = dropped_name(editor, edit);
            let name = match name.and_then(|name| is_plain(&name).then_some(name).ok_or(odd)) {
                Ok(name) => name,
                Err(why) => {
                    left_out.push((*number, why));
                    continue;
                }
            };
            let prefix = if has_prefixes { prefix(editor, edit.only.as_ref()) } else { "/".into() };
            let same = |rule: &&mut NameRule| rule.name == name && rule.prefix == prefix;
            match list.rules.iter_mut().find(same) {
                Some(rule) => rule.numbers.push(*number),
                None => list.rules.push(NameRule { numbers: vec![*number], name, prefix }),
            }
        }
        (list, left_out)
    }

    /// The rules for a URL of these hosts and of its path, whatever arguments it has.
    pub(crate) fn holding(&self, url: &str) -> impl Iterator<Item = &NameRule> {
        let span = authority(url);
        let host = &url[span.clone()];
        let path = &url[span.end..];
        let is_of_host = self.hosts.iter().any(|one| one == host);
        let holds = move |rule: &&NameRule| {
            is_of_host && (!self.has_prefixes || path.starts_with(&rule.prefix))
        };
        self.rules.iter().filter(holds)
    }
}

/// Whether a name needs no quoting in a list of any program, and stands for itself where names are decoded.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~[]():!@".contains(&byte))
}

/// A URL without the arguments for whose names this holds.
pub(crate) fn without(url: &str, is_dropped: impl Fn(&str) -> bool) -> Option<String> {
    let (start, end) = query_span(url)?;
    let query = &url[start..end];
    let kept: Vec<&str> = query
        .split('&')
        .filter(|argument| !is_dropped(argument.split('=').next().unwrap_or_default()))
        .collect();
    if kept.len() == query.split('&').count() {
        return None;
    }
    Some(with_query(url, &kept.join("&")))
}

/// A URL that has a query with this one in its place, which may be empty.
pub(crate) fn with_query(url: &str, query: &str) -> String {
    let Some((start, end)) = query_span(url) else { return url.to_owned() };
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}{}", &url[..start - 1], &url[end..])
}

/// A URL as tools read it that look at the names of arguments alone: no argument is empty, none lacks its `=`,
/// and of several with one name they ask no more than of one.
pub(crate) fn plainly_read(url: &str) -> Cow<'_, str> {
    let Some((start, end)) = query_span(url) else { return Cow::Borrowed(url) };
    let query = &url[start..end];
    let mut names: Vec<&str> = Vec::new();
    let mut written: Vec<Cow<'_, str>> = Vec::new();
    for argument in query.split('&').filter(|argument| !argument.is_empty()) {
        let (name, is_bare) = match argument.split_once('=') {
            Some((name, _)) => (name, false),
            None => (argument, true),
        };
        if !names.contains(&name) {
            names.push(name);
            written.push(if is_bare { format!("{name}=").into() } else { argument.into() });
        }
    }
    let again = written.join("&");
    if again == query && !query.is_empty() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(with_query(url, &again))
}

impl Consumer for NameList {
    fn read<'u>(&self, url: &'u str) -> Cow<'u, str> {
        plainly_read(url)
    }

    fn apply(&self, url: &str) -> Vec<Applied> {
        let mut steps: Vec<Applied> = Vec::new();
        for rule in self.holding(url) {
            let before = steps.last().map_or(url, |step| &step.url);
            if let Some(after) = without(before, |name| name == rule.name) {
                steps.push(Applied { rule: rule.numbers[0], url: after });
            }
        }
        steps
    }

    fn forget(&mut self, number: usize) {
        self.rules.retain(|rule| rule.numbers[0] != number);
    }

    fn numbers(&self) -> BTreeSet<usize> {
        self.rules.iter().flat_map(|rule| rule.numbers.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that is written stands for itself between quotes of any kind, in a list, in a line of robots.txt, within
    /// placeholders of a server, and where it is decoded; brackets and words are all written.
    #[test]
    fn names_that_are_written_stand_for_themselves() {
        let letters: Vec<char> = (' '..='~').chain(['\t', '\n', 'é']).collect();
        for letter in &letters {
            for name in [letter.to_string(), format!("a{letter}"), format!("f[{letter}]")] {
                let special = "\"'`\\$#{}<>|^%+&=;,?/*".contains(*letter);
                let is_written = letter.is_ascii_graphic() && !special;
                assert_eq!(is_plain(&name), is_written, "{name:?}");
            }
        }
        for name in ["f[0]", "tx_news[ref]", "filter[a][b]", "a[]", "x:y", "utm_source"] {
            assert!(is_plain(name), "{name}");
        }
        assert!(!is_plain(""));
    }
}
