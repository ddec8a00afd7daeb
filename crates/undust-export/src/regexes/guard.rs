//! What every rule asks of an address first: that it is no longer than rules are tried on, and in normal form.
//!
//! Each question reads the address once. A repetition repeats one class of characters and no group, but for one that is
//! repeated thirty times: for each turn of a group Java calls itself, until its stack overflows, and two repetitions
//! that may share a text take the square of its length.

use std::collections::BTreeSet;
use std::rc::Rc;

use fancy_regex::Regex;

use undust_edits::editor::Editor;

use super::change::{first_slash, fits_in_a_path, moved_name, names};
use super::piece::Words;

/// The longest path with its query, in bytes, that rules change. Longer ones pass unchanged. At twice the length regexes
/// of some models take more than 10,000 steps, at which Varnish gives up and answers 503.
pub(crate) const LONGEST_ADDRESS: usize = 1000;

/// A character of a path in normal form, but those at which it could be taken for a query.
const PATH: &str = "[!$%'()*+,./0-9:@A-Z_a-z~-]";
/// A character of a query in normal form, but the `?`, at which a value could be taken for a query of its own.
const QUERY: &str = "[!$%&;'()*+,./0-9:=@A-Z_a-z~-]";
/// What follows the `%` of an escape that the normal form leaves alone.
const ESCAPE: &str = "(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[B-DF])";
/// A character at which the model may cut an address into pieces.
const CUT: &str = "/?=&;:.,~_-";
/// Most of these: the model leaves a URL of more than 64 pieces alone, those of the host counted.
const MOST_CUTS: usize = 29;
/// Escapes in a path on which servers do not agree.
const SLASHES: &str = "%(?:2F|5C)";

/// What every rule asks first.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    /// Lookaheads at the beginning of a regex.
    pub text: String,
    /// The same but for the length: a bounded repetition is a large program for this engine. None if it is none.
    compiled: Option<Rc<Regex>>,
}

impl Guard {
    /// Of these lookaheads, and for short addresses.
    pub(super) fn new(lookaheads: &str) -> Self {
        let text = format!("(?=.{{1,{LONGEST_ADDRESS}}}$){lookaheads}");
        Self { text, compiled: Regex::new(&format!("^{lookaheads}")).ok().map(Rc::new) }
    }

    /// Whether rules are for this address.
    pub(super) fn admits(&self, address: &str) -> bool {
        let regex = self.compiled.as_ref().filter(|_| address.len() <= LONGEST_ADDRESS);
        regex.is_some_and(|regex| regex.is_match(address).unwrap_or(false))
    }
}

/// That it is in normal form, and that no edit of the model leads to what the model refuses as a whole: where an argument
/// is there twice, or moves into the path with a value that means something else there, or where the path would lose its
/// first slash.
pub(super) fn guard(words: &Words<'_>, editor: &Editor) -> String {
    let edits = || editor.rules().map(|edit| &edit.accepted.edit);
    let names: BTreeSet<String> = edits().flat_map(|edit| names(words, edit)).collect();
    let moved = edits().filter_map(|edit| moved_name(words, editor.literals(), edit));
    let moved: BTreeSet<String> = moved.collect();
    let moved: String = moved.iter().map(|name| fits_in_a_path(name)).collect();
    let slashes = edits().filter_map(|edit| first_slash(words, editor.literals(), edit));
    let slashes: BTreeSet<String> = slashes.collect();
    let slashes: String = slashes.iter().map(|from| format!("(?!{from})")).collect();
    format!("{}{}{moved}{slashes}", normal_form(), each_once(&names))
}

/// That no argument of one of these names is there twice.
fn each_once(names: &BTreeSet<String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let twice = |name: &String| format!("{name}(?![^=&;]).*[&;]{name}");
    let twice: Vec<String> = names.iter().map(twice).collect();
    format!("(?!.*[?&;](?:{})(?![^=&;]))", twice.join("|"))
}

/// That it is in normal form, and has no more pieces than the model reads: a path without empty, `.` and `..` segments,
/// and no escape that means itself.
fn normal_form() -> String {
    format!(
        "(?=/{PATH}*(?:\\?{QUERY}+)?$)(?!(?:[^{CUT}]*[{CUT}]){{{}}})(?![^?]*/(?:/|\\.\\.?(?:[/?]|$)))(?!.*%(?!{ESCAPE}))(?![^?]*{SLASHES})",
        MOST_CUTS + 1
    )
}
