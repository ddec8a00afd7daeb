//! What texts take in memory, about: models say of themselves what they take, so that a registry
//! can hold no more than it may.

/// What an allocation takes besides what is in it.
pub(crate) const ALLOCATION: usize = 16;

/// Bytes of a text's own allocation, which come in steps; an empty one has none.
pub(crate) fn of_text(text: &str) -> usize {
    if text.is_empty() { 0 } else { text.len().next_multiple_of(ALLOCATION) + ALLOCATION }
}

/// Bytes that texts take in a list.
pub(crate) fn of_texts<'t>(texts: impl Iterator<Item = &'t String>) -> usize {
    texts.map(|text| size_of::<String>() + of_text(text)).sum()
}
