//! Lines of robots.txt.

use undust_util::plural::counted;

use super::formats::{NOTHING, comment};
use crate::report::PatternReport;

const HEAD: &str = "\
# Request budgets of `undust shapes`. This is a policy: it does not say that the URLs of a pattern show one page.
# A star matches any text, slashes too, so that a line may be wider than its pattern. Read each before you use it.
User-agent: *
";

/// Lines of robots.txt for patterns.
pub(super) fn lines(patterns: &[&PatternReport]) -> String {
    let mut text = HEAD.to_owned();
    text += if patterns.is_empty() { NOTHING } else { "" };
    for pattern in patterns {
        text += &format!("# {}\n", comment(pattern));
        let lines =
            pattern.policy.as_ref().map(|policy| policy.robots.as_slice()).unwrap_or_default();
        lines.iter().for_each(|path| text += &format!("Disallow: {path}\n"));
        if lines.is_empty() {
            let urls = counted(pattern.urls, "URL");
            text += &format!("# No line is narrow enough for these {urls}.\n");
        }
    }
    text
}

/// Whether no line forbids a path with its query. Linear in their lengths, but for each star.
pub(crate) fn is_allowed(lines: &[String], path: &str) -> bool {
    !lines.iter().any(|line| is_met(line, path))
}

/// By RFC 9309: a line meets what begins with it, a star is any text, and `$` is the end.
fn is_met(line: &str, path: &str) -> bool {
    let (line, is_whole) = line.strip_suffix('$').map_or((line, false), |line| (line, true));
    let mut parts = line.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return !is_whole || rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    if is_whole { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_as_the_standard_says() {
        let cases = [
            ("/a", "/ab", true),
            ("/a$", "/ab", false),
            ("/a*c$", "/abbc", true),
            ("/a*c$", "/abbcd", false),
            ("/*?x=", "/a/b?x=1", true),
            ("/*?x=", "/a/b?y=1&x=1", false),
            ("/*?*&x=", "/a/b?y=1&x=1", true),
            ("/a/*/b/", "/a/b/", false),
            ("/a/*/b/", "/a/c/d/b/e", true),
        ];
        for (line, path, is_met_by) in cases {
            assert_eq!(is_met(line, path), is_met_by, "{line} {path}");
        }
    }
}
