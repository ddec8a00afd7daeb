//! The contexts of a class (Koppula et al., section 5.2, algorithm 5): the paths of a tree that
//! asks for one key after the other. A key with few values branches by them; a key with many
//! values is irrelevant to the transformation, and any value will do.

use std::collections::{BTreeMap, BTreeSet};

use undust_rules::key_rule::{Context, KeyRule, Test};
use undust_url::deep::pattern::DeepPattern;
use undust_util::op_counter;

use super::absorb::text_at;
use super::branch::Policy;
use super::classes::Transformation;
use super::components::UrlComponents;
use super::order::KeyOrder;
use super::place::{Address, Component, ComponentKey, KeyChange, New, Side, Sides, ValuePlace};

/// Clusters that must agree on an untouched key if a context has URLs of several shapes: with
/// fewer, it is chance that they agree.
const MIN_CLUSTERS: usize = 3;

/// One source of a class.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub components: UrlComponents<'a>,
    pub cluster: u32,
}

/// Grows the tree of one class.
pub(super) struct Tree<'t, 'a> {
    pub transformation: &'t Transformation<'a>,
    pub order: &'t KeyOrder<'a>,
    pub max_values: usize,
}

/// Sources that share their context so far.
struct Branch<'s, 'a> {
    context: Context,
    sources: Vec<&'s Source<'a>>,
}

