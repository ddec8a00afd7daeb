//! Classes that a conversion unites: if some titles are escaped and some are plain, decoding is
//! right for all of them.

use std::collections::BTreeMap;

use undust_rules::key_rule::Conversion;
use undust_util::op_counter;

use super::classes::{Class, Pairwise, Transformation};
use super::components::UrlComponents;
use super::conventions::Conventions;
use super::place::{Address, KeyChange, New};

/// Most pairwise rules of a class on which it is tested.
const MAX_CHECKED: usize = 1000;

/// Merges into every class with conversions the classes that differ from it by lacking one, if
/// that conversion leaves their sources as they are. Classes with fewer conversions go first, so
/// that the classes that they absorb are absorbed with them. O(n log n).
pub(super) fn absorb<'a>(
    rules: &[Pairwise<'a>],
    mut classes: Vec<Class<'a>>,
    conventions: &Conventions<'_>,
) -> Vec<Class<'a>> {
    let known = classes.iter().enumerate().map(|(at, class)| (class.transformation.clone(), at));
    let known: BTreeMap<Transformation<'a>, usize> = known.collect();
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|at| conversions(&classes[*at].transformation).count());
    for at in order {
        for (conversion, address, lacking) in without_one(&classes[at].transformation) {
            let Some(&other) = known.get(&lacking) else { continue };
            let is_same = |pair: &u32| {
                op_counter::count(1);
                let source = rules[*pair as usize].source;
                let components = UrlComponents::parse(source, conventions);
                let text = components.as_ref().and_then(|components| text_at(components, address));
                text.is_some_and(|text| conversion.apply(text).as_deref() == Some(text))
            };
            if classes[other].pairs.iter().take(MAX_CHECKED).all(is_same) {
                let pairs = std::mem::take(&mut classes[other].pairs);
                classes[at].pairs.extend(pairs);
                classes[at].pairs.sort_unstable();
            }
        }
    }
    classes.retain(|class| !class.pairs.is_empty());
    classes
}

fn conversions<'t, 'a>(
    transformation: &'t Transformation<'a>,
) -> impl Iterator<Item = (usize, usize, Conversion, Address<'a>)> + 't {
    transformation.iter().enumerate().flat_map(|(place, change)| {
        change.new.iter().enumerate().filter_map(move |(at, new)| match new {
            New::Converted(conversion, address) => Some((place, at, *conversion, *address)),
            _ => None,
        })
    })
}

/// The transformation without one of its conversions, for each of them.
fn without_one<'a>(
    transformation: &Transformation<'a>,
) -> Vec<(Conversion, Address<'a>, Transformation<'a>)> {
    let lacking = conversions(transformation).map(|(place, at, conversion, address)| {
        let mut lacking = transformation.clone();
        lacking[place].new[at] = New::Copy(address);
        lacking.retain(|KeyChange { at, new, .. }| *new != [New::Copy(*at)]);
        (conversion, address, lacking)
    });
    lacking.collect()
}

/// The text at an address, deep tokens included.
pub(super) fn text_at<'a>(components: &UrlComponents<'a>, address: Address<'_>) -> Option<&'a str> {
    let Some((at, pattern)) = address.token else { return components.text(address.component) };
    let value = components.value(address.component)?;
    value.pattern.filter(|own| *own == pattern)?;
    at.of(value.tokens.len()).map(|place| value.tokens[place])
}
