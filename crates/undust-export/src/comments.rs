//! What stands beside a rule in a file that people paste: what it does, on what it was tested, and one example.

use std::collections::{BTreeMap, BTreeSet};

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::editor::{Editor, ServedEdit};
use undust_edits::translation::spelled_out;
use undust_util::plural::counted;

use crate::applied::Consumer;

/// Stands for the rules of an example that is the model's: all its edits have a part in it, and rules for some may be
/// missing.
const OF_MODEL: usize = usize::MAX;

/// The longest notation or URL in a comment, in characters. nginx refuses a file in which a comment fills its buffer of
/// 4,096 bytes.
const LONGEST: usize = 200;

/// The comments of an export, by number of the edit.
#[derive(Debug, Default)]
pub(crate) struct Comments(BTreeMap<usize, Comment>);

/// What is said of one edit.
#[derive(Debug)]
struct Comment {
    notation: String,
    evidence: EditEvidence,
    example: Option<Example>,
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
    /// Those for the rules of a consumer, each with an example out of the model and these URLs: if there is one, one
    /// that no other rule changes, and if they change none, what the model makes of one.
    pub(crate) fn new(editor: &Editor, consumer: &dyn Consumer, urls: &[String]) -> Self {
        let numbers: BTreeSet<usize> = consumer.numbers().into_iter().collect();
        let edits = (1..).zip(editor.rules()).filter(|(number, _)| numbers.contains(number));
        let comment = |(number, edit): (usize, &ServedEdit)| {
            let comment = Comment {
                notation: spelled_out(&edit.notation).into_owned(),
                evidence: edit.accepted.evidence,
                example: edit.examples.first().map(Example::of_model),
            };
            (number, comment)
        };
        let mut comments = Self(edits.map(comment).collect());
        let examples = editor.rules().flat_map(|edit| edit.examples.iter().map(|[url, _]| url));
        for url in examples.chain(urls) {
            comments.look_at(consumer, url);
        }
        comments
    }

    fn look_at(&mut self, consumer: &dyn Consumer, url: &str) {
        let steps = consumer.apply(url);
        let Some(last) = steps.last() else { return };
        for step in &steps {
            let Some(comment) = self.0.get_mut(&step.rule) else { continue };
            if comment.example.as_ref().is_none_or(|known| steps.len() < known.rules) {
                let (from, to) = (url.to_owned(), last.url.clone());
                comment.example = Some(Example { rules: steps.len(), from, to });
            }
        }
    }

    /// The same said of all of these.
    #[cfg(test)]
    pub(crate) fn of_texts(numbers: &[usize], notation: &str, from: &str, to: &str) -> Self {
        let comment = |number: &usize| {
            let example = Example { rules: 1, from: from.into(), to: to.into() };
            let comment = Comment {
                notation: notation.into(),
                evidence: EditEvidence::default(),
                example: Some(example),
            };
            (*number, comment)
        };
        Self(numbers.iter().map(comment).collect())
    }

    /// The lines for the rules of an edit: no mark of a comment, each on one line and short.
    pub(crate) fn lines(&self, number: usize) -> Vec<String> {
        let Some(comment) = self.0.get(&number) else { return Vec::new() };
        let lines = [comment.what(number), comment.why()];
        lines.iter().map(|line| on_one_line(line)).collect()
    }
}

impl Example {
    fn of_model([from, to]: &[String; 2]) -> Self {
        Self { rules: OF_MODEL, from: from.clone(), to: to.clone() }
    }

    /// From and to, each short.
    fn written(&self) -> String {
        let by = if self.rules == OF_MODEL { "by all edits of the model, " } else { "" };
        format!("; {by}{} → {}", shortened(&self.from), shortened(&self.to))
    }
}

impl Comment {
    fn what(&self, number: usize) -> String {
        format!("edit {number}: {}", shortened(&self.notation))
    }

    /// The evidence, and the example.
    fn why(&self) -> String {
        let EditEvidence { tested, pages, lost, collisions, .. } = self.evidence;
        // A model of an older version has not counted pages.
        let pages =
            if pages == 0 { String::new() } else { format!(" of {}", counted(pages, "page")) };
        let tested = counted(tested, "URL");
        let collisions = counted(collisions, "collision");
        let example = self.example.as_ref().map_or(String::new(), Example::written);
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
