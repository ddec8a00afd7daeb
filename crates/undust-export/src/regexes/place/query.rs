//! The query of a place, by the names in it.

use undust_edits::edit::Edit;
use undust_url::lexicon::Symbol;

use super::Place;

impl Place<'_> {
    /// The query: names that are listed, or names that training saw. A `?` in a value may begin another query, once
    /// the URL is written otherwise; the value that goes may have any.
    pub(super) fn query(&self) -> String {
        let name = |symbol: &Symbol| self.site.words.name_regex(*symbol).unwrap_or_default();
        let questions = match &self.edit.edit {
            Edit::DropKey(key) => {
                format!("(?!{ARGUMENT}(?!{}=)[^&;?]*\\?)", name(key))
            }
            _ => "(?![^?]*\\?.*\\?)".into(),
        };
        questions + &self.names_in_query(name)
    }

    fn names_in_query(&self, name: impl Fn(&Symbol) -> String) -> String {
        let Some(lists) = &self.names else { return self.of_names(&self.site.names) };
        let exactly =
            |list: &Vec<Symbol>| self.exactly(&list.iter().map(&name).collect::<Vec<_>>());
        let lists: Vec<String> = lists.iter().map(exactly).collect();
        match &lists[..] {
            [list] => list.clone(),
            lists => format!("(?:{})", lists.join("|")),
        }
    }

    /// No argument has another name than one of these, nor is written otherwise than training saw it: one without a
    /// value is another argument than one with a value.
    fn of_names(&self, names: &[String]) -> String {
        let (known, bare): (Vec<&str>, Vec<&str>) = names
            .iter()
            .map(String::as_str)
            .partition(|name| self.site.names.iter().any(|known| known == name));
        let all = [(known, "="), (bare, "(?![^&;])")];
        let of = |(names, end): &(Vec<&str>, &str)| format!("(?:{}){end}", names.join("|"));
        let all: Vec<String> = all.iter().filter(|(names, _)| !names.is_empty()).map(of).collect();
        match all.is_empty() {
            true => with_count(0),
            false => format!("(?!{ARGUMENT}(?!{}))", all.join("|")),
        }
    }

    /// Arguments of these names, in any order.
    fn exactly(&self, names: &[String]) -> String {
        if names.is_empty() {
            return with_count(0);
        }
        let each = if names.len() > 1 { has_all(names) } else { String::new() };
        let mut distinct = names.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        format!("{}{}{each}", with_count(names.len()), self.of_names(&distinct))
    }
}

/// What stands before an argument: the first `?`, or one that separates it from others.
pub(super) const ARGUMENT: &str = "[^?]*\\?(?:.*[&;])?";
/// What follows a name.
pub(super) const END_OF_NAME: &str = "(?![^=&;])";

/// Arguments of all these names, each so often.
pub(super) fn has_all(names: &[String]) -> String {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    let has = |group: &[&String]| {
        let name = group[0];
        let again = format!(".*[&;]{name}{END_OF_NAME}").repeat(group.len() - 1);
        format!("(?={ARGUMENT}{name}{END_OF_NAME}{again})")
    };
    sorted.chunk_by(|a, b| a == b).map(has).collect()
}

/// Exactly `count` arguments.
pub(super) fn with_count(count: usize) -> String {
    match count {
        0 => "(?=[^?]*$)".into(),
        _ => format!("(?=[^?]*\\?{}$)", vec!["[^&;]*"; count].join("[&;]")),
    }
}
