//! Sentences whose parts are put together here.

use super::*;

#[test]
fn a_reason_says_a_whole_sentence() {
    let reasons: [(&str, &dyn std::error::Error); 7] = [
        ("is damaged: invalid JSON", &WeightsReason::Damaged { detail: "invalid JSON".into() }),
        ("none of 1 page is left to test on", &CrawlReason::NothingHeldOut { pages: 1 }),
        (
            "9 pages cannot be split: no set of folders has about 20 % of them",
            &CrawlReason::NoSplit { pages: 9, groups: "folders", percent: 19.999_999_999_999_996 },
        ),
        (
            "rule 2 (a → b): is not a rule that `tree` learns",
            &RulesReason::ForeignRule {
                number: 2,
                notation: Some("a → b".into()),
                method: "tree".into(),
            },
        ),
        (
            "rule 1: has no meaning",
            &RulesReason::Rule { number: 1, notation: None, detail: "has no meaning".into() },
        ),
        (
            "`bias` is F16 [2, 3], but model.json expects F32 [3]",
            &ModelReason::Weights(WeightsReason::OtherTensor {
                name: "bias".into(),
                found: "F16 [2, 3]".into(),
                expected: vec![3],
            }),
        ),
        (
            "was made with no duplicates under different titles; use the same options, or make a \
             new state",
            &StateReason::OtherTitles { title: true },
        ),
    ];
    for (sentence, reason) in reasons {
        assert_eq!(reason.to_string(), sentence);
    }
}

#[test]
fn a_file_system_is_blamed_by_name() {
    let refused = || io::Error::from(io::ErrorKind::PermissionDenied);
    let described = Error::io("read", "-")(refused()).to_string();
    assert!(described.starts_with("cannot read standard input: "), "{described}");
    let place = Obstacle::Unreadable(refused());
    let described = Error::Place(PlaceReason::InTheWay { path: "a".into(), obstacle: place });
    let expected = format!("a is in the way: {}; move it, and try again", refused());
    assert_eq!(described.to_string(), expected);
}
