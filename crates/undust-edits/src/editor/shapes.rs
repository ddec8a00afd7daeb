//! What a shape determines for all its URLs: their names, and what their values mean.

use undust_url::lexicon::{Lexicon, Symbol};
use undust_url::pieces::UrlPart;

use crate::program::{Cell, TextSource, symbols};

/// Scheme, `://` and host.
const ORIGIN: usize = 3;

/// Whether a form has its URL's scheme and host, and its shape determines them and all names.
pub(super) fn keeps_origin_and_determines_names(program: &[Cell]) -> bool {
    let texts = program.iter().map(|cell| cell.text);
    texts.take(ORIGIN).eq((0..ORIGIN as u16).map(TextSource::Source))
        && determines_names(&symbols(program))
}

/// Whether scheme, host and all names in the query are function words, and there is no fragment.
pub(super) fn determines_names(shape: &[Symbol]) -> bool {
    let is = |symbol: Symbol, marks: &[&str]| {
        marks.iter().any(|mark| Lexicon::delimiter(mark) == Some(symbol))
    };
    let Some((origin, rest)) = shape.split_at_checked(ORIGIN) else { return false };
    let mut part = UrlPart::Path;
    let is_determined = |symbol: &Symbol| {
        if !Lexicon::is_delimiter(*symbol) {
            return part != UrlPart::Key || Lexicon::is_word(*symbol);
        }
        if is(*symbol, &["?"]) || part != UrlPart::Path && is(*symbol, &["&", ";"]) {
            part = UrlPart::Key;
        } else if part == UrlPart::Key && is(*symbol, &["="]) {
            part = UrlPart::Value;
        }
        !is(*symbol, &["#"])
    };
    Lexicon::is_word(origin[0])
        && is(origin[1], &["://"])
        && Lexicon::is_word(origin[2])
        && rest.iter().all(is_determined)
}

/// Whether only a `+`, a `\` or an escaped slash can come to [mean something else](undust_url::copied) when
/// values of such a URL are copied. What a `=` in a value means depends on the other values, too.
pub(super) fn determines_values(shape: &[Symbol]) -> bool {
    let is = |symbol: &Symbol, mark: &str| Lexicon::delimiter(mark) == Some(*symbol);
    let mut parts = shape.split(|symbol| is(symbol, "?"));
    let (path, query) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut arguments = query.split(|symbol| is(symbol, "&"));
    parts.next().is_none()
        && !path.iter().any(|symbol| is(symbol, "&"))
        && !shape.iter().any(|symbol| is(symbol, ";"))
        && arguments.all(|argument| argument.iter().filter(|symbol| is(symbol, "=")).count() < 2)
}
