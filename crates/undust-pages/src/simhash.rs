//! 64-bit simhash (Charikar 2002; Manku, Jain and Das Sarma 2007) over word 3-grams.

use xxhash_rust::xxh64::xxh64;

use super::hex64;
use super::text_hash::{MaskedText, TextHash};

/// Words in a shingle.
const SHINGLE_WORDS: usize = 3;
/// When the text of past words is longer than this, the part no longer needed is dropped.
const TEXT_BYTES: usize = 32 * 1024;

/// A 64-bit fingerprint of a page's visible text; 16 hex digits in a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Simhash(pub u64);

impl serde::Serialize for Simhash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex64::serialize(self.0, serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Simhash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex64::deserialize(deserializer, "a simhash").map(Self)
    }
}

impl Simhash {
    /// Parses the 16 hex digits of a manifest.
    pub fn from_hex(hex: &str) -> Option<Self> {
        hex64::parse(hex).map(Self)
    }
}

/// The fingerprint of a sequence of words, `None` without a word.
///
/// A shingle is three neighbouring words joined by one space, hashed by XXH64 with seed 0. A
/// text of fewer words is one shingle. Bit `i` is set if it is set in more than half of the
/// shingles; a repeated shingle counts each time.
pub fn simhash<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<Simhash> {
    let mut shingles = Shingles::default();
    words.into_iter().for_each(|word| shingles.push(word));
    shingles.simhash()
}

/// A text's fingerprint word by word, in memory that does not grow with the text.
#[derive(Debug, Clone)]
pub struct Shingles {
    /// The last words, lower-cased, one space between them.
    text: String,
    /// Where the last words start in `text`, oldest first.
    starts: [usize; SHINGLE_WORDS],
    words: u64,
    ones: Ones,
    masked: MaskedText,
    /// Where the words start in `text` that are not in `masked` yet.
    unmasked: usize,
}

impl Default for Shingles {
    fn default() -> Self {
        Shingles {
            text: String::new(),
            starts: [0; SHINGLE_WORDS],
            words: 0,
            ones: Ones::default(),
            masked: MaskedText::default(),
            unmasked: 0,
        }
    }
}

impl Shingles {
    /// Adds a word. The caller has lower-cased it.
    fn push(&mut self, word: &str) {
        self.begin();
        self.text.push_str(word);
        self.end();
    }

    /// Words pushed so far.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// The fingerprint of the words so far, `None` without a word.
    pub fn simhash(&self) -> Option<Simhash> {
        match self.words {
            0 => None,
            1 | 2 => Some(Simhash(xxh64(self.text.as_bytes(), 0))),
            words => Some(self.majority(words - (SHINGLE_WORDS as u64 - 1))),
        }
    }

    /// The hash of the words so far, `None` without a word.
    pub fn text_hash(&self) -> Option<TextHash> {
        let mut masked = self.masked.clone();
        masked.push(&self.text[self.unmasked..]);
        (self.words > 0).then(|| masked.hash())
    }

    /// Splits `text` into words (runs of letters, digits and `_`, in any script), lower-cases
    /// them and adds each.
    pub fn push_text(&mut self, text: &str) {
        for word in text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()) {
            self.begin();
            if word.is_ascii() {
                self.text.push_str(word);
                let start = self.starts[SHINGLE_WORDS - 1];
                self.text[start..].make_ascii_lowercase();
            } else {
                self.text.push_str(&word.to_lowercase());
            }
            self.end();
        }
    }

    fn begin(&mut self) {
        if self.text.len() > TEXT_BYTES {
            self.forget();
        }
        if self.words > 0 {
            self.text.push(' ');
        }
        self.starts.rotate_left(1);
        self.starts[SHINGLE_WORDS - 1] = self.text.len();
    }

    fn end(&mut self) {
        self.words += 1;
        if self.words >= SHINGLE_WORDS as u64 {
            self.ones.add(xxh64(&self.text.as_bytes()[self.starts[0]..], 0));
        }
    }

    /// Drops the text that no further shingle needs.
    fn forget(&mut self) {
        self.masked.push(&self.text[self.unmasked..]);
        let needed = self.starts[1];
        self.text.drain(..needed);
        self.unmasked = self.text.len();
        self.starts = self.starts.map(|start| start.saturating_sub(needed));
    }

    fn majority(&self, shingles: u64) -> Simhash {
        let is_set = |bit: &usize| 2 * self.ones.count(*bit) > shingles;
        Simhash((0..64).filter(is_set).fold(0, |hash, bit| hash | 1 << bit))
    }
}