impl<'a> Tree<'_, 'a> {
    /// The rules of a class with these sources. O(s k) for s sources of k keys.
    ///
    /// URLs of several lengths share a context, which leaves the number of segments open: this is
    /// why a segment has an address from either end. An unchanged segment is addressed from the
    /// start. Sets of arguments branch like values, unless every optional argument has too many
    /// values to be relevant.
    pub(super) fn rules(&self, sources: &[Source<'a>]) -> Vec<KeyRule> {
        let root = Branch { context: Context::default(), sources: sources.iter().collect() };
        let mut branches = vec![root];
        let policy = Policy { floor: 1, max_values: self.max_values };
        for component in [ComponentKey::Scheme, ComponentKey::Host] {
            let address = Address { component, token: None };
            branches = branches.into_iter().flat_map(|b| self.ask(b, address, policy)).collect();
        }
        let shaped = branches.into_iter().flat_map(|branch| self.by_arguments(branch));
        let leaves = shaped.flat_map(|branch| self.by_keys(branch));
        leaves.filter(Branch::is_shown).map(|leaf| self.rule(leaf.context)).collect()
    }

    fn by_arguments<'s>(&self, mut branch: Branch<'s, 'a>) -> Vec<Branch<'s, 'a>> {
        branch.context.segments = branch.segments();
        let policy = match self.any_arguments(&branch.sources) {
            true => Policy { floor: usize::MAX, max_values: self.max_values },
            false => Policy::new(self.max_values),
        };
        let branches = policy.split(branch.sources, |source| arguments(&source.components));
        let context = branch.context;
        let branches = branches.into_iter().map(|(set, sources)| {
            let arguments = set.map(|set| set.into_iter().map(ComponentKey::key).collect());
            Branch { context: Context { arguments, ..context.clone() }, sources }
        });
        branches.collect()
    }

    /// Whether every optional argument has too many values to be relevant: a set of arguments is
    /// then as irrelevant as they are.
    fn any_arguments(&self, sources: &[&Source<'a>]) -> bool {
        let mut values: BTreeMap<ComponentKey<'a>, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for source in sources {
            for value in &source.components.arguments {
                let (count, texts) = values.entry(argument(value.component)).or_default();
                *count += 1;
                if texts.len() <= self.max_values {
                    texts.insert(value.text);
                }
            }
        }
        let optional = values.values().filter(|(count, _)| *count < sources.len());
        optional.clone().count() > 0
            && optional.into_iter().all(|(_, texts)| texts.len() > self.max_values)
    }

    fn by_keys<'s>(&self, branch: Branch<'s, 'a>) -> Vec<Branch<'s, 'a>> {
        let policy = Policy::new(self.max_values);
        let mut branches = Vec::new();
        let addresses = self.addresses(&branch);
        branches.push(branch);
        for address in addresses {
            branches = branches.into_iter().flat_map(|b| self.ask(b, address, policy)).collect();
        }
        branches
    }

    /// Branches by the value at an address, or leaves the branch whole: where too few clusters
    /// would agree on an untouched key, and where the transformation itself needs any value or a
    /// pattern at the address.
    fn ask<'s>(
        &self,
        branch: Branch<'s, 'a>,
        address: Address<'a>,
        policy: Policy,
    ) -> Vec<Branch<'s, 'a>> {
        op_counter::count(branch.sources.len());
        let any = |sources: &[&Source<'a>]| self.any(&branch.context, address, sources);
        let is_weak = !self.is_touched(address)
            && !is_end(address.component)
            && !branch.context.is_of_one_shape()
            && clusters(&branch.sources) < MIN_CLUSTERS;
        let branches = match is_weak || self.is_star(address) || self.pattern(address).is_some() {
            true => vec![(None, branch.sources)],
            false => policy.split(branch.sources, |source| text_at(&source.components, address)),
        };
        let branches = branches.into_iter().map(|(text, sources)| {
            let test = match text.flatten() {
                Some(text) => Some(Test::Is(text.to_owned())),
                None => any(&sources),
            };
            let mut context = branch.context.clone();
            context.keys.extend(test.map(|test| (address.key(), test)));
            Branch { context, sources }
        });
        branches.collect()
    }

    /// The test of a key that may have many values: their pattern, if they share one; that the
    /// key is present, if the rule needs it; else none.
    fn any(
        &self,
        context: &Context,
        address: Address<'a>,
        sources: &[&Source<'a>],
    ) -> Option<Test> {
        let is_touched = self.is_touched(address);
        let is_no_chance =
            is_touched || context.is_of_one_shape() || clusters(sources) >= MIN_CLUSTERS;
        let shared = || shared_pattern(address, sources).filter(|_| is_no_chance);
        match self.pattern(address).or_else(shared) {
            Some(pattern) => Some(Test::Like(pattern.clone())),
            None => is_touched.then_some(Test::Any),
        }
    }

    /// The keys to ask for, in the tree's order; deep tokens after all components, since they exist
    /// only where their component has its pattern.
    fn addresses(&self, branch: &Branch<'_, 'a>) -> Vec<Address<'a>> {
        let whole = |component| Address { component, token: None };
        let touched: BTreeSet<Address<'a>> = self.touched().collect();
        let components: BTreeSet<ComponentKey<'a>> =
            touched.iter().map(|address| address.component).collect();
        let mut addresses: Vec<Address<'a>> = touched.into_iter().collect();
        addresses.extend(components.iter().copied().map(whole));
        let others = branch.untouched_segments(&components).chain(branch.shared_arguments());
        addresses.extend(others.filter(|component| !components.contains(component)).map(whole));
        addresses.retain(|address| !is_end(address.component));
        addresses.sort_by_key(|a| (a.token.is_some(), self.order.rank(a.component), *a));
        addresses.dedup();
        addresses
    }

    /// The keys that the transformation reads or replaces, without which it cannot work.
    fn touched(&self) -> impl Iterator<Item = Address<'a>> + '_ {
        self.transformation.iter().flat_map(|change| {
            let at = Some(change.at).filter(|_| !change.is_added);
            at.into_iter().chain(change.new.iter().filter_map(New::reference))
        })
    }

    fn is_touched(&self, address: Address<'a>) -> bool {
        self.touched().any(|touched| {
            touched == address || address.token.is_none() && touched.component == address.component
        })
    }

    /// Whether it becomes `*`: its value is then irrelevant in the source, too.
    fn is_star(&self, address: Address<'a>) -> bool {
        let is_star = |change: &KeyChange<'a>| change.new == [New::Star];
        self.transformation.iter().any(|change| change.at == address && is_star(change))
    }

    /// The pattern that a component must have because the transformation touches its deep tokens.
    fn pattern(&self, address: Address<'a>) -> Option<&'a DeepPattern> {
        let mut of_part = self.touched().filter(|touched| touched.component == address.component);
        let of_token = of_part.find_map(|touched| touched.token);
        of_token.filter(|_| address.token.is_none()).map(|(_, pattern)| pattern)
    }

    fn rule(&self, context: Context) -> KeyRule {
        let changes = self
            .transformation
            .iter()
            .map(|change| (change.at.key(), change.new.iter().map(|new| new.value()).collect()));
        KeyRule { context, transformation: changes.collect() }
    }
}

impl<'a> Branch<'_, 'a> {
    /// The number of segments, if all sources have the same.
    fn segments(&self) -> Option<usize> {
        let mut numbers = self.sources.iter().map(|source| source.components.segments.len());
        let first = numbers.next()?;
        numbers.all(|number| number == first).then_some(first)
    }

    /// The segments, from the start, that no address from the end can mean. If the number of
    /// segments varies, these are the ones before all touched segments that count from the end.
    fn untouched_segments(
        &self,
        touched: &BTreeSet<ComponentKey<'a>>,
    ) -> impl Iterator<Item = ComponentKey<'a>> + use<'a> {
        let from_end = |component: &ComponentKey<'_>| match component {
            ComponentKey::End(place) => Some(usize::from(*place)),
            _ => None,
        };
        let ends: BTreeSet<usize> = touched.iter().filter_map(from_end).collect();
        let exact = self.segments();
        let least = self.sources.iter().map(|source| source.components.segments.len()).min();
        let reach = ends.last().map_or(0, |last| last + 1);
        let is_free = move |start: &usize| match exact {
            Some(number) => !ends.contains(&(number - 1 - start)),
            None => start + reach < least.unwrap_or(0),
        };
        (0..least.unwrap_or(0)).filter(is_free).map(|start| ComponentKey::Start(start as u16))
    }

    /// The arguments that all sources have.
    fn shared_arguments(&self) -> impl Iterator<Item = ComponentKey<'a>> + use<'a> {
        let mut sets = self.sources.iter().map(|source| arguments(&source.components));
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |shared, set| shared.intersection(&set).copied().collect()).into_iter()
    }

    /// Whether there are enough sources to distinguish a convention from chance: 3, or 2 from different
    /// clusters.
    fn is_shown(&self) -> bool {
        self.sources.len() >= 3 || clusters(&self.sources) >= 2
    }
}

fn is_end(component: ComponentKey<'_>) -> bool {
    matches!(component, ComponentKey::Scheme | ComponentKey::Host)
}

fn clusters(sources: &[&Source<'_>]) -> usize {
    let clusters = sources.iter().map(|source| source.cluster);
    clusters.collect::<BTreeSet<_>>().len()
}

fn argument(component: Component<'_>) -> ComponentKey<'_> {
    let sides = Sides { component: Side::Start, token: Side::Start };
    ValuePlace::whole(component).address(sides).component
}

fn arguments<'a>(components: &UrlComponents<'a>) -> BTreeSet<ComponentKey<'a>> {
    components.arguments.iter().map(|value| argument(value.component)).collect()
}

/// The pattern that all values at an address share; none for a deep token.
fn shared_pattern<'a>(address: Address<'_>, sources: &[&Source<'a>]) -> Option<&'a DeepPattern> {
    let pattern = |source: &&Source<'a>| match address.token {
        None => source.components.value(address.component)?.pattern,
        Some(_) => None,
    };
    let first = pattern(sources.first()?)?;
    sources.iter().all(|source| pattern(source) == Some(first)).then_some(first)
}
