//! Names of arguments that do not matter, for tools that take a list of them.

use crate::names::NameList;

/// One a line.
pub(crate) fn text(list: &NameList) -> String {
    let mut names: Vec<String> = list.rules.iter().map(|rule| format!("{}\n", rule.name)).collect();
    names.sort_unstable();
    names.concat()
}
