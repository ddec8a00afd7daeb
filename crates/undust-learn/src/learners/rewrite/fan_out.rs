//! Generalisation by fan-out (Dasgupta, Kumar, Sasturkar, section 4.2): if rules agree in all but
//! one value and have many values there, the value is irrelevant.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3Default;

use undust_url::keys::Key;
use undust_util::op_counter;

use super::pairs::{ANY, Book, Draft, Edits, To};
use crate::ordered::distinct;

/// Makes the book's rules as general as `fan_out` allows: contexts first, then
/// transformations, until nothing changes. Rules that still pin every value are left out:
/// each is for a single URL. Sorted.
///
/// Each pass sorts the rules once a key. It ends: a pass that changes something leaves fewer
/// rules, and no rule can change more often than it has keys.
pub(super) fn generalize(book: &mut Book, fan_out: usize) -> Vec<Draft> {
    let mut rules: Vec<Draft> = std::mem::take(&mut book.drafts).into_iter().collect();
    rules.sort_unstable();
    loop {
        let before = rules.len();
        let longest = rules.iter().map(|rule| rule.context.len()).max().unwrap_or(0);
        for place in (0..longest).rev() {
            rules = any_source(rules, place, fan_out);
        }
        rules = any_target(book, rules, fan_out);
        if rules.len() == before {
            break;
        }
    }
    rules.retain(|rule| rule.context.contains(&ANY));
    resolve_targets(book, rules)
}

/// Context generalisation at one place.
fn any_source(rules: Vec<Draft>, place: usize, fan_out: usize) -> Vec<Draft> {
    let masked = |rule: &Draft| {
        let value = *rule.context.get(place)?;
        let context = rule.context.iter().enumerate();
        let context = context.map(|(at, value)| if at == place { ANY } else { *value });
        Some((hash(context.chain([rule.shape, rule.transformation])), value))
    };
    let many = fanned_out(rules.iter().map(masked), fan_out);
    if !many.contains(&true) {
        return rules;
    }
    let mut rules = rules;
    for (rule, _) in rules.iter_mut().zip(many).filter(|(_, is_one_of_many)| *is_one_of_many) {
        rule.context[place] = ANY;
    }
    distinct(rules)
}

/// For each rule, whether rules of its mask have `fan_out` or more different values, or one of
/// them is for any value already.
fn fanned_out(masked: impl Iterator<Item = Option<(u128, u32)>>, fan_out: usize) -> Vec<bool> {
    let masked: Vec<_> = masked.collect();
    op_counter::count(masked.len());
    let mut order: Vec<(u128, u32, u32)> = (0..)
        .zip(&masked)
        .filter_map(|(rule, masked)| masked.map(|(mask, value)| (mask, value, rule)))
        .collect();
    order.sort_unstable();
    let mut many = vec![false; masked.len()];
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        let values = group.chunk_by(|a, b| a.1 == b.1).count();
        let has_any = group.last().is_some_and(|(_, value, _)| *value == ANY);
        if values >= fan_out || (has_any && values > 1) {
            group.iter().for_each(|(.., rule)| many[*rule as usize] = true);
        }
    }
    many
}

/// Transformation generalisation, of rules that differ only in the text that one key gets.
fn any_target(book: &mut Book, rules: Vec<Draft>, fan_out: usize) -> Vec<Draft> {
    let most = rules.iter().map(|rule| book.edits.get(rule.transformation).len()).max();
    let mut rules = rules;
    for place in 0..most.unwrap_or(0) {
        let masked = |rule: &Draft| {
            let edits = book.edits.get(rule.transformation);
            let value = match edits.get(place)?.1 {
                To::Literal(text) => text,
                To::Any => ANY,
                _ => return None,
            };
            Some((mask(rule, edits, place), value))
        };
        let many = fanned_out(rules.iter().map(masked), fan_out);
        for (rule, is_one_of_many) in rules.iter_mut().zip(many) {
            if is_one_of_many {
                let mut edits = book.edits.get(rule.transformation).clone();
                edits[place].1 = To::Any;
                rule.transformation = book.edits.of(edits);
            }
        }
        rules = distinct(rules);
    }
    rules
}

fn mask(rule: &Draft, edits: &Edits, place: usize) -> u128 {
    let edit = |(at, (key, to)): (usize, &(u32, To))| {
        let (kind, value) = match to {
            _ if at == place => (4, 0),
            To::Nothing => (0, 0),
            To::Literal(text) => (1, *text),
            To::Copy(key) => (2, *key),
            To::Any => (3, 0),
        };
        [*key, kind, value]
    };
    let edits = edits.iter().enumerate().flat_map(edit);
    hash(rule.context.iter().copied().chain([rule.shape]).chain(edits))
}

