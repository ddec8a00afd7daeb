//! Comments on rules are read by people alone: whatever a URL holds, the rules stay the same.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{chain, examples, wiki};
use crate::comments::{Comments, on_one_line};
use crate::format::Effect;
use crate::*;

/// Texts that end a comment somewhere, or hide a part of it.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "\n",
        "\r",
        "\r\n",
        "\u{85}",
        "\u{2028}",
        "\u{b}",
        "\\",
        "*/",
        "/*",
        "--",
        "-",
        "-->",
        "%>",
        "}",
        ";",
        "\"",
        "'",
        "${",
        "#",
        "C{",
        "return 301 http://evil.test/;",
        "\u{202e}",
        "\0",
        "é",
        "http://a.test/?a=1&b=2",
        "Clean-param: a /",
        "\u{FFFE}",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()),
        ".*",
        "[a-zé\\\\]{0,300}".prop_map(|text| text.repeat(40)),
    ]
}

/// A file without its comments.
fn rules(format: Format, text: &str) -> String {
    if !matches!(format, Format::Nutch | Format::Heritrix) {
        // As Apache reads it, where a line goes on behind a backslash.
        let text = text.replace("\\\n", "");
        let lines = text.split('\n').filter(|line| !line.trim_start().starts_with('#'));
        return lines.collect::<Vec<_>>().join("\n");
    }
    let (mut rules, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("<!--") {
        rules += before.trim_end_matches(' ');
        let (comment, behind) = behind.split_once("--").expect("its end");
        assert!(!comment.contains('\n'), "{comment}");
        rest = behind.strip_prefix(">\n").expect("no two hyphens before the end");
    }
    rules + rest
}

fn text(format: Format, chain: &Chain, list: &NameList, comments: &Comments) -> String {
    let site = "wiki.example.test";
    match format {
        Format::Nginx | Format::NginxDryRun | Format::NginxRobots => {
            formats::nginx::text(site, chain, comments, format.effect())
        }
        Format::Apache | Format::ApacheDryRun | Format::ApacheRobots => {
            formats::apache::text(site, chain, comments, format.effect())
        }
        Format::Vcl | Format::VclDryRun | Format::VclRobots => {
            formats::vcl::text(site, chain, comments, format.effect())
        }
        Format::Nutch => formats::nutch::text(chain, comments),
        Format::Heritrix => formats::heritrix::text(chain, comments),
        Format::Anubis => formats::anubis::text(site, list, comments),
        Format::NoVarySearch | Format::NoVarySearchApache | Format::NoVarySearchCaddy => {
            formats::no_vary_search::text(format, site, list, comments)
        }
        _ => formats::clean_param::text(list, comments),
    }
}

const WITH_COMMENTS: [Format; 16] = [
    Format::Nginx,
    Format::Apache,
    Format::Vcl,
    Format::Nutch,
    Format::Heritrix,
    Format::CleanParam,
    Format::NoVarySearch,
    Format::NoVarySearchApache,
    Format::NoVarySearchCaddy,
    Format::Anubis,
    Format::NginxDryRun,
    Format::ApacheDryRun,
    Format::VclDryRun,
    Format::NginxRobots,
    Format::ApacheRobots,
    Format::VclRobots,
];

proptest! {
    #[test]
    fn no_text_leaves_its_comment(notation in hostile(), from in hostile(), to in hostile()) {
        thread_local! {
            static RULES: (Chain, NameList) = {
                let model = wiki();
                let mut list = NameList::default();
                let (name, prefix) = ("returnto".into(), "/".into());
                list.rules.push(names::NameRule { numbers: vec![1, 2], name, prefix });
                (chain(&model), list)
            };
        }
        RULES.with(|(chain, list)| {
            let comments = Comments::of_texts(&chain.numbers(), &notation, &from, &to);
            for format in WITH_COMMENTS {
                let with = text(format, chain, list, &comments);
                let without = text(format, chain, list, &Comments::default());
                prop_assert_ne!(&with, &without);
                prop_assert_eq!(rules(format, &with), rules(format, &without), "{:?}", format);
            }
            for line in comments.lines(*chain.numbers().first().expect("a rule")) {
                // A buffer of nginx.
                prop_assert!(line.len() < 4_000, "{}", line.len());
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_comment_is_one_line(text in hostile()) {
        let line = on_one_line(&text);
        prop_assert!(!line.ends_with('\\') && !line.chars().any(char::is_control), "{:?}", line);
    }
}

/// A redirect takes the way back from a log-in page; a key that only compares takes nothing.
#[test]
fn a_redirect_says_what_it_takes_from_members() {
    let model = wiki();
    for format in WITH_COMMENTS.into_iter().chain([Format::Json, Format::Stormcrawler]) {
        let done = export(&model, format, examples(&model)).expect("edits");
        let numbers: Vec<usize> = done.members.iter().map(|taken| taken.number).collect();
        let beside = done.text.lines().filter(|line| line.contains("takes from members: ")).count();
        if !format.is_for_visitors() {
            assert!(numbers.is_empty() && beside == 0, "{format:?}");
            continue;
        }
        assert_eq!(numbers, [1, 2], "{format:?}: {:?}", done.members);
        assert!(beside >= 2, "{format:?}: {}", done.text);
        assert!(done.members[0].what.starts_with("returnto is of a log-in link"), "{format:?}");
    }
}

/// The comment on the redirect says when to write 301; where robots alone are redirected, that is never.
#[test]
fn what_redirects_begins_with_302() {
    let model = wiki();
    for format in WITH_COMMENTS {
        let done = export(&model, format, examples(&model)).expect("edits");
        let rules = rules(format, &done.text);
        let pasted: Vec<&str> =
            done.text.lines().filter(|line| line.starts_with("#     if ")).collect();
        let of = |status: &str| {
            rules.contains(status) || pasted.iter().any(|line| line.contains(status))
        };
        let redirects =
            format.is_fetched() && format != Format::Nutch && format.effect() != Effect::Logs;
        assert_eq!((of("302"), of("301")), (redirects, false), "{format:?}");
        let later =
            done.text.lines().filter(|line| line.starts_with("# Redirects are 302. ")).count();
        let is_for_all = redirects && format.effect() == Effect::Redirects;
        assert_eq!(later, usize::from(is_for_all), "{format:?}");
        assert_eq!(
            pasted.len(),
            usize::from(redirects && format.rules() == Format::Nginx),
            "{format:?}"
        );
    }
}

/// The variables that a file names in its lines, or in those that are pasted into the server.
fn variables(text: &str, mark: &str) -> BTreeSet<String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let named = text.match_indices(mark).map(|(at, _)| {
        let end = text[at + 1..].find(|letter| !is_of_name(letter)).expect("an end");
        text[at..=at + end].to_owned()
    });
    named.collect()
}

/// What was pasted into the server names variables, which the next export sets, too, even without a rule.
#[test]
fn every_variable_that_is_pasted_is_set_by_each_export() {
    let model = wiki();
    let rules = chain(&model);
    let (mut none, mut one) = (chain(&model), chain(&model));
    none.rules.clear();
    one.rules.truncate(1);
    let (nothing, mut list) = (NameList::default(), NameList::default());
    let (name, prefix) = ("returnto".into(), "/".into());
    list.rules.push(names::NameRule { numbers: vec![1], name, prefix });
    for format in WITH_COMMENTS {
        let mark = if format == Format::NoVarySearchCaddy { "{undust_" } else { "$undust_" };
        let first = text(format, &rules, &list, &Comments::default());
        let pasted: String = first.lines().filter(|line| line.starts_with("#     ")).collect();
        for (chain, list) in [(&none, &nothing), (&one, &list), (&rules, &list)] {
            let text = text(format, chain, list, &Comments::default());
            let named = variables(&text, mark);
            for variable in variables(&pasted, mark).iter().chain(&named) {
                let is_set = |line: &str| {
                    line.starts_with("map ") && line.ends_with(&format!("{variable} {{"))
                };
                let is_set_by_caddy = format == Format::NoVarySearchCaddy
                    && text.contains(&format!(" {variable}}} {{"));
                assert!(
                    text.lines().any(is_set) || is_set_by_caddy,
                    "{format:?} {variable}: {text}"
                );
            }
        }
    }
}

/// A URL that redirects or fails is no example of where a redirect leads.
#[test]
fn examples_of_redirects_lead_to_what_answered() {
    let model = wiki();
    let Model::Edits(editor) = &model.model else { panic!("edits") };
    let rules = chain(&model);
    let lines = |format, status| {
        let of = |url: String| CrawledUrl { url, status: Some(status), location: None };
        let answers =
            CrawledUrl { status: Some(200), ..String::from("http://wiki.example.test/").into() };
        let crawl = examples(&model).into_iter().map(of).chain([answers]).collect();
        let check = Check::new(&model, editor, crawl);
        let comments = Comments::new(editor, &rules, &check, format);
        comments.lines(*rules.numbers().first().expect("a rule")).join(" ")
    };
    for format in [Format::Nginx, Format::ApacheRobots, Format::VclDryRun, Format::Nutch] {
        assert!(lines(format, 404).contains("makes no URL tried one that answers"), "{format:?}");
        assert!(lines(format, 200).contains(" → "), "{format:?}");
    }
    assert!(lines(Format::Heritrix, 404).contains(" → "), "a key need not answer");
}

/// A rule that stands in a file says on what it was tested, and shows a URL of what it does.
#[test]
fn every_rule_has_its_evidence_beside_it() {
    let model = wiki();
    for format in WITH_COMMENTS {
        let done = export(&model, format, examples(&model)).expect("edits");
        assert!(done.exported > 0, "{format:?}");
        let tested: Vec<&str> =
            done.text.lines().filter(|line| line.contains("tested on ")).collect();
        assert!(tested.len() >= done.exported, "{format:?}: {}", done.text);
        for line in tested {
            assert!(line.contains(" of ") && line.contains(" lost, 0 collisions"), "{line}");
            if format.is_fetched() && line.contains("; it makes no URL tried one that answers") {
                continue;
            }
            let (from, to) =
                line.split_once(" → ").unwrap_or_else(|| panic!("{format:?}: {}", done.text));
            let (from, to) = (from.rsplit(' ').next(), to.split(' ').next());
            assert!(from != to && from.is_some_and(|from| from.starts_with("http://")), "{line}");
        }
    }
    let done = export(&model, Format::Nginx, examples(&model)).expect("edits");
    assert!(done.text.contains("tested on 1086 URLs of 1086 pages: 0 lost"), "{}", done.text);
}