/// Counts, for each bit, the hashes in which it is set.
///
/// Eight counters of one byte share a 64-bit integer, so a hash costs eight additions instead
/// of 64. They are added to `counts` before they overflow.
#[derive(Debug, Clone)]
struct Ones {
    bytes: [u64; 8],
    /// Hashes in `bytes`.
    recent: u8,
    counts: [u64; 64],
}

impl Default for Ones {
    fn default() -> Self {
        Ones { bytes: [0; 8], recent: 0, counts: [0; 64] }
    }
}

/// Each bit of a byte in a byte of its own.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut entry = 0;
    while entry < 256 * 8 {
        let (byte, bit) = (entry / 8, entry % 8);
        spread[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
        entry += 1;
    }
    spread
};

impl Ones {
    fn add(&mut self, hash: u64) {
        for (counters, byte) in self.bytes.iter_mut().zip(hash.to_le_bytes()) {
            *counters += SPREAD[usize::from(byte)];
        }
        self.recent += 1;
        if self.recent == u8::MAX {
            let recent = std::array::from_fn::<_, 64, _>(|bit| self.recent(bit));
            self.counts.iter_mut().zip(recent).for_each(|(count, recent)| *count += recent);
            (self.bytes, self.recent) = ([0; 8], 0);
        }
    }

    fn count(&self, bit: usize) -> u64 {
        self.counts[bit] + self.recent(bit)
    }

    fn recent(&self, bit: usize) -> u64 {
        self.bytes[bit / 8] >> (8 * (bit % 8)) & 0xff
    }
}

fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { c.is_alphanumeric() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word.
    fn slow(words: &[&str]) -> Option<Simhash> {
        let shingles: Vec<String> = match words.len() {
            0 => return None,
            1 | 2 => vec![words.join(" ")],
            _ => words.windows(3).map(|window| window.join(" ")).collect(),
        };
        let mut weights = [0i64; 64];
        for shingle in &shingles {
            let hash = xxh64(shingle.as_bytes(), 0);
            for (bit, weight) in weights.iter_mut().enumerate() {
                *weight += if hash >> bit & 1 == 1 { 1 } else { -1 };
            }
        }
        let set = (0..64).filter(|&bit| weights[bit] > 0);
        Some(Simhash(set.fold(0, |hash, bit| hash | 1 << bit)))
    }

    #[test]
    fn equals_the_definition() {
        let words: Vec<String> = (0..20_000).map(|i| format!("word{}", i * 7919 % 601)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for length in [0, 1, 2, 3, 4, 100, 20_000] {
            assert_eq!(
                simhash(words[..length].iter().copied()),
                slow(&words[..length]),
                "{length}"
            );
        }
    }

    #[test]
    fn text_is_split_and_lower_cased() {
        let mut shingles = Shingles::default();
        shingles.push_text(" Größe: ÉTÉ 2026, foo_bar — x-Y; ");
        assert_eq!(shingles.words(), 6);
        assert_eq!(shingles.simhash(), simhash(["größe", "été", "2026", "foo_bar", "x", "y"]));
    }

    #[test]
    fn reads_and_writes_hex() {
        let json = serde_json::to_string(&Simhash(0x0f)).unwrap();
        assert_eq!(json, "\"000000000000000f\"");
        assert_eq!(serde_json::from_str::<Simhash>(&json).unwrap(), Simhash(0x0f));
        for odd in ["\"f\"", "\"+00000000000000f\"", "\"g00000000000000f\"", "17", "\"éééééééé\""]
        {
            assert!(serde_json::from_str::<Simhash>(odd).is_err(), "{odd}");
        }
    }
}
