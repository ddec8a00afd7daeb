//! What two URLs must have in common to lie in one scope.

use undust_url::lexicon::FrequencyThresholds;

use super::*;
use crate::program::copy;

const SITE: &str = "http://a.test/";

/// Reads URLs of a site whose words are those of `words`.
struct Reader(Lexicon);

impl Reader {
    fn of(words: &[&str]) -> Self {
        // A word stands in several URLs.
        let url =
            |word: &&str| ["", "/", "//"].map(|end| format!("{SITE}{word}{end}?{word}={word}"));
        let urls: Vec<String> = words.iter().flat_map(url).collect();
        let urls = urls.iter().map(String::as_str);
        Self(Lexicon::learn(urls, FrequencyThresholds { word: 0.0, key: 0.0 }))
    }

    fn program(&self, rest: &str) -> Vec<Cell> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        let url = format!("{SITE}{rest}");
        self.0.read(&url, &mut shape, &mut texts);
        copy(&shape).to_vec()
    }

    /// The levels at which two URLs lie in one scope.
    fn common(&self, edit: &Edit, urls: [&str; 2]) -> Vec<usize> {
        let [one, other] = urls.map(|url| scopes(edit, &self.program(url)));
        (0..LEVELS).filter(|level| one[*level] == other[*level]).collect()
    }
}

#[test]
fn each_level_asks_for_more() {
    let reader = Reader::of(&["blog", "news", "story", "view", "lang", "full", "html", "php"]);
    let edit = Edit::DropKey(reader.0.key("view").expect("a name"));
    let url = "blog/77?view=full";
    for (other, common) in [
        ("news/story.html?view=full", 0..1),
        ("blog/77?view=full&lang=5", 0..1),
        ("news/5/78?view=full", 0..3),
        ("5/blog/78?view=full", 0..4),
        ("blog/78?view=5", 0..5),
        ("blog/78?view=full", 0..7),
    ] {
        assert!(reader.common(&edit, [url, other]).into_iter().eq(common), "{other}");
    }
}

/// The piece behind `/go/`.
#[test]
fn a_slot_asks_for_what_is_before_it_then_for_one_path() {
    let reader = Reader::of(&["go", "to", "item", "shop", "view", "full"]);
    let edit = Edit::DropSlot(FRONT as u16 + 2);
    let url = "go/a/item?view=full";
    for (other, common) in [
        ("to/a/item?view=full", 0..0),
        ("go/b/shop/5", 0..1),
        ("go/a/item", 0..1),
        ("go/b/item?view=5", 0..5),
        ("go/b/item?view=full", 0..7),
    ] {
        assert!(reader.common(&edit, [url, other]).into_iter().eq(common), "{other}");
    }
}

#[test]
fn a_path_asks_for_names_then_for_words() {
    let reader = Reader::of(&["go", "to", "view", "full"]);
    for (other, common) in [("go", 0..0), ("to/5?view=5", 0..5), ("to/5?view=full", 0..7)] {
        let common_of = reader.common(&Edit::DropPath, ["go?view=full", other]);
        assert!(common_of.into_iter().eq(common), "{other}");
    }
}
