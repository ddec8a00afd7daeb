//! `gate.json`, read and served.

use undust::model::Model;
use undust_edits::editor::Editor;
use undust_model::translation::Rewriter;

use super::serving::{URLS, Unnormalized, assert_canonical};
use super::{halves, text};

/// The bytes before the first zero are the file, those behind it URLs.
pub fn check(bytes: &[u8]) {
    let (json, urls) = halves(bytes);
    let urls = text(urls);
    let Ok(editor) = Editor::from_json(json) else { return };
    let written = editor.to_json().expect("what was read can be written");
    let again = Editor::from_json(&written).expect("what was written can be read");
    let (model, again) = (Model::Edits(Box::new(editor)), Model::Edits(Box::new(again)));
    for url in URLS.into_iter().chain(urls.lines()) {
        assert_canonical(&Unnormalized(&model), url);
        assert_eq!(form(&model, url), form(&again, url));
    }
}

fn form(model: &Model, url: &str) -> String {
    Rewriter::rewritten(model, url).into_owned()
}