fn hash(numbers: impl Iterator<Item = u32>) -> u128 {
    let mut hasher = Xxh3Default::new();
    numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.digest128()
}

/// Chooses the text of keys whose text is irrelevant, which the paper leaves open. An argument
/// that some rule removes is removed. Any other key gets the smallest text that any rule gives
/// it, so that the image looks like a URL of the site and may be one.
fn resolve_targets(book: &mut Book, rules: Vec<Draft>) -> Vec<Draft> {
    let mut chosen: FxHashMap<u32, To> = FxHashMap::default();
    for number in 0.. {
        let Some(edits) = book.edits.all().get(number) else { break };
        for (key, to) in edits {
            let is_argument = matches!(book.keys.get(*key), Key::Argument { .. });
            let better = |old: &To| match (*old, *to) {
                (To::Literal(old), To::Literal(new)) => book.texts.get(new) < book.texts.get(old),
                (To::Literal(_), To::Nothing) => is_argument,
                _ => false,
            };
            let is_choice = matches!(to, To::Literal(_)) || (is_argument && *to == To::Nothing);
            if is_choice && chosen.get(key).is_none_or(better) {
                chosen.insert(*key, *to);
            }
        }
    }
    let mut resolved = rules;
    for rule in &mut resolved {
        let mut edits = book.edits.get(rule.transformation).clone();
        for (key, to) in edits.iter_mut().filter(|(_, to)| *to == To::Any) {
            *to = chosen.get(key).copied().unwrap_or(To::Nothing);
        }
        rule.transformation = book.edits.of(edits);
    }
    distinct(resolved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment becomes the smallest text that any rule gives it, an argument is left out where any
    /// rule leaves it out, and what no rule gives a text has none.
    #[test]
    fn an_irrelevant_target_is_chosen_from_what_rules_give() {
        let mut book = Book::default();
        let [first, second] = [2, 3].map(|place| book.keys.of(Key::Start(place)));
        let [sorted, print] = ["sort=1", "print=1"].map(|argument| {
            let url = format!("http://a.test/?{argument}");
            let url = undust_url::keyed_url::KeyedUrl::parse(&url).expect("a URL");
            book.keys.of(url.argument_keys().remove(0))
        });
        let [b, a] = ["b", "a"].map(|text| To::Literal(book.texts.of(text.into())));
        for edit in [(first, b), (first, a), (sorted, b), (sorted, To::Nothing), (print, b)] {
            book.edits.of(vec![edit]);
        }
        // After them, so that the better choice is not the last one.
        book.edits.of(vec![(first, b), (sorted, a)]);
        let any = |key| (key, To::Any);
        let open = book.edits.of(vec![any(first), any(second), any(sorted), any(print)]);
        let chosen = vec![(first, a), (second, To::Nothing), (sorted, To::Nothing), (print, b)];
        let closed = book.edits.of(chosen);
        let draft = |transformation| Draft { shape: 0, context: [ANY].into(), transformation };
        let resolved = resolve_targets(&mut book, vec![draft(open), draft(closed)]);
        assert_eq!(resolved, [draft(closed)], "{:?}", book.edits.all());
    }

    #[test]
    fn a_key_is_open_where_it_had_many_values_or_was_open_before() {
        let rules = |values: &[(u128, u32)], fan_out| {
            fanned_out([None].into_iter().chain(values.iter().copied().map(Some)), fan_out)
        };
        assert_eq!(rules(&[(1, 5), (1, 6), (2, 5)], 2), [false, true, true, false]);
        assert_eq!(rules(&[(1, ANY), (1, 6), (2, 5)], 3), [false, true, true, false]);
        assert_eq!(rules(&[(1, ANY), (1, ANY), (2, 5)], 3), [false, false, false, false]);
    }

    #[test]
    fn a_text_goes_where_a_rule_of_the_same_context_has_any() {
        let mut book = Book::default();
        let key = book.keys.of(Key::Start(2));
        let [any, one, other] = [To::Any, To::Literal(1), To::Literal(2)];
        let [any, one, other] = [any, one, other].map(|to| book.edits.of(vec![(key, to)]));
        let draft = |value: u32, transformation| Draft {
            shape: 0,
            context: [value].into(),
            transformation,
        };
        let rules = vec![draft(ANY, any), draft(ANY, one), draft(7, other)];
        let left = any_target(&mut book, rules, 10);
        assert_eq!(left, [draft(7, other), draft(ANY, any)]);
    }
}
