//! Classes: pairwise rules with the same transformation. The tree gives each its contexts
//! (Koppula et al., sections 5.2 and 5.3).

use std::collections::{BTreeMap, BTreeSet};

use super::place::{KeyChange, New};
use crate::ordered::distinct;

/// Fewest clusters for a class with a text that varies between clusters. With fewer, the text,
/// such as the number of a page, belongs to those clusters alone.
const MIN_CLUSTERS: usize = 3;

/// A transformation: the changed keys, in order; all others are copied.
pub(super) type Transformation<'a> = Vec<KeyChange<'a>>;

/// One source, and what turns it into its target.
#[derive(Debug, Clone)]
pub(super) struct Pairwise<'a> {
    pub source: &'a str,
    pub cluster: u32,
    pub transformation: Transformation<'a>,
}

/// The sources that one transformation turns into their targets.
#[derive(Debug, Clone)]
pub(super) struct Class<'a> {
    pub transformation: Transformation<'a>,
    /// Positions among the pairwise rules, ascending.
    pub pairs: Vec<u32>,
}

/// Groups pairwise rules by transformation, in the order of transformations. O(n log n).
pub(super) fn group<'a>(rules: &[Pairwise<'a>]) -> Vec<Class<'a>> {
    let mut order: Vec<u32> = (0..rules.len() as u32).collect();
    let of = |rule: &u32| &rules[*rule as usize].transformation;
    order.sort_by(|a, b| of(a).cmp(of(b)));
    let runs = order.chunk_by(|a, b| of(a) == of(b));
    runs.map(|run| Class { transformation: of(&run[0]).clone(), pairs: run.to_vec() }).collect()
}

/// Generalises transformations (section 5.3). If classes differ in their texts alone, and a key
/// of the source becomes more than `max_values` texts, the text is irrelevant: a class with `*`
/// in its place is added. The classes with one of the texts are kept if they have 3 clusters;
/// the others are about their own cluster alone. Classes of one URL are dropped. O(n log n).
///
/// The paper generalises after the tree, among rules of one context. Done before it, the classes
/// with `*` get contexts of their own, from all their sources.
pub(super) fn generalise<'a>(
    rules: &[Pairwise<'a>],
    classes: Vec<Class<'a>>,
    max_values: usize,
) -> Vec<Class<'a>> {
    let mut by_shape: BTreeMap<Transformation<'a>, Vec<Class<'a>>> = BTreeMap::new();
    for class in classes {
        let shape = blank(&class.transformation, |_| true);
        by_shape.entry(shape).or_default().push(class);
    }
    let mut kept = Vec::new();
    for classes in by_shape.into_values() {
        let wide = wide(&classes, max_values);
        let is_thin = |class: &Class<'_>| !wide.is_empty() && clusters(rules, class) < MIN_CLUSTERS;
        let starred = starred(&classes, &wide);
        kept.extend(classes.into_iter().filter(|class| class.pairs.len() > 1 && !is_thin(class)));
        let adds =
            |class: &Class<'_>| wide.iter().any(|place| class.transformation[*place].is_added);
        kept.extend(
            starred
                .into_iter()
                .filter(|class| class.pairs.len() > 1 && (!adds(class) || !is_thin(class))),
        );
    }
    kept
}

/// The positions of the keys that become more than `max_values` texts.
fn wide(classes: &[Class<'_>], max_values: usize) -> Vec<usize> {
    let Some(first) = classes.first() else { return Vec::new() };
    let is_wide = |place: &usize| {
        let texts = classes.iter().map(|class| &class.transformation[*place].new);
        classes.len() > max_values && texts.collect::<BTreeSet<_>>().len() > max_values
    };
    (0..first.transformation.len()).filter(is_wide).collect()
}

/// The classes merged by letting the wide keys of the source become any text; none without such
/// keys.
fn starred<'a>(classes: &[Class<'a>], wide: &[usize]) -> Vec<Class<'a>> {
    let starred = classes.iter().filter_map(|class| {
        let starred = blank(&class.transformation, |place| {
            wide.contains(&place) && !class.transformation[place].is_added
        });
        (starred != class.transformation).then(|| (starred, class.pairs.clone()))
    });
    merge(starred)
}

/// The transformation with `*` for the text of the chosen keys.
fn blank<'a>(
    transformation: &Transformation<'a>,
    is_meant: impl Fn(usize) -> bool,
) -> Transformation<'a> {
    let mut blank = transformation.clone();
    for (place, change) in blank.iter_mut().enumerate() {
        if let ([New::Literal(_)], true) = (&change.new[..], is_meant(place)) {
            change.new = vec![New::Star];
        }
    }
    blank
}

fn clusters(rules: &[Pairwise<'_>], class: &Class<'_>) -> usize {
    let mut clusters: Vec<_> =
        class.pairs.iter().map(|pair| rules[*pair as usize].cluster).collect();
    clusters.dedup();
    clusters.len()
}

/// Deletes a key instead of giving it a `*`, if some class of the site deletes it: otherwise one
/// rule would write a constant text where another writes nothing. Classes that become equal are
/// merged. O(n log n).
pub(super) fn delete_stars(mut classes: Vec<Class<'_>>) -> Vec<Class<'_>> {
    let changes = classes.iter().flat_map(|class| &class.transformation);
    let deleted = changes.filter(|change| change.new.is_empty()).map(|change| change.at);
    let deleted: BTreeSet<_> = deleted.collect();
    for change in classes.iter_mut().flat_map(|class| &mut class.transformation) {
        if change.new == [New::Star] && deleted.contains(&change.at) {
            change.new.clear();
        }
    }
    let pairs = classes.into_iter().map(|class| (class.transformation, class.pairs));
    merge(pairs)
}

/// One class for each transformation, in their order.
fn merge<'a>(classes: impl Iterator<Item = (Transformation<'a>, Vec<u32>)>) -> Vec<Class<'a>> {
    let mut merged: BTreeMap<Transformation<'a>, Vec<u32>> = BTreeMap::new();
    for (transformation, pairs) in classes {
        merged.entry(transformation).or_default().extend(pairs);
    }
    let class = |(transformation, pairs)| Class { transformation, pairs: distinct::<u32>(pairs) };
    merged.into_iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::tree::place::{Address, ComponentKey};

    /// Sources whose session changes, and which get an argument: one that clusters share, or one of
    /// their own cluster.
    #[test]
    fn a_star_stands_beside_an_added_text_only_where_clusters_agree_on_the_text() {
        let change = |name, is_added, text| {
            let at = Address {
                component: ComponentKey::Argument { name, nth: 0, bare: false },
                token: None,
            };
            KeyChange { at, is_added, new: vec![New::Literal(text)] }
        };
        let texts = ["s0", "s1", "s2", "s3", "s4", "s5", "s6"];
        let of = [(0, "all"), (1, "all"), (2, "all"), (3, "a"), (3, "a"), (4, "b"), (4, "b")];
        let rules = texts.iter().zip(of).map(|(session, (cluster, added))| {
            let transformation = vec![change("sid", false, *session), change("t", true, added)];
            Pairwise { source: "", cluster, transformation }
        });
        let rules: Vec<_> = rules.collect();
        let kept = generalise(&rules, group(&rules), 2);
        assert_eq!(kept.len(), 1, "{kept:?}");
        assert_eq!(kept[0].transformation[0].new, [New::Star]);
        assert_eq!(kept[0].transformation[1].new, [New::Literal("all")]);
        assert_eq!(kept[0].pairs, [0, 1, 2]);
    }
}
