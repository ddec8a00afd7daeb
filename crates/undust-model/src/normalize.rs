//! A URL on its way to a method and back: written as its site would, rewritten, and joined by the
//! arguments that no method rewrites.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use undust_url::query::{arguments, query_span};
use undust_url::tokens::same_server;

use super::model::Model;
use crate::translation::{Cause, How, Reason, Rewriter, Translation};
use undust_edits::conventions::{NormalizationStep, Normalized, UrlConventions};

impl Model {
    /// What it makes of `url` by the conventions of its site: what will be served, without the guard
    /// of the site.
    pub fn canonicalize<'u>(
        &self,
        conventions: Option<&Arc<UrlConventions>>,
        url: &'u str,
    ) -> Translation<'u> {
        let Some(conventions) = conventions else { return self.rewrite(url) };
        let Ok::<_, Infallible>(translation) =
            canonicalize_by(conventions, self, url, |url| Ok(self.rewrite(url)));
        translation
    }

    /// Does in batches what [`Self::canonicalize`] will need for these URLs.
    pub fn prepare_normalized(
        &self,
        conventions: Option<&UrlConventions>,
        urls: &mut dyn Iterator<Item = &str>,
    ) {
        match (conventions, self) {
            (Some(conventions), Self::Pointer(_) | Self::Network(_)) => {
                let normalized: Vec<_> = urls.map(|url| conventions.normalize(url).url).collect();
                self.prepare(&mut normalized.iter().map(AsRef::as_ref));
            }
            _ => self.prepare(urls),
        }
    }
}

/// What `rewrite`, which asks `model`, makes of `url` as its site would write it. Idempotent if
/// `rewrite` is.
///
/// An answer that is not normalised counts only if it is normalised and rewritten to itself;
/// otherwise the normalised URL is its own form. Where a URL's shape determines the answer,
/// `rewrite` is not asked.
///
/// # Errors
///
/// That of `rewrite`.
pub(super) fn canonicalize_by<'u, E>(
    conventions: &Arc<UrlConventions>,
    model: &Model,
    url: &'u str,
    rewrite: impl Fn(&str) -> Result<Translation<'_>, E>,
) -> Result<Translation<'u>, E> {
    let editor = model.editor();
    if let Some(translation) = editor.and_then(|it| it.translate_by_shape(conventions, url)) {
        return Ok(translation);
    }
    normalize_and_translate(conventions, url, |rest| {
        let editor = editor.filter(|_| rest != url);
        let at_once = editor.and_then(|it| it.translate_by_shape(conventions, rest));
        at_once.map_or_else(|| rewrite_stably(conventions, rest, &rewrite), Ok)
    })
}

/// The same without the shape cache, where `rewrite` gives answers that count.
fn normalize_and_translate<'u, E>(
    conventions: &UrlConventions,
    url: &'u str,
    rewrite: impl Fn(&str) -> Result<Translation<'_>, E>,
) -> Result<Translation<'u>, E> {
    if conventions.excepts(url) {
        return Ok(Translation::unchanged(url, Reason::Excepted));
    }
    let Normalized { url: rest, unknown_params, steps } = conventions.normalize(url);
    let Translation { canonical, how, cause } = match &rest {
        Cow::Borrowed(rest) => rewrite(rest)?,
        Cow::Owned(rest) => {
            let answer = rewrite(rest)?;
            let canonical = Cow::Owned(answer.canonical.into_owned());
            Translation { canonical, how: answer.how, cause: answer.cause }
        }
    };
    if steps.is_empty() && unknown_params.is_empty() {
        return Ok(Translation { canonical, how, cause });
    }
    let refused = if unknown_params.is_empty() || canonical == rest {
        None
    } else if unknown_params.starts_with(';') && cuts(&rest, &canonical) {
        Some(Reason::ValueWouldBreak)
    } else {
        let is_stable = can_be_reattached(conventions, &unknown_params, &canonical);
        (!is_stable).then_some(Reason::Unstable)
    };
    let (canonical, how, cause) = match refused {
        Some(reason) => (rest.clone(), How::Unchanged(reason), cause.without_steps()),
        None => (canonical, how, cause),
    };
    let form = Normalized::reattach(&unknown_params, canonical);
    if form == url {
        let cause = cause.without_steps();
        return Ok(Translation { canonical: Cow::Borrowed(url), how, cause });
    }
    let how = if let How::Unchanged(reason) = how { How::NormalForm(reason) } else { how };
    let steps = steps.into_iter().chain(Normalized::unknown_params_step(&unknown_params));
    Ok(Translation { canonical: form, how, cause: after(steps, cause) })
}

