//! Pairwise rules (Dasgupta, Kumar, Sasturkar, section 4.1): what turns one URL of a cluster
//! into another. There are many pairs, so texts and keys are numbers here.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_rules::key_rule::{Context, KeyRule, Test, Value};
use undust_url::keyed_url::KeyedUrl;
use undust_url::keys::Key;
use undust_util::op_counter;

/// Any value, in a context.
pub(super) const ANY: u32 = u32::MAX;

/// A rule in numbers; see [`Book`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Draft {
    /// Which keys the context has.
    pub shape: u32,
    /// The value of each of them, or [`ANY`].
    pub context: Box<[u32]>,
    /// The number of its transformation.
    pub transformation: u32,
}

/// What a key becomes, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum To {
    /// ⊥.
    Nothing,
    /// A text.
    Literal(u32),
    /// The value of another key.
    Copy(u32),
    /// Any text: it is irrelevant.
    Any,
}

/// The changes to a URL, by key.
pub(super) type Edits = Vec<(u32, To)>;

/// A URL in numbers.
#[derive(Debug)]
pub(super) struct Numbered {
    shape: u32,
    /// By place in the shape.
    values: Box<[u32]>,
}

/// Numbers for things, in the order in which they first come.
#[derive(Debug)]
pub(super) struct Numbers<T> {
    things: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { things: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbers<T> {
    /// The number of a thing, a new one if it has none.
    pub(super) fn of(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let number = self.things.len() as u32;
        self.things.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }

    /// All of them, by number.
    pub(super) fn all(&self) -> &[T] {
        &self.things
    }

    /// The thing of a number.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// The pairwise rules of a site, and what their numbers mean.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// Texts: values of keys.
    pub texts: Numbers<Box<str>>,
    /// Keys.
    pub keys: Numbers<Key>,
    /// Lists of keys, arguments sorted.
    pub shapes: Numbers<Vec<u32>>,
    /// Transformations.
    pub edits: Numbers<Edits>,
    /// The rules.
    pub drafts: FxHashSet<Draft>,
}

impl Book {
    /// A URL in numbers; nothing if the text has no keys.
    pub(super) fn read(&mut self, url: &str) -> Option<Numbered> {
        let url = KeyedUrl::parse(url)?;
        let places = (0..url.segments.len()).map(|place| Key::Start(place as u16));
        let mut arguments = url.argument_keys();
        arguments.sort_unstable();
        let keys: Vec<Key> =
            [Key::Scheme, Key::Host].into_iter().chain(places).chain(arguments).collect();
        let value = |key: &Key| self.texts.of(url.get(key).unwrap_or_default().into());
        let values = keys.iter().map(value).collect();
        let keys = keys.into_iter().map(|key| self.keys.of(key)).collect();
        Some(Numbered { shape: self.shapes.of(keys), values })
    }

    /// Adds the rule that turns `source` into `target`, unless their keys are the same.
    ///
    /// Where a key of the source has the value of a target's key, the rule copies it, from the
    /// same key if possible. An empty value is never copied: it would be found anywhere.
    pub(super) fn add(&mut self, source: &Numbered, target: &Numbered) {
        let none = self.texts.of("".into());
        let [old, new] = [source, target].map(|url| self.shapes.get(url.shape));
        op_counter::count(old.len() * new.len());
        let mut edits = Edits::new();
        for (key, value) in new.iter().zip(&target.values) {
            let own = old.iter().position(|old| old == key);
            if own.is_some_and(|own| source.values[own] == *value) {
                continue;
            }
            let other = source.values.iter().position(|old| old == value && *value != none);
            edits.push((*key, other.map_or(To::Literal(*value), |other| To::Copy(old[other]))));
        }
        let gone = old.iter().filter(|key| !new.contains(key));
        edits.extend(gone.map(|key| (*key, To::Nothing)));
        if !edits.is_empty() {
            edits.sort_unstable();
            let transformation = self.edits.of(edits);
            let context = source.values.clone();
            self.drafts.insert(Draft { shape: source.shape, context, transformation });
        }
    }

    /// A draft as a rule that can be applied.
    pub(super) fn rule(&self, draft: &Draft) -> KeyRule {
        let shape = self.shapes.get(draft.shape);
        let keys: Vec<&Key> = shape.iter().map(|key| self.keys.get(*key)).collect();
        let tests = keys.iter().zip(&draft.context).map(|(key, value)| {
            let test = match *value {
                ANY => Test::Any,
                value => Test::Is(self.texts.get(value).to_string()),
            };
            ((*key).clone(), test)
        });
        let is_argument = |key: &&Key| matches!(key, Key::Argument { .. });
        let arguments = keys.iter().copied().filter(is_argument).cloned().collect();
        let context = Context {
            segments: Some(keys.iter().filter(|key| matches!(key, Key::Start(_))).count()),
            arguments: Some(arguments),
            keys: tests.collect(),
        };
        let edits = self.edits.get(draft.transformation).iter();
        let transformation = edits.map(|(key, to)| (self.keys.get(*key).clone(), self.values(*to)));
        KeyRule { context, transformation: transformation.collect::<BTreeMap<_, _>>() }
    }

    fn values(&self, to: To) -> Vec<Value> {
        match to {
            To::Nothing | To::Any => Vec::new(),
            To::Literal(text) => vec![Value::Literal(self.texts.get(text).to_string())],
            To::Copy(key) => vec![Value::Copy(self.keys.get(key).clone())],
        }
    }
}
