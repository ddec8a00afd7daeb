//! The query of a place, by the names in it.

use rustc_hash::FxHashSet;

use undust_model::edits::edit::Edit;
use undust_url::lexicon::Symbol;

use super::super::piece::{literal, value};
use super::Place;

impl Place<'_> {
    /// The query: names that are listed, or names that training saw.
    pub(super) fn query(&self) -> String {
        let name = |symbol: &Symbol| {
            self.site.words.name(*symbol).and_then(|name| literal(&name)).unwrap_or_default()
        };
        // Of the argument that goes any value goes.
        let dropped = match &self.edit.edit {
            Edit::DropKey(key) | Edit::DropArgument(key, _) => name(key),
            _ => String::new(),
        };
        let bare = self.site.has_bare_arguments;
        // A name that training saw bare alone is another if it has a value.
        let tail = |name: &str| match self.site.names.iter().any(|known| known == name) {
            true => value(name == dropped, bare),
            false => String::new(),
        };
        let Some(lists) = &self.names else { return query_of(&self.site.names, &dropped, tail) };
        let exactly =
            |list: &Vec<Symbol>| exactly(&list.iter().map(name).collect::<Vec<_>>(), tail);
        let lists: Vec<String> = lists.iter().map(exactly).collect();
        match &lists[..] {
            [list] => list.clone(),
            lists => format!("(?:{})", lists.join("|")),
        }
    }
}

/// A query of arguments with some of these names, or none.
pub(super) fn query_of(names: &[String], dropped: &str, tail: impl Fn(&str) -> String) -> String {
    let others: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| *name != dropped).collect();
    let mut arguments = Vec::new();
    if let [first, ..] = others[..] {
        arguments.push(format!("(?:{}){}", others.join("|"), tail(first)));
    }
    if others.len() < names.len() {
        arguments.push(format!("{dropped}{}", tail(dropped)));
    }
    if arguments.is_empty() {
        return "(?=[^?]*$)".into();
    }
    format!("(?=[^?]*(?:\\?(?:(?:{})(?:[&;](?!$)|$))+)?$)", arguments.join("|"))
}

/// A query of these names, in any order, each with its tail.
fn exactly(names: &[String], tail: impl Fn(&str) -> String) -> String {
    if names.is_empty() {
        return "(?=[^?]*$)".into();
    }
    let mut distinct: Vec<&String> = names.iter().collect::<FxHashSet<_>>().into_iter().collect();
    distinct.sort_unstable();
    let same = tail(distinct[0]);
    let argument = if distinct.iter().all(|name| tail(name) == same) {
        format!(
            "(?:{}){same}",
            distinct.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("|")
        )
    } else {
        let each = distinct.iter().map(|name| format!("{name}{}", tail(name)));
        format!("(?:{})", each.collect::<Vec<_>>().join("|"))
    };
    let each = if distinct.len() > 1 { has_all(names) } else { String::new() };
    match names.len() {
        1 => format!("(?=[^?]*\\?{argument}$)"),
        count => format!("(?=[^?]*\\?(?:{argument}(?:[&;](?!$)|$)){{{count}}}$){each}"),
    }
}

/// What follows a name.
const END_OF_NAME: &str = "(?![^=&;])";

/// Arguments of all these names, each so often.
pub(super) fn has_all(names: &[String]) -> String {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    let has = |group: &[&String]| {
        let name = group[0];
        let again = format!(".*[&;]{name}{END_OF_NAME}").repeat(group.len() - 1);
        format!("(?=[^?]*\\?(?:.*[&;])?{name}{END_OF_NAME}{again})")
    };
    sorted.chunk_by(|a, b| a == b).map(has).collect()
}

/// So many arguments.
pub(super) fn so_many(count: usize) -> String {
    match count {
        0 => "(?=[^?]*$)".into(),
        1 => "(?=[^?]*\\?[^&;]*$)".into(),
        _ => format!("(?=[^?]*\\?(?:[^&;]*[&;]){{{}}}[^&;]*$)", count - 1),
    }
}