/// Whether a form with the unknown parameters comes apart into the two again. Behind a `;` arguments are set
/// aside that training knows, too: those that a rule wrote would, and then be written once more.
fn can_be_reattached(conventions: &UrlConventions, unknown_params: &str, form: &str) -> bool {
    let whole = Normalized::reattach(unknown_params, Cow::Borrowed(form));
    let again = conventions.normalize(&whole);
    again.url == form && Normalized::reattach(&again.unknown_params, Cow::Borrowed(form)) == whole
}

/// Whether the last argument of `rest` is not that of `form`. A `;` behind it may be a character of its
/// value, of which the method saw the beginning alone, and what is set aside is then the rest of it.
fn cuts(rest: &str, form: &str) -> bool {
    let last = |url: &str| {
        let (start, end) = query_span(url)?;
        arguments(&url[start..end]).last().map(|argument| argument.text.to_owned())
    };
    last(rest) != last(form)
}

/// What `rewrite` makes of a normalised URL, if that is stable and no value changes its meaning;
/// otherwise the normalised URL.
fn rewrite_stably<'u, E>(
    conventions: &UrlConventions,
    rest: &'u str,
    rewrite: impl Fn(&str) -> Result<Translation<'_>, E>,
) -> Result<Translation<'u>, E> {
    let answer = rewrite(rest)?;
    debug_assert!(
        !answer.cause.only_leaves_out_arguments() || conventions.is_normalized(&answer.canonical),
        "{rest} → {}",
        answer.canonical
    );
    if *answer.canonical == *rest {
        return Ok(answer);
    }
    if !same_server(rest, &answer.canonical) && !conventions.hosts.know_server(&answer.canonical) {
        return Ok(answer.refused(rest, Reason::OtherSite));
    }
    if conventions.is_copied_in_part(rest, &answer.canonical) {
        return Ok(answer.refused(rest, Reason::ValueWouldBreak));
    }
    if answer.cause.only_leaves_out_arguments() || conventions.is_normalized(&answer.canonical) {
        return Ok(answer);
    }
    let again = conventions.normalize(&answer.canonical);
    let is_stable =
        again.unknown_params.is_empty() && rewrite(&again.url)?.canonical == answer.canonical;
    Ok(if is_stable { answer } else { answer.refused(rest, Reason::Unstable) })
}

/// The steps of normalisation, and then `cause`.
fn after(steps: impl Iterator<Item = NormalizationStep>, cause: Cause) -> Cause {
    let mut all = Cause::default();
    steps.for_each(|step| all.push(Arc::new(step)));
    all.append(cause);
    all
}

#[cfg(test)]
mod tests {
    use undust_edits::conventions::arguments::Arguments;

    use super::*;

    /// Behind a `;` all arguments are set aside, and what the rules write would be the next time.
    #[test]
    fn what_is_set_aside_is_not_written_again() {
        let names = [("a", 0), ("b", 1), ("c", 2)];
        let groups = names.into_iter().map(|(name, group)| (name.into(), group)).collect();
        let arguments = Some(Arguments { groups, ..Arguments::default() });
        let conventions = UrlConventions { arguments, ..UrlConventions::default() };
        fn rewrite(url: &str) -> Result<Translation<'_>, Infallible> {
            let mark = if url.contains('?') { '&' } else { '?' };
            let canonical = Cow::Owned(format!("{url}{mark}c=2"));
            Ok(Translation { canonical, how: How::Rules, cause: Cause::default() })
        }
        for (url, form) in [
            ("http://s.com/u?b=1&a=1;x", "http://s.com/u?b=1&a=1;x"),
            ("http://s.com/u?a=1&x=1", "http://s.com/u?a=1&c=2&x=1"),
        ] {
            let Ok(translation) = normalize_and_translate(&conventions, url, rewrite);
            assert_eq!(translation.canonical, form);
        }
    }
}
