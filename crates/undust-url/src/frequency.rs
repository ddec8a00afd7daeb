//! Document frequencies of tokens, and the function tokens that follow from them (Xu, Liu,
//! Callan, SIGIR 2017, section 2.1).

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::tokens::{Delimiters, Role, Token};

/// Whether names in the query are counted apart from other words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DfMode {
    /// As in the paper: one count for each text, in the query or elsewhere.
    Pooled,
    /// A name in the query is a separate token with its own threshold.
    Typed,
}

/// What makes a token a function token.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionRule {
    /// Least share of the site's URLs that contain the token. 0.01 in the paper.
    pub threshold: f64,
    /// The same share for names in the query, in [`DfMode::Typed`].
    pub key_threshold: f64,
    /// How names in the query are counted.
    pub mode: DfMode,
}

impl FunctionRule {
    /// Least number of `urls` that must contain the token. It is never below three, because one per
    /// cent of a small site may be a single URL.
    pub(super) fn least(&self, key: bool, urls: usize) -> u32 {
        let share = if key { self.key_threshold } else { self.threshold };
        // Without the slack, rounding errors could turn 0.01 · 600 into 7.
        let least = (share * urls as f64 - 1e-9).ceil();
        (least.max(3.0)) as u32
    }
}

/// The number of distinct URLs that contain each token.
#[derive(Debug)]
pub struct DocumentFrequencies<'u> {
    delimiters: Delimiters,
    mode: DfMode,
    counts: FxHashMap<(&'u str, bool), u32>,
    urls: usize,
}

impl<'u> DocumentFrequencies<'u> {
    /// Counts over `urls`, which must be distinct. Linear in their length.
    pub fn count(
        urls: impl Iterator<Item = &'u str>,
        delimiters: Delimiters,
        mode: DfMode,
    ) -> Self {
        let mut df = Self { delimiters, mode, counts: FxHashMap::default(), urls: 0 };
        let mut seen = FxHashSet::default();
        for url in urls {
            seen.clear();
            df.urls += 1;
            for token in delimiters.tokens(url) {
                let entry = (token.text, is_key(token, mode));
                if seen.insert(entry) {
                    *df.counts.entry(entry).or_default() += 1;
                }
            }
        }
        df
    }

    /// Number of URLs that contain `token`.
    pub fn of(&self, token: Token<'_>) -> u32 {
        self.counts.get(&(token.text, is_key(token, self.mode))).copied().unwrap_or(0)
    }

    /// The delimiters that the tokens were cut at, and how names in the query were counted.
    pub fn cut(&self) -> (Delimiters, DfMode) {
        (self.delimiters, self.mode)
    }

    /// The function tokens by `rule` without delimiters, sorted: the text, and whether it is a
    /// name in the query that was counted apart.
    pub fn functions(&self, rule: &FunctionRule) -> Vec<(&'u str, bool)> {
        let is_function = |((text, key), count): &(&(&str, bool), &u32)| {
            **count >= rule.least(*key, self.urls) && !self.delimiters.is_delimiter(text)
        };
        let entries = self.counts.iter().filter(is_function);
        let mut functions: Vec<_> = entries.map(|(entry, _)| *entry).collect();
        functions.sort_unstable();
        functions
    }
}

fn is_key(token: Token<'_>, mode: DfMode) -> bool {
    mode == DfMode::Typed && token.role == Role::Key
}
