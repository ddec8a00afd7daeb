//! What a learner or a network makes of URLs, without any gate.

use std::fmt::Write;

use smallvec::SmallVec;

use undust_model::translation::{Canonicalizer, How};
use undust_url::query::{arguments, path_and_query};

use super::kind::MOST_ARGUMENTS;
use super::{Kind, Proposals, Propose};

/// Proposes what a learner's rules or a network make of URLs, without any gate. Tests are pooled by
/// rule, or by what a network changes.
pub struct Unproven<C> {
    name: String,
    learned: C,
}

impl<C: Canonicalizer> Unproven<C> {
    /// What somebody of this name learned.
    pub fn new(name: impl Into<String>, learned: C) -> Self {
        Self { name: name.into(), learned }
    }
}

impl<C: Canonicalizer> Propose for Unproven<C> {
    fn propose(&self, url: &str, proposals: &mut Proposals) {
        let translation = self.learned.canonicalize(url);
        let form = &*translation.canonical;
        if form != url {
            let kind = match translation.how {
                How::Rules => Kind::named(&translation.cause.to_string()),
                _ => Kind::named(&change(url, form)),
            };
            proposals.add(&[form], &[&self.name], &kind, &self.name);
        }
    }
}

/// What changes: the names that go, stay and come, whether the path does, and its depth.
fn change(url: &str, form: &str) -> String {
    let ((path, names), (form_path, form_names)) = (parts(url), parts(form));
    let mut change = String::new();
    // Writing to a string cannot fail.
    for name in &names {
        let sign = if form_names.contains(name) { '=' } else { '-' };
        let _: Result<_, _> = write!(change, "{sign}{name}");
    }
    for name in form_names.iter().filter(|name| !names.contains(name)) {
        let _: Result<_, _> = write!(change, "+{name}");
    }
    let depth = path.split('/').count();
    let _: Result<_, _> = write!(change, " {depth} {}", path == form_path);
    change
}

fn parts(url: &str) -> (&str, SmallVec<[&str; 8]>) {
    let (path, query) = path_and_query(url);
    let mut names: SmallVec<[&str; 8]> =
        arguments(query).take(MOST_ARGUMENTS).map(|argument| argument.key()).collect();
    names.sort_unstable();
    (path, names)
}

#[cfg(test)]
mod tests {
    use undust_model::translation::Translation;

    use super::*;

    struct WithoutQuery;

    impl Canonicalizer for WithoutQuery {
        fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
            let canonical = url.split('?').next().unwrap_or_default().into();
            Translation { canonical, how: How::Network, cause: Default::default() }
        }
    }

    #[test]
    fn what_changes_is_proposed_and_pooled_by_how() {
        let classes = [
            "http://a.test/1?x=1",
            "http://a.test/2?x=7",
            "http://a.test/2?y=7",
            "http://a.test/1",
        ]
        .map(|url| {
            let mut proposals = Proposals::default();
            Unproven::new("net", WithoutQuery).propose(url, &mut proposals);
            proposals.iter().map(|proposal| proposal.class).next()
        });
        assert!(classes[0].is_some() && classes[0] == classes[1]);
        assert!(classes[2].is_some() && classes[0] != classes[2]);
        assert_eq!(classes[3], None);
    }
}
