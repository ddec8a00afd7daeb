//! Rows of the store as bytes, and back. A field that is missing takes one bit.

use undust_pages::page::{Importance, Page};
use undust_pages::pages::{DropReason, ResponseOutcome};
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;

/// What the store knows of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageRecord {
    /// As requested.
    pub url: Box<str>,
    /// What its last response said.
    pub outcome: ResponseOutcome,
    /// The page and its group, if the URL counts as one; else why not.
    pub place: Result<GroupPlace, DropReason>,
    /// Importance of the URL itself.
    pub importance: Option<Importance>,
    /// When the response was captured, in seconds since 1970.
    pub time: Option<i64>,
}

/// Where a URL stands that counts as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupPlace {
    /// The page at which its redirects end; itself without redirects.
    pub end: u32,
    /// The group of that page.
    pub group: u32,
}

/// What pages are compared by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// Hash of the title.
    pub title: Option<u64>,
    /// Fingerprint of the text.
    pub simhash: Option<u64>,
    /// Hash of the digest.
    pub digest: Option<u64>,
    /// Hash of the text of a short page.
    pub short_text: Option<u64>,
}

/// A group of pages that are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupRecord {
    /// The URL that stands for the others.
    pub canonical: u32,
    /// URLs, redirects included.
    pub size: u32,
    /// The content of the canonical URL: the group's signature.
    pub signature: Content,
    /// Whether pages left it or changed in it, so that those left may not be the same any more.
    pub is_loose: bool,
}

impl Content {
    /// The content of a page; none where there is no page.
    pub(super) fn of(outcome: &ResponseOutcome) -> Option<Self> {
        match *outcome {
            ResponseOutcome::Content { title, simhash, short_text, digest, .. } => Some(Self {
                title,
                simhash: simhash.map(|simhash| simhash.0),
                digest,
                short_text: short_text.map(|text| text.0),
            }),
            _ => None,
        }
    }

    /// A page with this content, without a URL.
    pub(super) fn page(self, end: u32) -> Page {
        let Self { title, simhash, digest, short_text } = self;
        let (simhash, short_text) = (simhash.map(Simhash), short_text.map(TextHash));
        Page { end, title, simhash, short_text, digest, ..Page::default() }
    }
}

/// One bit for each field that may be missing.
const TITLE: u8 = 1;
const SIMHASH: u8 = 2;
const DIGEST: u8 = 4;
const IMPORTANCE: u8 = 8;
const TIME: u8 = 16;
const LOOSE: u8 = 32;
const SHORT_TEXT: u8 = 64;

/// Codes of what a URL is.
const CONTENT: u8 = 0;
const REDIRECT: u8 = 1;
/// Codes from here on say why a URL does not count.
const DROPPED: u8 = 2;
/// The code of a URL that counts, in the place of a reason.
const COUNTS: u8 = 0;

const REASONS: [DropReason; 5] = [
    DropReason::Loop,
    DropReason::MissingTarget,
    DropReason::LongChain,
    DropReason::NotOk,
    DropReason::NoContent,
];

fn code(why: DropReason) -> u8 {
    let at = REASONS.iter().position(|reason| *reason == why);
    at.map_or(u8::MAX, |at| at as u8 + DROPPED)
}

fn reason(code: u8) -> Option<DropReason> {
    REASONS.get(usize::from(code.checked_sub(DROPPED)?)).copied()
}

impl PageRecord {
    /// Appends the row to `row`.
    pub(super) fn write(&self, row: &mut Vec<u8>) {
        let content = Content::of(&self.outcome).unwrap_or_default();
        let flags = content.flags()
            | flag(self.importance.is_some(), IMPORTANCE)
            | flag(self.time.is_some(), TIME);
        let kind = match &self.outcome {
            ResponseOutcome::Content { .. } => CONTENT,
            ResponseOutcome::Redirect(_) => REDIRECT,
            ResponseOutcome::Dropped(why) => code(*why),
        };
        row.extend([flags, kind, self.place.map_or_else(code, |_| COUNTS)]);
        content.write(row);
        if let Some(importance) = self.importance {
            row.extend(importance.bits().to_le_bytes());
        }
        if let Some(time) = self.time {
            row.extend(time.to_le_bytes());
        }
        if let Ok(place) = self.place {
            row.extend(place.end.to_le_bytes());
            row.extend(place.group.to_le_bytes());
        }
        if let ResponseOutcome::Redirect(location) = &self.outcome {
            row.extend((location.len() as u32).to_le_bytes());
            row.extend(location.as_bytes());
        }
        row.extend(self.url.as_bytes());
    }

