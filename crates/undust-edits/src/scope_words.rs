//! Scopes in words: where an edit holds.

use std::borrow::Cow;
use std::fmt::Write;

use undust_url::lexicon::{Lexicon, Symbol};

use super::edit::Edit;
use super::known_values::{Attribute, KnownValueMarks};
use super::restriction::Restriction;
use super::scope::{ContextFeature, Scope};
use super::spell::Short;

/// A scope in words: where an edit holds, `only` there where it says so.
pub(super) fn words(
    edit: &Edit,
    scope: &Scope,
    only: Option<&Restriction>,
    lexicon: &Lexicon,
    marks: &KnownValueMarks,
) -> Cow<'static, str> {
    if let (None, None) = (scope.context_feature(), only) {
        return plain_words(edit, scope.level()).into();
    }
    let mut text = Short::default();
    // It fails where it is cut.
    let _ = match scope.context_feature() {
        Some(context_feature) => write_context(context_feature, &mut text, lexicon, marks),
        None => text.write_str(plain_words(edit, scope.level())),
    };
    let _ = only.map(|only| only.write(&mut text, lexicon));
    text.text().into()
}

fn write_context(
    context_feature: ContextFeature,
    text: &mut Short,
    lexicon: &Lexicon,
    marks: &KnownValueMarks,
) -> std::fmt::Result {
    let spell = |symbol: Symbol| lexicon.spell(symbol);
    match context_feature {
        ContextFeature::Word(word) => {
            write!(text, "with {} in the path and the same names in the query", spell(word))
        }
        ContextFeature::Argument(key, value) => {
            let (key, value) = (spell(key), spell(value));
            write!(text, "with {key}={value} and the same names in the query")
        }
        ContextFeature::Known(attribute) => {
            let what = match attribute {
                Attribute::Path => "the path".into(),
                Attribute::Argument(name) => spell(name),
            };
            let values = marks.count(attribute);
            write!(
                text,
                "where {what} is one of {values} values known to name one page, with the same names in the query"
            )
        }
    }
}

fn plain_words(edit: &Edit, level: usize) -> &'static str {
    match (edit, level) {
        (Edit::DropSlot(_), 0) => "on paths with the same beginning",
        (Edit::DropSlot(_), 1..=4) => "on one path, with anything in its place and in the query",
        (Edit::DropPath, 0..=4) => "wherever the query has the same names",
        (Edit::DropPath, _) => "wherever the query has the same names and words",
        (_, 0) => "anywhere",
        (_, 1) => "on pages with the same ending and the same names in the query",
        (_, 2) => "on pages with the same ending and names, between the same neighbours",
        (_, 3) => "on pages with the same ending, names, and words in the path",
        (_, 4) => "on one path, with the same names in the query",
        (_, 5) => "on one path, with the same names and words in the query",
        _ => "on URLs of one pattern",
    }
}
