//! The comment on a rule in a file that people paste: what it does, on what it was tested, and one example.

use std::collections::{BTreeMap, BTreeSet};

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::editor::{Editor, ServedEdit};
use undust_edits::translation::spelled_out;
use undust_util::plural::counted;

use crate::applied::Consumer;
use crate::check::Check;
use crate::format::Format;
use crate::members::{self, MemberArgument};
use crate::names::dropped_name;

/// Stands for the rules of an example that is the model's: all its edits have a part in it, and rules for some may be
/// missing.
const OF_MODEL: usize = usize::MAX;

/// The longest notation or URL in a comment, in characters. nginx refuses a file in which a comment fills its buffer of
/// 4,096 bytes.
const LONGEST: usize = 200;

/// Most arguments of members that the comment on a rule names.
const MOST_TAKEN: usize = 3;

/// The comments of an export, by number of the edit.
#[derive(Debug, Default)]
pub(crate) struct Comments(BTreeMap<usize, Comment>);

/// What is said of one edit.
#[derive(Debug)]
struct Comment {
    notation: String,
    evidence: EditEvidence,
    example: Option<Example>,
    /// What members miss behind a redirect.
    taken: BTreeSet<MemberArgument>,
}

/// A URL that a rule changes, and what the consumer makes of it.
#[derive(Debug)]
struct Example {
    /// Rules that have a part in it, or [`OF_MODEL`].
    rules: usize,
    from: String,
    to: String,
}

impl Comments {
    /// Those for the rules of a consumer, each with an example out of the model and the URLs tried: if there is one, one
    /// that no other rule changes. Where what comes out is fetched, it answered. For a key, if no URL is changed, what
    /// the model makes of one.
    pub(crate) fn new(
        editor: &Editor,
        consumer: &dyn Consumer,
        check: &Check<'_>,
        format: Format,
    ) -> Self {
        let redirects = format.is_for_visitors();
        let numbers = consumer.numbers();
        let edits = (1..).zip(editor.rules()).filter(|(number, _)| numbers.contains(number));
        let key = (!format.is_fetched()).then_some(());
        let comment = |(number, edit): (usize, &ServedEdit)| {
            let name = dropped_name(editor, &edit.accepted).ok().filter(|_| redirects);
            let comment = Comment {
                notation: spelled_out(&edit.notation).into_owned(),
                evidence: edit.accepted.evidence,
                example: key.and_then(|()| edit.examples.first()).map(Example::of_model),
                taken: name.and_then(|name| members::by_name(&name)).into_iter().collect(),
            };
            (number, comment)
        };
        let mut comments = Self(edits.map(comment).collect());
        let examples = editor.rules().flat_map(|edit| edit.examples.iter().map(|[url, _]| url));
        let shows = |url: &str| !format.is_fetched() || check.redirects.may_answer(url);
        for url in examples.chain(&check.urls) {
            comments.look_at(consumer, url, redirects, &shows);
        }
        comments
    }

    fn look_at(
        &mut self,
        consumer: &dyn Consumer,
        url: &str,
        redirects: bool,
        shows: &dyn Fn(&str) -> bool,
    ) {
        let steps = consumer.apply(url);
        let Some(last) = steps.last() else { return };
        let mut before = url;
        for step in &steps {
            let was = std::mem::replace(&mut before, &step.url);
            let Some(comment) = self.0.get_mut(&step.rule) else { continue };
            let is_shorter = comment.example.as_ref().is_none_or(|known| steps.len() < known.rules);
            if is_shorter && shows(&last.url) {
                let (from, to) = (url.to_owned(), last.url.clone());
                comment.example = Some(Example { rules: steps.len(), from, to });
            }
            if redirects {
                let room = MOST_TAKEN.saturating_sub(comment.taken.len());
                comment.taken.extend(members::taken(was, &step.url).into_iter().take(room));
            }
        }
    }

    /// The same said of all of these.
    #[cfg(test)]
    pub(crate) fn of_texts(
        numbers: &BTreeSet<usize>,
        notation: &str,
        from: &str,
        to: &str,
    ) -> Self {
        let comment = |number: &usize| {
            let example = Example { rules: 1, from: from.into(), to: to.into() };
            let comment = Comment {
                notation: notation.into(),
                evidence: EditEvidence::default(),
                example: Some(example),
                taken: BTreeSet::new(),
            };
            (*number, comment)
        };
        Self(numbers.iter().map(comment).collect())
    }

    /// What rules take from those who are logged in, by number of the edit.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (usize, &BTreeSet<MemberArgument>)> {
        let all = self.0.iter().map(|(number, comment)| (*number, &comment.taken));
        all.filter(|(_, taken)| !taken.is_empty())
    }

    /// The lines for the rules of an edit: no mark of a comment, each on one line and short.
    pub(crate) fn lines(&self, number: usize) -> Vec<String> {
        let Some(comment) = self.0.get(&number) else { return Vec::new() };
        let lines = [Some(comment.what(number)), Some(comment.why()), comment.for_members()];
        lines.iter().flatten().map(|line| on_one_line(line)).collect()
    }

    /// The same, each line behind this mark of a comment.
    pub(crate) fn behind(&self, mark: &str, number: usize) -> String {
        self.lines(number).iter().map(|line| format!("{mark}{line}\n")).collect()
    }
}

/// What a rule takes from those who are logged in, in a sentence each for a comment and a summary.
pub(crate) fn warning<'t>(taken: impl IntoIterator<Item = &'t MemberArgument>) -> String {
    let said = |one: &MemberArgument| format!("{} {}", shortened(&one.written), one.what);
    let taken: Vec<String> = taken.into_iter().map(said).collect();
    format!("{}; the crawl was not logged in, so try it while you are", taken.join(", "))
}

impl Example {
    fn of_model([from, to]: &[String; 2]) -> Self {
        Self { rules: OF_MODEL, from: from.clone(), to: to.clone() }
    }

    /// From and to, each short.
    fn written(&self) -> String {
        let by = match self.rules {
            OF_MODEL => "changes no URL tried; by all edits of the model, ",
            _ => "",
        };
        format!("; {by}{} → {}", shortened(&self.from), shortened(&self.to))
    }
}

impl Comment {
    fn what(&self, number: usize) -> String {
        format!("edit {number}: {}", shortened(&self.notation))
    }

    fn for_members(&self) -> Option<String> {
        let is_some = !self.taken.is_empty();
        is_some.then(|| format!("  takes from members: {}", warning(&self.taken)))
    }

    /// The evidence, and the example.
    fn why(&self) -> String {
        let EditEvidence { tested, pages, lost, collisions, .. } = self.evidence;
        // A model of an older version has not counted pages.
        let pages =
            if pages == 0 { String::new() } else { format!(" of {}", counted(pages, "page")) };
        let tested = counted(tested, "URL");
        let collisions = counted(collisions, "collision");
        let example = self.example.as_ref().map_or_else(
            || "; it makes no URL tried one that answers".to_owned(),
            Example::written,
        );
        format!("  tested on {tested}{pages}: {lost} lost, {collisions}{example}")
    }
}

/// A text of few characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text as a comment of one line: a notation or a URL may hold anything. Nothing in it ends the line, or turns the
/// direction in which it is read, and Apache does not take the next line for a part of it.
pub(crate) fn on_one_line(text: &str) -> String {
    let hides = |letter: char| matches!(letter, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    let plain = |letter: char| if letter.is_control() || hides(letter) { ' ' } else { letter };
    let mut line: String = text.chars().map(plain).collect();
    if line.ends_with('\\') {
        line.push('.');
    }
    line
}