    /// Reads a row; none if the bytes are not a row.
    pub(super) fn read(row: &[u8]) -> Option<Self> {
        let mut row = Reader(row);
        let [flags, kind, place] = row.take()?;
        let content = Content::read(flags, &mut row)?;
        let importance = if flags & IMPORTANCE > 0 { Some(row.u64()?) } else { None };
        let time = if flags & TIME > 0 { Some(i64::from_le_bytes(row.take()?)) } else { None };
        let place = match place {
            COUNTS => Ok(GroupPlace { end: row.u32()?, group: row.u32()? }),
            code => Err(reason(code)?),
        };
        let outcome = match kind {
            CONTENT => {
                let Content { title, simhash, digest, short_text } = content;
                ResponseOutcome::Content {
                    title,
                    simhash: simhash.map(Simhash),
                    short_text: short_text.map(TextHash),
                    digest,
                }
            }
            REDIRECT => {
                let length = row.u32()?;
                ResponseOutcome::Redirect(row.text(length as usize)?)
            }
            code => ResponseOutcome::Dropped(reason(code)?),
        };
        let url = row.text(row.0.len())?;
        Some(Self { url, outcome, place, importance: importance.map(Importance::from_bits), time })
    }
}

impl GroupRecord {
    /// The row.
    pub(super) fn write(&self, row: &mut Vec<u8>) {
        row.push(self.signature.flags() | flag(self.is_loose, LOOSE));
        self.signature.write(row);
        row.extend(self.canonical.to_le_bytes());
        row.extend(self.size.to_le_bytes());
    }

    /// Reads a row; none if the bytes are not a row.
    pub(super) fn read(row: &[u8]) -> Option<Self> {
        let mut row = Reader(row);
        let [flags] = row.take()?;
        let signature = Content::read(flags, &mut row)?;
        let (canonical, size) = (row.u32()?, row.u32()?);
        Some(Self { canonical, size, signature, is_loose: flags & LOOSE > 0 })
    }
}

impl Content {
    fn flags(&self) -> u8 {
        flag(self.title.is_some(), TITLE)
            | flag(self.simhash.is_some(), SIMHASH)
            | flag(self.digest.is_some(), DIGEST)
            | flag(self.short_text.is_some(), SHORT_TEXT)
    }

    fn write(&self, row: &mut Vec<u8>) {
        let values = [self.title, self.simhash, self.digest, self.short_text];
        for value in values.into_iter().flatten() {
            row.extend(value.to_le_bytes());
        }
    }

    fn read(flags: u8, row: &mut Reader<'_>) -> Option<Self> {
        let mut next = |bit| if flags & bit > 0 { row.u64().map(Some) } else { Some(None) };
        Some(Self {
            title: next(TITLE)?,
            simhash: next(SIMHASH)?,
            digest: next(DIGEST)?,
            short_text: next(SHORT_TEXT)?,
        })
    }
}

fn flag(is_set: bool, bit: u8) -> u8 {
    if is_set { bit } else { 0 }
}

/// The part of a row that is not read yet.
struct Reader<'r>(&'r [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn text(&mut self, length: usize) -> Option<Box<str>> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(taken).ok().map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_outcome() -> impl Strategy<Value = ResponseOutcome> {
        let number = || prop::option::of(any::<u64>());
        prop_oneof![
            (number(), number(), number(), number()).prop_map(
                |(title, simhash, short_text, digest)| ResponseOutcome::Content {
                    title,
                    simhash: simhash.map(Simhash),
                    short_text: short_text.map(TextHash),
                    digest,
                }
            ),
            ".*".prop_map(|location| ResponseOutcome::Redirect(location.into())),
            any_why().prop_map(ResponseOutcome::Dropped),
        ]
    }

    fn any_why() -> impl Strategy<Value = DropReason> {
        (0..REASONS.len()).prop_map(|at| REASONS[at])
    }

    proptest! {
        #[test]
        fn a_page_is_read_as_it_was_written(
            url in ".*",
            outcome in any_outcome(),
            place in prop_oneof![
                (any::<u32>(), any::<u32>()).prop_map(|(end, group)| Ok(GroupPlace { end, group })),
                any_why().prop_map(Err),
            ],
            importance in prop::option::of(any::<u64>()),
            time in prop::option::of(any::<i64>()),
        ) {
            let importance = importance.map(Importance::from_bits);
            let page = PageRecord { url: url.into(), outcome, place, importance, time };
            let mut row = Vec::new();
            page.write(&mut row);
            prop_assert_eq!(PageRecord::read(&row), Some(page));
        }

        #[test]
        fn no_bytes_make_it_panic(row in prop::collection::vec(any::<u8>(), 0..60)) {
            PageRecord::read(&row);
            GroupRecord::read(&row);
        }
    }

    #[test]
    fn a_group_is_read_as_it_was_written() {
        let (digest, short_text) = (Some(u64::MAX), Some(5));
        let signature = Content { title: None, simhash: Some(7), digest, short_text };
        for is_loose in [false, true] {
            let group = GroupRecord { canonical: 3, size: 70_000, signature, is_loose };
            let mut row = Vec::new();
            group.write(&mut row);
            assert_eq!(GroupRecord::read(&row), Some(group));
        }
    }
}
