//! A network: what it was trained on, what it writes, and how its training went.

use undust_learn::report::Report;
use undust_learn::report::network::{Answer, Mistake, NetworkReport, Samples};
use undust_model::model::Model;
use undust_util::plural::counted;

use super::Fact;
use crate::cli::table::{MOST_ROWS, listing, numbers, safe_line, width, wrapped};

/// Mistakes that are shown, unless all are asked for.
const MOST_MISTAKES: usize = 3;

/// What the network was trained on, and its sizes.
pub(super) fn facts(model: &Model, report: &Report) -> Option<Vec<Fact>> {
    let training = report.network.as_ref()?;
    let (pairs, best) = (&training.pairs, &training.training.best);
    let words = |symbols: usize, others: usize, what: &str| {
        format!("{} and {}", counted(symbols, "symbol"), counted(others, what))
    };
    let sizes = |hidden: usize, embedding: usize, ways: &str| {
        format!("GRU {hidden} units{ways}, embedding {embedding}")
    };
    let (vocabulary, network) = match model {
        Model::Network(network) => {
            let (own, literals) = (network.weights().shape(), network.vocabulary().literals());
            let vocabulary = words(own.vocabulary - literals, literals, "literal");
            (vocabulary, sizes(own.hidden, own.embedding, ""))
        }
        Model::Pointer(network) => {
            let own = network.weights().sizes();
            let vocabulary = words(own.vocabulary, own.phrases, "phrase");
            (vocabulary, sizes(own.hidden, own.embedding, ", both ways"))
        }
        _ => return None,
    };
    Some(vec![
        ("pairs", format!("{} of duplicates, {} of pages without", pairs.pairs, pairs.singletons)),
        ("left out", format!("{} too long, {} unreachable", pairs.too_long, pairs.unreachable)),
        ("template pairs", training.templates.to_string()),
        ("vocabulary", vocabulary),
        ("network", network),
        ("kept", {
            let by = training.checked_by();
            format!("step {}, {by} exact match {:.4}", best.step, best.exact_match)
        }),
    ])
}

/// What the network writes, where training kept that, and its learning curve.
pub(super) fn text(model: &Model, network: &NetworkReport, all: bool) -> String {
    let samples = network.samples.as_ref().map(|samples| samples_text(model, samples, all));
    samples.unwrap_or_default() + &curve(network, all)
}

fn samples_text(model: &Model, samples: &Samples, all: bool) -> String {
    format!("{}\n\n{}\n\n", answers(model, samples), mistakes(samples, all))
}

fn answers(model: &Model, samples: &Samples) -> String {
    if samples.answers.is_empty() {
        return "The network changes no shape that it was trained on.".to_owned();
    }
    let heading = "Answers for the most frequent shapes that change, with their probabilities";
    let notation = "{…}: inserted. Scheme and host are left out where all of a line have the same.";
    let shown = samples.answers.iter().map(answer);
    let notes = [Some(notation.to_owned()), threshold(model)].into_iter().flatten();
    let lines = std::iter::once(wrapped(heading)).chain(shown);
    lines.chain(notes.map(|note| wrapped(&note))).collect::<Vec<_>>().join("\n")
}

fn mistakes(samples: &Samples, all: bool) -> String {
    let most = if all { usize::MAX } else { MOST_MISTAKES };
    let shown = samples.mistakes.iter().take(most).map(mistake);
    let more =
        (samples.mistakes.len() > most).then(|| format!("--all lists {}", samples.mistakes.len()));
    let lines = std::iter::once(wrapped(&mistakes_heading(samples)));
    lines.chain(shown).chain(more).collect::<Vec<_>>().join("\n")
}

/// Below which probability an answer is not given.
fn threshold(model: &Model) -> Option<String> {
    let Model::Pointer(network) = model else { return None };
    let least = network.options().min_probability;
    (least > 0.0).then(|| format!("Below {least}, the URL stays as it is."))
}

fn answer(Answer { shape, written, probability }: &Answer) -> String {
    let [shape, written] = without_front([shape, written]);
    change(*probability, &shape, &written)
}

/// A change on one line, or on two where one is too narrow.
fn change(probability: f64, shape: &str, written: &str) -> String {
    let line = format!("{probability:.4} {shape} → {written}");
    match line.chars().count() <= width() {
        true => line,
        false => format!("{probability:.4} {shape}\n       → {written}"),
    }
}

fn mistakes_heading(samples: &Samples) -> String {
    match *samples {
        Samples { held_out: 0, .. } => {
            "No mistakes are known: no shape was held out from training (held_out is 0), and the \
             checks below are on shapes of training."
                .to_owned()
        }
        Samples { wrong: 0, held_out, .. } => {
            format!("No mistakes on {}", counted(held_out, "held-out shape"))
        }
        Samples { wrong, held_out, .. } => format!(
            "Surest of {} on {}",
            counted(wrong, "mistake"),
            counted(held_out, "held-out shape")
        ),
    }
}

fn mistake(Mistake { shape, written, right, probability }: &Mistake) -> String {
    let [shape, written, right] = without_front([shape, written, right]);
    format!("{}\n       right: {right}", change(*probability, &shape, &written))
}

/// The texts without scheme and host, where all have the same.
fn without_front<const N: usize>(texts: [&String; N]) -> [String; N] {
    let parts = texts.map(|text| front_and_rest(text));
    let is_same = parts.iter().all(|(front, _)| *front == parts[0].0);
    parts.map(|(front, rest)| {
        safe_line(&if is_same { rest.to_owned() } else { format!("{front}{rest}") })
    })
}

/// Scheme and host, if a path follows them, and the rest.
fn front_and_rest(text: &str) -> (&str, &str) {
    let host = text.find("://").map_or(0, |at| at + "://".len());
    let front = text[host..].find('/').map_or(0, |length| host + length);
    text.split_at(front)
}

/// How training went: some of its checks, the last one among them, or all.
fn curve(network: &NetworkReport, all: bool) -> String {
    let checks = &network.training.curve;
    let every = if all { 1 } else { checks.len().div_ceil(MOST_ROWS).max(1) };
    let checked = format!("{} loss", network.checked_by());
    let mut table = listing(["step", "loss", &checked, "exact match"]);
    let first = checks.len().saturating_sub(1) % every;
    for check in checks.iter().skip(first).step_by(every) {
        table.add_row([
            check.step.to_string(),
            format!("{:.4}", check.loss),
            format!("{:.4}", check.held_out_loss),
            format!("{:.4}", check.exact_match),
        ]);
    }
    numbers(&mut table, 0..4);
    match every {
        1 => table.to_string(),
        _ => format!("{table}\none check in {every} is shown; --all lists all {}", checks.len()),
    }
}
