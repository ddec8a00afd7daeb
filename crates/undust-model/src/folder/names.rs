//! The files of a model's folder by name, and how much of them is read.

use std::path::Path;

use undust_util::atomic_file::is_unfinished;

/// What the folder holds, with the checksums of its other files.
pub(crate) const MODEL: &str = "model.json";
/// What is switched off until the next training.
pub(crate) const DISABLED: &str = "disabled.json";
/// The counts of observed URLs, from which `disabled.json` follows. It changes all the time, and no
/// model is loaded again for it.
pub(crate) const TRIALS: &str = "trials.json";
/// What fetches said of its rules, as `undust observe` writes it. It changes no answer.
pub(crate) const VALIDATED: &str = "validated.json";
/// How the site writes its URLs.
pub(crate) const CONVENTIONS: &str = "conventions.json";
/// The rules of a folder.
pub(crate) const RULES: &str = "rules.json";
/// The accepted edits of a folder.
pub(crate) const GATE: &str = "gate.json";
/// The vocabulary of a folder.
pub(crate) const TOKENIZER: &str = "tokenizer.json";
/// What the symbols of a pointer network stand for.
pub(crate) const LEXICON: &str = "lexicon.json";
/// The network of a folder.
pub(crate) const WEIGHTS: &str = "weights.safetensors";

/// Bytes of memory that a file takes at most, for each of its bytes on disk: what is made of it, and
/// what stands in memory on the way there. In 170 folders of all methods rules took 7.3 and all else
/// 3.7, plus some 16 KiB a folder. Edits took 4.7 to 6.8 in nine folders of `auto`, and words some
/// 9 in twelve.
pub(super) const FACTORS: [(&str, u64); 8] = [
    (MODEL, 4),
    (CONVENTIONS, 4),
    (GATE, 8),
    (RULES, 8),
    (LEXICON, 12),
    (TOKENIZER, 4),
    (WEIGHTS, 4),
    (DISABLED, 4),
];

/// The names of all files that loading a model may read.
pub(super) fn loaded() -> impl Iterator<Item = &'static str> {
    FACTORS.into_iter().map(|(name, _)| name)
}

/// The names of all files that belong to a model, and are packed with it.
pub(crate) fn packed() -> impl Iterator<Item = &'static str> {
    loaded().chain([TRIALS, VALIDATED])
}

/// Whether a pack may hold a file of this name.
pub(crate) fn is_packed(name: &str) -> bool {
    packed().any(|known| known == name)
}

/// Files of earlier formats, which a training may replace with all else.
const FORMER: [&str; 2] = ["usage.json", "off.json"];

/// Whether a file of this name may be one that undust wrote into a model's folder. A new kind of
/// file there must be added to those above.
pub(crate) fn is_own(name: &str) -> bool {
    FACTORS.iter().any(|(own, _)| *own == name)
        || name == TRIALS
        || name == VALIDATED
        || FORMER.contains(&name)
        || is_unfinished(name)
}

/// Bytes of a file of weights at most: the largest network that can be set takes half of it.
const MOST_WEIGHTS: u64 = 4 << 30;
/// Bytes of any other file at most. As JSON it may take sixteen times as many in memory.
pub(super) const MOST_JSON: u64 = 64 << 20;

/// Bytes of a file at most.
pub(crate) fn most(path: &Path) -> u64 {
    let is_weights = path.extension().is_some_and(|extension| extension == "safetensors");
    if is_weights { MOST_WEIGHTS } else { MOST_JSON }
}
