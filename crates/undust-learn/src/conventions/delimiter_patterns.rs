//! By which delimiters a site divides its values and the segments of its paths, as training saw it.

use undust_edits::conventions::delimiter_patterns::{
    ANY_NUMBER, DelimiterPattern, DelimiterPatterns, PatternSet, parts,
};

/// Patterns that are known of one place, and places: more are hostile, and count as never seen.
const MOST: usize = 4096;

/// Of the URLs of a crawl. Linear in them.
pub(super) fn learn<'u>(urls: impl Iterator<Item = &'u str>) -> DelimiterPatterns {
    let (mut delimiter_patterns, mut pattern) =
        (DelimiterPatterns::default(), DelimiterPattern::default());
    for url in urls {
        for (name, part) in parts(url) {
            if pattern.read(part) {
                see(&mut delimiter_patterns, name, &pattern);
            }
        }
    }
    delimiter_patterns
}

/// Notes the pattern of a value of this argument, or of a segment of a path.
fn see(known: &mut DelimiterPatterns, name: Option<&str>, pattern: &DelimiterPattern) {
    let Some(name) = name else { return see_in(&mut known.path, pattern) };
    if let Some(patterns) = known.arguments.get_mut(name) {
        see_in(patterns, pattern);
    } else if known.arguments.len() < MOST {
        see_in(known.arguments.entry(name.to_owned()).or_default(), pattern);
    }
}

fn see_in(patterns: &mut PatternSet, DelimiterPattern { all, shape }: &DelimiterPattern) {
    if let Some(known) = patterns.0.get_mut(shape) {
        if known.len() < ANY_NUMBER && !known.contains(all) {
            known.push(all.clone());
        }
    } else if patterns.0.len() < MOST {
        patterns.0.insert(shape.clone(), vec![all.clone()]);
    }
}

#[cfg(test)]
mod tests {
    use undust_edits::conventions::delimiter_patterns::MOST_PARTS;

    use super::*;

    fn copied_in_part(training: &[&str], url: &str, form: &str) -> bool {
        let urls: Vec<String> = training.iter().map(|url| format!("http://a.b{url}")).collect();
        let delimiter_patterns = learn(urls.iter().map(String::as_str));
        let json = serde_json::to_string(&delimiter_patterns).expect("JSON");
        assert_eq!(
            serde_json::from_str::<DelimiterPatterns>(&json).expect("patterns"),
            delimiter_patterns
        );
        delimiter_patterns
            .is_copied_in_part(&format!("http://a.b{url}"), &format!("http://a.b{form}"))
    }

    #[test]
    fn what_is_delimited_as_never_seen_is_copied_whole_or_not_at_all() {
        let wiki = ["/i.php?title=A", "/i.php/A", "/name-7.html"];
        for (url, form, is_copied) in [
            ("/i.php?title=../../../secret", "/i.php/secret", true),
            ("/i.php?title=A/B", "/i.php/A", true),
            ("/i.php?title=A/B", "/i.php/B", true),
            ("/i.php?title=A/B", "/i.php/A/B", false),
            ("/i.php?title=A/B", "/i.php", false),
            ("/i.php?title=/A", "/i.php/A", true),
            ("/i.php?title=A.B", "/i.php/A.", true),
            ("/i.php?name=QUI=", "/i.php?id=QUI", true),
            ("/u/A&/3", "/u/A/3", true),
            // As training saw it.
            ("/title-12.html", "/12", false),
            ("/title-1.2.html", "/1", true),
            ("/my-title-12.html", "/12", true),
            // The other title stays what it was, and is not taken from this one.
            ("/A?title=A.B", "/A", false),
            ("/A?title=A.B", "/A/A", true),
            ("/A?x=A.A", "/A/A", true),
        ] {
            assert_eq!(copied_in_part(&wiki, url, form), is_copied, "{url} → {form}");
        }
    }

    /// Titles have as many words as they like.
    #[test]
    fn a_delimiter_that_follows_itself_in_several_ways_may_do_so_in_any() {
        let two = ["/a-b_1", "/a-b-c_1"];
        let three = ["/a-b_1", "/a-b-c_1", "/a-b-c-d_1"];
        let (url, form) = ("/a-b-c-d-e-f_7", "/7");
        assert_eq!(
            [copied_in_part(&two, url, form), copied_in_part(&three, url, form)],
            [true, false]
        );
        assert!(copied_in_part(&three, "/a-b-c_7.html", form));
    }

    #[test]
    fn hostile_urls_cost_what_they_are_long() {
        let url =
            format!("/x?{}", (0..MOST_PARTS).map(|n| format!("a{n}=b.c&")).collect::<String>());
        assert!(!copied_in_part(&[], &url, "/x"));
        assert!(copied_in_part(&[], &format!("{url}z=b.c"), "/x"), "too many to be looked at");
    }
}
