//! Changes of accepted edits by what their application shows. Each makes the list of the edits anew, and an editor of it.

use rustc_hash::FxHashSet;
use undust_edits::editor::Editor;
use undust_edits::refused::{RefusalReason, RefusedEdit};
use undust_edits::restriction::Restriction;
use undust_edits::scope::Scope;
use undust_edits::translation::Rewriter;
use undust_url::lexicon::Constants;

/// URLs that an edit is explained by.
const EXAMPLES: usize = 2;

/// Each edit restricted to its reach, which is given for its place with the number of kinds of pages; the lexicon distinguishes the constants that these
/// ask for.
pub(super) fn restricted(
    editor: &Editor,
    reaches: Vec<(Option<Restriction>, u32)>,
    constants: Constants,
) -> Editor {
    let mut list = editor.list();
    for ((accepted, _), (only, kinds)) in list.accepted.iter_mut().zip(reaches) {
        accepted.only = only;
        accepted.evidence.kinds = kinds;
    }
    list.lexicon = list.lexicon.with_constants(constants);
    Editor::new(list)
}

/// Without an edit that was accepted and turned out to lose too much.
pub(super) fn without(editor: &Editor, place: usize) -> Editor {
    let mut list = editor.list();
    if let Some((accepted, _)) = list.accepted.get(place).cloned() {
        let (urls, evidence, rate) =
            (accepted.evidence.tested as usize, accepted.evidence, accepted.rate);
        let (edit, scope, only) = (accepted.edit, accepted.scope, accepted.only);
        let why = RefusalReason::Replay;
        list.record.refused.insert(0, RefusedEdit { edit, scope, only, urls, evidence, rate, why });
    }
    Editor::new(list.without(&FxHashSet::from_iter([place])))
}

/// Where an edit no longer holds in some narrower scopes, in which it saved so many fetches.
pub(super) fn except(editor: &Editor, place: usize, scopes: Vec<Scope>, saved: usize) -> Editor {
    let mut list = editor.list();
    if let Some((accepted, _)) = list.accepted.get_mut(place) {
        accepted.except(scopes);
        let evidence = &mut accepted.evidence;
        evidence.tested = evidence.tested.saturating_sub(saved as u32);
        evidence.saved = evidence.saved.saturating_sub(saved as i32).max(0);
    }
    Editor::new(list)
}

/// With examples of the edits among the URLs of the crawl, which are given by number. What an exception has suppressed
/// since does not count.
pub(super) fn with_examples<'u>(editor: &Editor, url: impl Fn(u32) -> Option<&'u str>) -> Editor {
    let mut list = editor.list();
    let pair = |number: &u32| {
        let url = url(*number)?;
        Some([url.to_owned(), editor.rewritten(url).into_owned()])
    };
    for (accepted, examples) in &mut list.accepted {
        let pairs = accepted.examples.iter().filter_map(pair);
        *examples = pairs.filter(|[url, form]| url != form).take(EXAMPLES).collect();
    }
    Editor::new(list)
}
