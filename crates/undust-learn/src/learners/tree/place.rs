//! Where in a source URL a value stands. A component has two addresses, one from each end; a
//! class needs the address that all its URLs share.

use undust_rules::key_rule::{Conversion, Value};
use undust_url::deep::pattern::DeepPattern;
use undust_url::keys::{DeepAt, Key};

/// A place counted from both ends, each from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub start: u16,
    pub end: u16,
}

impl Spot {
    /// The place `at` among `of`.
    pub(super) fn new(at: usize, of: usize) -> Self {
        Self { start: at as u16, end: of.saturating_sub(at + 1) as u16 }
    }
}

/// A component of one URL, known by both addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component<'a> {
    Scheme,
    Host,
    Segment(Spot),
    Argument { name: &'a str, nth: u16, bare: bool },
}

/// A component, or one of its deep tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValuePlace<'a> {
    pub component: Component<'a>,
    pub token: Option<(Spot, &'a DeepPattern)>,
}

impl<'a> ValuePlace<'a> {
    /// A whole component.
    pub(super) fn whole(component: Component<'a>) -> Self {
        Self { component, token: None }
    }

    /// The address counted from the given sides.
    pub(super) fn address(self, sides: Sides) -> Address<'a> {
        let component = match (self.component, sides.component) {
            (Component::Scheme, _) => ComponentKey::Scheme,
            (Component::Host, _) => ComponentKey::Host,
            (Component::Segment(spot), Side::Start) => ComponentKey::Start(spot.start),
            (Component::Segment(spot), Side::End) => ComponentKey::End(spot.end),
            (Component::Argument { name, nth, bare }, _) => {
                ComponentKey::Argument { name, nth, bare }
            }
        };
        let token = self.token.map(|(spot, pattern)| match sides.token {
            Side::Start => (DeepAt::Start(spot.start), pattern),
            Side::End => (DeepAt::End(spot.end), pattern),
        });
        Address { component, token }
    }
}

/// From which end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

/// From which end segments and deep tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sides {
    pub component: Side,
    pub token: Side,
}

/// A [`Key`] that borrows: of a whole component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ComponentKey<'a> {
    Scheme,
    Host,
    Start(u16),
    End(u16),
    Argument { name: &'a str, nth: u16, bare: bool },
}

impl ComponentKey<'_> {
    /// As rules name it.
    pub(super) fn key(self) -> Key {
        match self {
            Self::Scheme => Key::Scheme,
            Self::Host => Key::Host,
            Self::Start(place) => Key::Start(place),
            Self::End(place) => Key::End(place),
            Self::Argument { name, nth, bare } => Key::Argument { name: name.into(), nth, bare },
        }
    }
}

/// A [`Key`] that borrows, with the pattern that its deep token belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Address<'a> {
    pub component: ComponentKey<'a>,
    pub token: Option<(DeepAt, &'a DeepPattern)>,
}

impl Address<'_> {
    /// As rules name it.
    pub(super) fn key(self) -> Key {
        let component = self.component.key();
        match self.token {
            Some((at, _)) => Key::Deep { part: Box::new(component), at },
            None => component,
        }
    }
}

/// What a place becomes; `P` is the way in which places are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum New<'a, P> {
    /// Text of the target.
    Literal(&'a str),
    /// Any text, since it is irrelevant: the `*` of a transformation.
    Star,
    /// The text at a place of the source.
    Copy(P),
    /// The same, converted.
    Converted(Conversion, P),
}

impl<'a, P: Copy> New<'a, P> {
    /// The place in the source that it copies.
    pub(super) fn reference(&self) -> Option<P> {
        match self {
            Self::Copy(place) | Self::Converted(_, place) => Some(*place),
            Self::Literal(_) | Self::Star => None,
        }
    }

    /// The same with places named in another way.
    pub(super) fn map<Q>(self, name: impl FnOnce(P) -> Q) -> New<'a, Q> {
        match self {
            Self::Literal(text) => New::Literal(text),
            Self::Star => New::Star,
            Self::Copy(place) => New::Copy(name(place)),
            Self::Converted(conversion, place) => New::Converted(conversion, name(place)),
        }
    }
}

impl New<'_, Address<'_>> {
    /// As rules have it.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Literal(text) => Value::Literal(text.into()),
            Self::Star => Value::Literal("*".into()),
            Self::Copy(address) => Value::Copy(address.key()),
            Self::Converted(conversion, address) => Value::Converted(conversion, address.key()),
        }
    }
}

/// A change of one URL into another: what one place of the source becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlaceChange<'a> {
    pub at: ValuePlace<'a>,
    /// The old text; nothing for an addition.
    pub old: Option<&'a str>,
    /// What it becomes; empty for a deletion.
    pub new: Vec<New<'a, ValuePlace<'a>>>,
}

/// One key of a class's transformation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct KeyChange<'a> {
    pub at: Address<'a>,
    /// Whether the sources lack the key.
    pub is_added: bool,
    /// What it becomes; empty for a deletion.
    pub new: Vec<New<'a, Address<'a>>>,
}

impl<'a> PlaceChange<'a> {
    /// The sides from which its place can be counted, the preferred one first. Deleting what comes
    /// last is counted from the end, because it is usually the last one of longer URLs as well;
    /// everything else is counted from the start.
    pub(super) fn sides(&self) -> impl Iterator<Item = Sides> {
        let component = match self.at.component {
            Component::Segment(spot) => self.sides_of(spot),
            _ => &[Side::Start],
        };
        let token = self.at.token.map_or(&[Side::Start][..], |(spot, _)| self.sides_of(spot));
        component
            .iter()
            .flat_map(|&component| token.iter().map(move |&token| Sides { component, token }))
    }

    fn sides_of(&self, spot: Spot) -> &'static [Side] {
        match (spot.end, self.new.is_empty()) {
            (0, true) => &[Side::End, Side::Start],
            _ if self.old.is_none() => &[Side::Start],
            _ => &[Side::Start, Side::End],
        }
    }

    /// The edit with its places counted from the given sides.
    pub(super) fn change(&self, sides: Sides) -> KeyChange<'a> {
        let new = self.new.iter().map(|new| new.map(|place| place.address(sides)));
        KeyChange { at: self.at.address(sides), is_added: self.old.is_none(), new: new.collect() }
    }
}
