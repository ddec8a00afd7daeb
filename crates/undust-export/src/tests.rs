//! Exports of a saved model, held to the model.

mod caches;
mod comments;
mod generated;
mod steps;

use proptest::prelude::*;

use undust_testing::in_repository;

use super::*;
use undust_model::translation::Canonicalizer;

fn wiki() -> SiteModel {
    SiteModel::load(in_repository("models/wiki.example.test")).expect("the model")
}

fn examples(model: &SiteModel) -> Vec<String> {
    let Model::Edits(editor) = &model.model else { return Vec::new() };
    editor.rules().flat_map(|edit| edit.examples.iter().flatten().cloned()).collect()
}

/// A model that was trained before this was counted does not know which forms answer.
#[test]
fn an_older_model_is_not_fetched_by() {
    let models = tempfile::tempdir().expect("a folder");
    let place = models.path().join("wiki.example.test");
    std::fs::create_dir(&place).expect("a folder");
    let sample = undust_testing::in_repository("models/wiki.example.test");
    for file in ["model.json", "conventions.json", "gate.json"] {
        let text = std::fs::read_to_string(sample.join(file)).expect("a file");
        let older = text.replace("\"redirected\":0,", "").replace(",\"redirected\":0", "");
        std::fs::write(place.join(file), older).expect("a copy");
    }
    let model = SiteModel::load(&place).expect("a model");
    let done = export(&model, Format::Nginx, examples(&model)).expect("edits");
    assert_eq!(done.exported, 0);
    assert!(done.left_out.iter().all(|left| left.why == Unsaid::AnswersUnknown));
    assert!(!done.text.contains("# edit "), "{}", done.text);
}

#[test]
fn keys_take_the_rest() {
    let model = wiki();
    let done = export(&model, Format::Heritrix, examples(&model)).expect("edits");
    assert!(done.exported >= 4, "{:?}", done.left_out);
    assert!(done.coverage.covered > 0, "{:?} {:?}", done.coverage, done.left_out);
    assert_eq!(done.exported + done.left_out.len(), done.edits);
}

/// What an edit's reach cannot say is left out where a URL speaks against it.
#[test]
fn a_name_that_matters_somewhere_is_left_out() {
    let model = wiki();
    let matters = "http://wiki.example.test/mediawiki/index.php?page=2".to_owned();
    let all = examples(&model).into_iter().chain([matters]);
    let done = export(&model, Format::Names, all).expect("edits");
    assert!(!done.text.lines().any(|name| name == "page"), "{}", done.text);
    assert!(done.left_out.iter().any(|left| matches!(left.why, Unsaid::Conflict(_))));
}

/// The regexes of all edits of the model that can be said.
fn chain(model: &SiteModel) -> Chain {
    let (Model::Edits(editor), Some(conventions)) = (&model.model, model.conventions.as_deref())
    else {
        panic!("a model of edits");
    };
    let urls = examples(model).into_iter().map(Into::into).collect();
    let job = Job { model, editor, format: Format::Json, check: Check::new(model, editor, urls) };
    job.chain(&Translator::new(&model.site, editor, conventions, &job.check.urls)).0
}

/// nginx takes for empty what lies behind 100 variables.
#[test]
fn no_map_of_nginx_lies_deeper_than_it_reads() {
    let mut chain = chain(&wiki());
    let rules = chain.rules.clone();
    chain.rules = rules.into_iter().cycle().take(300).collect();
    let text = formats::nginx::text(
        "wiki.example.test",
        &chain,
        &Comments::default(),
        Format::Nginx.effect(),
    );
    let last = text.lines().find(|line| line.ends_with("_moves {")).expect("the last map");
    let on_the_way: Vec<usize> = last
        .split(['$', ' ', '"'])
        .filter_map(|word| word.strip_prefix("undust_wiki_example_test_")?.parse().ok())
        .collect();
    assert_eq!(on_the_way, [64, 128, 192, 256]);
    assert!(last.contains(" $undust_wiki_example_test_to\""), "{last}");
    assert!(text.contains(r#""~^\S* \S* \S* \S* (\S+) "#), "{last}");
}

fn url() -> impl Strategy<Value = String> {
    let host =
        prop::sample::select(vec!["http://wiki.example.test", "https://www.wiki.example.test"]);
    let path = prop::collection::vec(
        prop::sample::select(vec![
            "mediawiki",
            "index.php",
            "Main_Page",
            "Special:X",
            "",
            "..",
            "a%7e",
            "x;y",
        ]),
        1..4,
    );
    let name = prop::sample::select(vec![
        "title",
        "returnto",
        "returntoquery",
        "curid",
        "page",
        "action",
        "type",
        "oldid",
        "odd",
        "",
    ]);
    let value = prop::sample::select(vec![
        "",
        "view",
        "1",
        "Special:UserLogin",
        "a/b",
        "a+b",
        "%2F",
        "?",
        "a=b",
        ".",
    ]);
    let argument = (name, prop::sample::select(vec!["=", ""]), value);
    let argument = argument.prop_map(|(name, equals, value)| format!("{name}{equals}{value}"));
    let query = prop::collection::vec((prop::sample::select(vec!["&", ";", "&&"]), argument), 0..5);
    (host, path, query).prop_map(|(host, path, query)| {
        let query: String =
            query.iter().map(|(mark, argument)| format!("{mark}{argument}")).collect();
        let query = query.trim_start_matches(['&', ';']).to_owned();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{host}/{}{mark}{query}", path.join("/"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Of whatever the rules make of a URL, the model makes what it makes of the URL; what it leaves, they leave.
    #[test]
    fn rules_go_no_other_way(url in url()) {
        thread_local! {
            static MODEL: (SiteModel, Chain) = {
                let model = wiki();
                let chain = chain(&model);
                (model, chain)
            };
        }
        MODEL.with(|(model, chain)| {
            let ours = model.canonicalize(&url);
            for step in chain.apply(&url) {
                prop_assert_ne!(&*ours.canonical, &*url, "{} became {}", url, step.url);
                let again = model.canonicalize(&step.url);
                prop_assert_eq!(&*again.canonical, &*ours.canonical, "{} became {}", url, step.url);
            }
            Ok(())
        })?;
    }
}
