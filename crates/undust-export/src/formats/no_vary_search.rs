//! The header No-Vary-Search (draft-ietf-httpbis-no-vary-search), which tells browsers and caches what arguments do not
//! matter: a dictionary with the key `params` and a list of strings.
//!
//! Servers look at the address as it was sent, because others change with index files and rewriting. Answers that
//! redirect do not get the header: where a log-in page leads depends on the argument that its form is the same without.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::json;

use super::{Hosts, NO_RULE, identifier};
use crate::comments::Comments;
use crate::format::Format;
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

/// The file of a format.
pub(crate) fn text(format: Format, site: &str, list: &NameList, comments: &Comments) -> String {
    let paths = by_path(list);
    if format == Format::NoVarySearchJson {
        return json(site, list, &paths);
    }
    let mut text =
        format!("# Arguments of URLs of {site} that do not matter, as undust learned them.\n");
    // The line that was pasted into the server needs its variable also where no path is left.
    text += if paths.is_empty() { NO_RULE } else { "" };
    let variable = format!("undust_{}_no_vary_search", identifier(site));
    let hosts = Hosts(list.hosts.iter().cloned().collect()).regex();
    let (note, lines) = match format {
        Format::NoVarySearchApache => apache(&hosts, &paths),
        Format::NoVarySearchCaddy => caddy(site, &variable, &paths),
        _ => nginx(&variable, &hosts, &paths),
    };
    text += &note;
    let numbers = list.rules.iter().flat_map(|rule| &rule.numbers);
    text.extend(numbers.map(|number| comments.behind("# ", *number)));
    text + &lines
}

/// A path, as it begins, with the names that do not matter below it.
struct Path<'l> {
    begin: &'l str,
    names: BTreeSet<&'l str>,
}

impl Path<'_> {
    /// Names need no escaping in a string of the header.
    fn header(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| format!("\"{name}\"")).collect();
        format!("params=({})", names.join(" "))
    }

    fn regex(&self) -> String {
        literal(self.begin).unwrap_or_default()
    }
}

/// What lies deeper comes first, with the names of what it lies below.
fn by_path<'l>(list: &'l NameList) -> Vec<Path<'l>> {
    let mut begins: Vec<&str> = list.rules.iter().map(|rule| &*rule.prefix).collect();
    begins.sort_unstable_by(|one, other| other.cmp(one));
    begins.dedup();
    let path = |begin: &'l str| {
        let above = list.rules.iter().filter(|rule| begin.starts_with(&rule.prefix));
        Path { begin, names: above.map(|rule| &*rule.name).collect() }
    };
    begins.into_iter().map(path).collect()
}

/// What is said of the file, and its lines. nginx takes the first that matches.
fn nginx(variable: &str, hosts: &str, paths: &[Path<'_>]) -> (String, String) {
    let note = format!(
        "# This map belongs to the http block. In the server of the site, and in each location that has an add_header of\n\
         # its own:\n#     add_header No-Vary-Search ${variable};\n\n"
    );
    let mut text =
        format!("map \"$status $http_host $request_uri\" ${variable} {{\n    default \"\";\n");
    for path in paths {
        let (regex, header) = (path.regex(), path.header());
        let _ = writeln!(text, "    \"~^200 (?i:{hosts}) {regex}\" '{header}';");
    }
    (note, text + "}\n")
}

/// The same for Apache, which applies all lines, so that what lies deeper must come last.
fn apache(hosts: &str, paths: &[Path<'_>]) -> (String, String) {
    let note = "# Include this file in the <VirtualHost> of the site; it needs mod_headers.\n\n";
    let mut text = String::new();
    for path in paths.iter().rev() {
        let header = path.header().replace('"', "\\\"");
        let _ = writeln!(
            text,
            "Header set No-Vary-Search \"{header}\" \"expr=%{{REQUEST_STATUS}} == '200' && %{{HTTP_HOST}} =~ \
             m#^(?:{hosts})$#i && %{{THE_REQUEST}} =~ m#^\\S+ {}#\"",
            path.regex()
        );
    }
    (note.to_owned(), text)
}

/// The same for Caddy, which takes the first line that matches. An empty header says no more than none.
fn caddy(site: &str, variable: &str, paths: &[Path<'_>]) -> (String, String) {
    let note = format!(
        "# Import this file in the block of {site}, and write into its reverse_proxy or php_fastcgi (Caddy 2.5):\n\
         #     @undust status 200\n\
         #     handle_response @undust {{\n\
         #         header No-Vary-Search {{{variable}}}\n\
         #         copy_response\n\
         #     }}\n\n"
    );
    let mut text = format!("map {{http.request.orig_uri}} {{{variable}}} {{\n");
    for path in paths {
        let _ = writeln!(text, "    `~^{}` `{}`", path.regex(), path.header());
    }
    (note, text + "    default \"\"\n}\n")
}

fn json(site: &str, list: &NameList, paths: &[Path<'_>]) -> String {
    let path = |path: &Path<'_>| json!({ "path": path.begin, "params": path.names, "header": path.header() });
    let paths: Vec<_> = paths.iter().map(path).collect();
    let all = json!({ "site": site, "hosts": list.hosts, "status": 200, "first_match": paths });
    format!("{all:#}\n")
}
