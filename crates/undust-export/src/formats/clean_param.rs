//! `Clean-param` lines of robots.txt, which Yandex reads.

use std::fmt::Write;

use crate::comments::Comments;
use crate::names::NameList;

/// The longest line that Yandex reads, in bytes.
const LONGEST: usize = 500;

/// Lines: names that one path has in common, behind what is said of their edits.
pub(crate) fn text(list: &NameList, comments: &Comments) -> String {
    let mut text = String::new();
    let mut prefixes: Vec<&str> = list.rules.iter().map(|rule| rule.prefix.as_str()).collect();
    prefixes.sort_unstable();
    prefixes.dedup();
    for prefix in prefixes {
        let mut line = String::new();
        for rule in list.rules.iter().filter(|rule| rule.prefix == prefix) {
            text.extend(rule.numbers.iter().map(|number| comments.behind("# ", *number)));
            if !line.is_empty() && line.len() + rule.name.len() + prefix.len() + 20 > LONGEST {
                let _ = writeln!(text, "Clean-param: {line} {prefix}");
                line.clear();
            }
            if !line.is_empty() {
                line.push('&');
            }
            line += &rule.name;
        }
        let _ = writeln!(text, "Clean-param: {line} {prefix}");
    }
    text
}
