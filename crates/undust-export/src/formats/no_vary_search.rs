//! The header No-Vary-Search, which tells browsers and caches what arguments do not matter, by a map of nginx.
//!
//! The map reads `$request_uri`, because `$uri` changes with `index` and `try_files`. Answers that redirect do not get the
//! header: where a log-in page leads depends on the argument that its form is the same without.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Hosts, identifier};
use crate::comments::Comments;
use crate::names::NameList;
use crate::regexes::piece::literal;
use crate::unsaid::Unsaid;

/// The longest list of names, in bytes: nginx takes no longer parameter than 4,096.
const LONGEST: usize = 3500;

/// Leaves out rules whose path or name cannot be written.
pub(crate) fn leave_out_unwritable(list: &mut NameList) -> Vec<(usize, Unsaid)> {
    let (mut left, mut length) = (Vec::new(), 0);
    list.rules.retain(|rule| {
        length += rule.name.len() + 3;
        let why = match literal(&rule.prefix) {
            Some(prefix) if length + prefix.len() <= LONGEST => return true,
            Some(_) => Unsaid::TooLong(LONGEST),
            None => Unsaid::Place("below a path with unusual characters"),
        };
        left.extend(rule.numbers.iter().map(|number| (*number, why.clone())));
        false
    });
    left
}

/// The map of a site, and the line for its server in comments.
pub(crate) fn text(site: &str, list: &NameList, comments: &Comments) -> String {
    let variable = format!("$undust_{}_no_vary_search", identifier(site));
    let mut text =
        format!("# Arguments of URLs of {site} that do not matter, as undust learned them.\n");
    if list.rules.is_empty() {
        return text + "# No edit of the model can be said here.\n";
    }
    let _ = write!(
        text,
        "# This map belongs to the http block. In the server of the site, and in each location that has an add_header of\n\
         # its own:\n#     add_header No-Vary-Search {variable};\n\n"
    );
    for number in list.rules.iter().flat_map(|rule| &rule.numbers) {
        for line in comments.lines(*number) {
            let _ = writeln!(text, "# {line}");
        }
    }
    let hosts = Hosts(list.hosts().iter().cloned().collect()).regex();
    let _ =
        writeln!(text, "map \"$status $http_host $request_uri\" {variable} {{\n    default \"\";");
    let mut prefixes: Vec<&str> = list.rules.iter().map(|rule| &*rule.prefix).collect();
    // nginx takes the first that matches, so what lies deeper comes first.
    prefixes.sort_unstable_by(|one, other| other.cmp(one));
    prefixes.dedup();
    for prefix in prefixes {
        let above = list.rules.iter().filter(|rule| prefix.starts_with(&rule.prefix));
        let names: BTreeSet<String> = above.map(|rule| format!("\"{}\"", rule.name)).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(" ");
        let path = literal(prefix).unwrap_or_default();
        let _ = writeln!(text, "    \"~^200 (?i:{hosts}) {path}\" 'params=({names})';");
    }
    text + "}\n"
}
