//! Pairs of URLs that would decide edits which were tested too little.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;

use super::{AskedOperation, Question};

/// URLs that are looked at.
const MOST_URLS: usize = 50_000;

/// Pairs of one edit at most: the law of evidence asks for thirty URLs of different forms where an
/// edit risks most ([law](crate::gate)).
const MOST_PAIRS: usize = 30;

/// What an edit would do to the known URLs: the URLs that would get each form.
type ByForm<'u> = IndexMap<String, Vec<&'u str>>;

/// Accepted edits outside their reach, and refused ones that were tested too little.
pub(super) fn asked(model: &SiteModel, urls: &[&str], most: usize) -> Vec<AskedOperation> {
    let urls = &urls[..urls.len().min(MOST_URLS)];
    let forms: FxHashMap<String, &str> =
        urls.iter().map(|url| (model.canonicalize(url).canonical.into_owned(), *url)).collect();
    let mut edits: IndexMap<(String, String, Question), ByForm<'_>> = IndexMap::new();
    for &url in urls {
        for hypothesis in model.hypotheses(url) {
            let question =
                if hypothesis.is_refused { Question::Refused } else { Question::NotTestedHere };
            let key = (hypothesis.notation, hypothesis.scope, question);
            edits.entry(key).or_default().entry(hypothesis.form).or_default().push(url);
        }
    }
    let operation = |((operation, scope, question), by_form): ((_, _, _), ByForm<'_>)| {
        let shared = |form: &String| usize::from(forms.contains_key(form));
        let saved = by_form.iter().map(|(form, urls)| urls.len() + shared(form) - 1);
        let (scope, saves) = (Some(scope), saved.sum::<usize>() as u64);
        let pairs = pairs(&by_form, &forms, most.min(MOST_PAIRS));
        AskedOperation { operation, scope, question, saves, pairs }
    };
    edits.into_iter().map(operation).collect()
}

/// A pair for each form: a URL that would get it, and one that has it already, else another one that would get it,
/// else the form itself. URLs that are known come before forms that nobody has seen.
fn pairs(by_form: &ByForm<'_>, forms: &FxHashMap<String, &str>, most: usize) -> Vec<[String; 2]> {
    let mut known = Vec::new();
    let mut made_up = Vec::new();
    for (form, urls) in by_form {
        let Some((first, others)) = urls.split_first() else { continue };
        match forms.get(form).or(others.first()) {
            Some(other) => known.push([(*first).to_owned(), (*other).to_owned()]),
            None => made_up.push([(*first).to_owned(), form.clone()]),
        }
    }
    known.into_iter().chain(made_up).take(most).collect()
}
