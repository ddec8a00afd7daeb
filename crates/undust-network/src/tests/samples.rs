//! What a training keeps of the pointer network's answers and mistakes.

use undust_decoder::pointer::decode::Written;
use undust_learn::config::Seq2SeqConfig;
use undust_learn::report::network::{Answer, Samples};
use undust_learn::{Config, TrainTranslator, TrainingSet};
use undust_model::translation::Rewriter;
use undust_testing::crawl;
use undust_url::lexicon::Symbol;

use super::pointer::{HOST, KNOWS, site};
use crate::BurnTrainer;
use crate::pointer::examples::{Example, Examples, unchanged};
use crate::pointer::samples::samples;

fn example(url: &str, target: impl Fn(&[Symbol]) -> Vec<Written>) -> Example {
    let (mut shape, mut texts) = (Vec::new(), Vec::new());
    KNOWS.lexicon().read(url, &mut shape, &mut texts);
    Example { target: target(&shape), shape, count: 1.0, weight: 1.0 }
}

/// What the network that knows the site writes.
fn decoded(shape: &[Symbol]) -> Vec<Written> {
    KNOWS.decode(&[shape]).remove(0).expect("an end").written
}

fn mistaken(url: &str) -> Example {
    example(url, |shape| unchanged(shape.len()))
}

/// The site's examples, where this share of its clusters is held out.
fn examples(held_out: f64) -> Examples {
    let (pages, clusters) = crawl(&site());
    let seq2seq = Seq2SeqConfig { held_out, ..Seq2SeqConfig::default() };
    Examples::of(&TrainingSet::new(&pages, &clusters), &Config { seq2seq, ..Config::default() })
}

#[test]
fn the_most_frequent_changes_come_first_and_are_what_is_served() {
    let (train, held_out) = (examples(0.0).train, examples(0.3).held_out);
    let kept = samples(&KNOWS, &train, &held_out);
    let shapes: Vec<&str> = kept.answers.iter().map(|answer| &*answer.shape).collect();
    // They have 60, 60, 50, 9 and 1 pairs. The word `2` is one of another argument.
    let expected = [
        "old.php?p=<word>&a=<1234>",
        "private/set/<word>",
        "users/<word>/name-<12>",
        "users/<word>/name-<1>",
        "users/<word>/name-2",
    ];
    assert_eq!(shapes, expected.map(|path| format!("{HOST}/{path}")));
    let Answer { written, probability, .. } = &kept.answers[1];
    assert_eq!(written, &format!("{HOST}/{{login}}"));
    let answer = KNOWS.rewrite("http://www.example.com/private/set/yovav");
    let served = answer.cause.steps().next().and_then(|step| step.probability());
    assert!(served.is_some_and(|served| (f64::from(served) - probability).abs() < 1e-6));
    assert!(kept.held_out > 0 && kept.held_out == held_out.len());
    // Neither depends on the order of the examples.
    let reversed = |examples: &[Example]| examples.iter().rev().cloned().collect::<Vec<_>>();
    assert_eq!(samples(&KNOWS, &reversed(&train), &reversed(&held_out)), kept);
}

#[test]
fn twenty_answers_are_kept() {
    let kinds = ["1", "12", "123", "1234", "12345", "1234567", "0123abcd", "Word", "word", "%C3"];
    let url = |n: usize| format!("{HOST}/users/{}/name-{}", kinds[n / 6 % 10], kinds[n % 6]);
    let train: Vec<Example> = (0..120).map(|n| mistaken(&url(n))).collect();
    let kept = samples(&KNOWS, &train, &[]);
    let mut shapes: Vec<&str> = kept.answers.iter().map(|answer| &*answer.shape).collect();
    assert!(shapes.is_sorted(), "all are equally frequent: {shapes:?}");
    shapes.dedup();
    assert_eq!(shapes.len(), 20, "each shape is decoded once");
}

#[test]
fn a_mistake_is_another_url_and_the_surest_come_first() {
    let users = format!("{HOST}/users/77c/name-99");
    // Every `/` reads the same, so it may be copied from any place.
    let other_way = |shape: &[Symbol]| {
        let mut written = decoded(shape);
        let slash = written.iter().rposition(
            |one| matches!(one, Written::Copy(place) if shape[usize::from(*place)] == shape[3]),
        );
        written[slash.expect("a slash")] = Written::Copy(3);
        written
    };
    let right = [example(&users, decoded), example(&users, other_way)];
    assert_ne!(right[0].target, right[1].target);
    assert_eq!(samples(&KNOWS, &[], &right).wrong, 0);
    let login = mistaken(&format!("{HOST}/private/set/yovav"));
    let wrong = [vec![mistaken(&users); 8], vec![login; 4]].concat();
    let Samples { mistakes, wrong, held_out, .. } = samples(&KNOWS, &[], &wrong);
    assert_eq!((mistakes.len(), wrong, held_out), (10, 12, 12));
    assert!(mistakes.is_sorted_by(|a, b| a.probability >= b.probability), "{mistakes:?}");
    let of_users = mistakes.iter().find(|mistake| mistake.shape.contains("users"));
    let of_users = of_users.expect("a mistake on users");
    assert_eq!(of_users.written, format!("{HOST}/users/<word>"));
    assert_eq!(of_users.right, of_users.shape);
}

/// Where nothing is held out, the report says so.
#[test]
fn a_training_keeps_them_in_its_report() {
    let (pages, clusters) = crawl(&site());
    let set = TrainingSet::new(&pages, &clusters);
    let kept = |held_out: f64| {
        let seq2seq = Seq2SeqConfig { max_steps: 1, held_out, ..Seq2SeqConfig::default() };
        let config = Config { seq2seq, ..Config::default() };
        let trained = BurnTrainer::default().train(&set, &config, &());
        trained.expect("training").expect("pairs").1.samples.expect("samples")
    };
    let Samples { held_out, wrong, mistakes, .. } = kept(0.3);
    assert!(held_out > 0 && wrong <= held_out && mistakes.len() == wrong.min(10));
    let Samples { held_out, wrong, mistakes, .. } = kept(0.0);
    assert_eq!((held_out, wrong, mistakes), (0, 0, Vec::new()));
}
