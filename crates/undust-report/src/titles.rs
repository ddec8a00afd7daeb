//! The titles of pages; learning keeps only their hashes.

use rustc_hash::FxHashMap;

use undust_pages::pages::title_hash;

/// Most bytes of titles that are kept.
const MOST_BYTES: usize = 100_000_000;

/// Bytes of a title that are kept.
const TITLE_BYTES: usize = 300;

/// Different titles of a crawl, by their hashes. What comes after 100 MB of them has none.
#[derive(Debug, Default)]
pub struct Titles {
    by_hash: FxHashMap<u64, Box<str>>,
    bytes: usize,
}

impl Titles {
    /// Keeps a title.
    pub fn see(&mut self, title: &str) {
        if self.bytes >= MOST_BYTES {
            return;
        }
        let Some(hash) = title_hash(title) else { return };
        self.by_hash.entry(hash).or_insert_with(|| {
            let mut kept = String::new();
            for word in title.split_whitespace() {
                kept += if kept.is_empty() { "" } else { " " };
                let left = TITLE_BYTES.saturating_sub(kept.len());
                if word.len() > left {
                    kept += &word[..word.floor_char_boundary(left)];
                    kept.push('…');
                    break;
                }
                kept += word;
            }
            self.bytes += kept.len();
            kept.into()
        });
    }

    /// The title with this hash, white space collapsed.
    pub(crate) fn get(&self, hash: Option<u64>) -> Option<String> {
        Some(self.by_hash.get(&hash?)?.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_found_by_the_hash_of_its_page() {
        let mut titles = Titles::default();
        titles.see("  A \n page ");
        titles.see(" ");
        titles.see(&format!("{} x", "é".repeat(1_000_000)));
        assert_eq!(titles.get(title_hash("A page")).as_deref(), Some("A page"));
        assert_eq!((titles.get(title_hash("B")), titles.get(None)), (None, None));
        assert_eq!(titles.by_hash.len(), 2);
        assert!(titles.bytes < 400, "{}", titles.bytes);
        let two_words = format!("A {}", "x".repeat(1_000));
        titles.see(&two_words);
        let cut = format!("A {}…", "x".repeat(TITLE_BYTES - 2));
        assert_eq!(titles.get(title_hash(&two_words)), Some(cut));
    }
}
