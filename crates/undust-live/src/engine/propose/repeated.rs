//! Parts that a URL repeats: a link that is relative, or that appends to a query, leads ever deeper where a server looks at
//! the end of a path alone, or at one argument of a name.
//!
//! Nobody names pages by repeating a folder, as nobody draws their names, and the kind is that of what is left, so that URLs
//! of any length test one hypothesis.

use smallvec::SmallVec;

use undust_url::query::arguments;
use undust_url::tokens::authority;

use super::deletions::MOST_SEGMENTS;
use super::kind::MOST_ARGUMENTS;
use super::{Kind, Proposals};

/// Leaves out the arguments and the folders that stood there before; where several folders did, all but the first; and all of
/// them where the path is too deep for other hypotheses.
pub(super) fn delete_repeated(path: &str, query: Option<&str>, proposals: &mut Proposals) {
    let (mark, query) = query.map_or(("", ""), |query| ("?", query));
    let (distinct, count) = distinct(arguments(query).map(|argument| argument.text));
    if distinct.len() < count.min(MOST_ARGUMENTS) {
        propose("drop repeated arguments", &[path, "?", &distinct.join("&")], proposals);
    }
    let (host, path) = path.split_at(authority(path).end);
    let bare = path.strip_suffix('/').unwrap_or(path);
    let Some((folders, _)) = bare.rsplit_once('/') else { return };
    let last = &path[folders.len()..];
    let mut with = |hypothesis, folders: &[&str]| {
        let form = [host, "/", &folders.join("/"), last, mark, query];
        propose(hypothesis, &form, proposals);
    };
    let (distinct, count) = self::distinct(folders.split('/').skip(1));
    let repeated = count - distinct.len();
    if repeated > 0 && distinct.len() < MOST_SEGMENTS {
        with("drop repeated folders", &distinct);
    }
    if repeated > 1 {
        with("drop all folders but the first", &[distinct[0], "**"]);
    }
    if count >= MOST_SEGMENTS {
        with("drop all folders", &["**"]);
    }
}

fn propose(hypothesis: &str, form: &[&str], proposals: &mut Proposals) {
    let kind = Kind::of(&form.concat());
    proposals.is_drawn = true;
    proposals.add(form, &[hypothesis], &kind, hypothesis);
}

/// The first of those that are alike, at most [`MOST_ARGUMENTS`], and how many parts there are.
fn distinct<'u>(
    parts: impl Iterator<Item = &'u str>,
) -> (SmallVec<[&'u str; MOST_ARGUMENTS]>, usize) {
    let mut distinct = SmallVec::new();
    let mut count = 0;
    for part in parts {
        count += 1;
        if distinct.len() < MOST_ARGUMENTS && !distinct.contains(&part) {
            distinct.push(part);
        }
    }
    (distinct, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(path: &str, query: Option<&str>) -> Vec<String> {
        let mut proposals = Proposals::default();
        delete_repeated(path, query, &mut proposals);
        proposals.iter().map(|proposal| proposals.form(proposal).to_owned()).collect()
    }

    #[test]
    fn what_stood_before_is_left_out() {
        let once = forms("http://x.test/a/b/a/p", Some("q"));
        assert_eq!(once, ["http://x.test/a/b/p?q"]);
        let twice = forms("http://x.test/a/b/a/b/p", None);
        assert_eq!(twice, ["http://x.test/a/b/p", "http://x.test/a/**/p"]);
        let deep = forms(&format!("http://x.test{}/b/", "/a".repeat(99)), None);
        assert_eq!(deep, ["http://x.test/a/b/", "http://x.test/a/**/b/", "http://x.test/**/b/"]);
        assert_eq!(forms("http://x.test/p", Some("l=1&n&l=1")), ["http://x.test/p?l=1&n"]);
        for (path, query) in [("http://x.test/a/b/a", "l=1&l=2"), ("http://x.test/", ""), ("", "a")]
        {
            assert_eq!(forms(path, Some(query)), [""; 0]);
        }
    }

    /// Two hosts, and what each has under its folders, are never one form.
    #[test]
    fn forms_keep_the_host() {
        let folders = "/a".repeat(20);
        let of = |host: &str| forms(&format!("{host}{folders}/p"), None);
        assert!(of("http://x.test").iter().all(|form| !of("http://y.test").contains(form)));
    }
}
