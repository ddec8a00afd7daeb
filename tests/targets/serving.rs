//! What holds of everything that gives URLs their forms.

use undust::{Canonicalizer, How, Reason, Translation};
use undust_model::translation::Rewriter;

/// URLs of the models in `tests/formats`, odd ones among them.
pub const URLS: [&str; 13] = [
    "http://a.test/users/9x/bob",
    "http://b.test/story/7/print",
    "HTTP://b.test:80/story/7/print?utm_source=x#top",
    "http://c.test/story/7777/print",
    "http://c.test/story/7777/print?a=1&b=2&a=1",
    "http://c.test/",
    "http://c.test/story?id=../../x&id=A?b=c",
    "http://c.test/story/é%2f%zz/;/,.~",
    "http://c.test/Story/A7b/Print/tags:b,a?id=b,a&a=2|1&b=B,A",
    "https://www.c.test//story//1//print/",
    "http://other.test/story/1/print",
    "no URL",
    "",
];

/// Total, the same at any time, and a form is its own form. A URL that was left alone is as it
/// came.
pub fn assert_canonical(model: &dyn Canonicalizer, url: &str) {
    let translation = model.canonicalize(url);
    assert_eq!(model.canonicalize(url).canonical, translation.canonical);
    if let How::Unchanged(_) = translation.how {
        assert_eq!(translation.canonical, url);
    }
    let form = translation.canonical.as_ref();
    let again = model.canonicalize(form);
    assert_eq!(again.canonical, form, "the form of {url} has another form, {:?}", again.cause);
    assert!(url.contains('\n') || !form.contains('\n'), "{url} has a form of two lines: {form}");
    // Whatever the cause says, it can be printed.
    assert!(translation.cause.to_string().is_empty() == translation.cause.is_empty());
    let _ = translation.cause.is_trusted(0.5);
}

/// A [`Rewriter`] that gets URLs without normalisation, to test a method by itself.
#[derive(Debug, Clone, Copy)]
pub struct Unnormalized<'r, R>(pub &'r R);

impl<R: Rewriter> Canonicalizer for Unnormalized<'_, R> {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        self.0.rewrite(url)
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        self.0.prepare(urls);
    }
}

/// Whether a form was refused because nothing was found for it.
pub fn no_rule(how: How) -> bool {
    how == How::Unchanged(Reason::NoRule)
}
