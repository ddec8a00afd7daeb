//! The conventions of a site: the deep patterns of every key of every host.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use undust_url::deep::DeepTokenizer;
use undust_url::deep::pattern::DeepPattern;
use undust_url::deep::sample::DeepSample;
use undust_url::keyed_url::KeyedUrl;

/// Most segments from the start that have conventions; of further ones only the last has.
const MAX_SEGMENTS: usize = 8;

/// Values of a host that are compared with each other. File names stand at the end of paths of
/// any length, directories at a fixed place from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Column<'a> {
    Segment(usize),
    LastSegment,
    Argument(&'a str),
}

/// The conventions of a site.
#[derive(Debug, Default)]
pub(super) struct Conventions<'a>(FxHashMap<(&'a str, Column<'a>), DeepTokenizer>);

impl<'a> Conventions<'a> {
    /// Learns from all URLs, with or without duplicates; at most 2,000 values of a key.
    /// Linear in the URLs.
    pub(super) fn learn(urls: impl Iterator<Item = &'a str>) -> Self {
        let mut samples: FxHashMap<_, DeepSample<'a>> = FxHashMap::default();
        for url in urls.filter_map(KeyedUrl::parse) {
            for (place, segment) in url.segments.iter().enumerate() {
                if let Some(column) = segment_column(place, url.segments.len()) {
                    samples.entry((url.host, column)).or_default().insert(segment);
                }
            }
            for argument in url.query() {
                let column = Column::Argument(argument.key());
                let value = argument.value().unwrap_or_default();
                samples.entry((url.host, column)).or_default().insert(value);
            }
        }
        let learned = samples
            .into_par_iter()
            .map(|(column, sample)| (column, DeepTokenizer::learn_sample(&sample)));
        Self(learned.filter(|(_, tokenizer)| *tokenizer != DeepTokenizer::default()).collect())
    }

    /// The pattern of a segment's value on a host.
    pub(super) fn of_segment<'s>(
        &'s self,
        host: &'s str,
        place: usize,
        of: usize,
        value: &str,
    ) -> Option<&'s DeepPattern> {
        self.0.get(&(host, segment_column(place, of)?))?.pattern(value)
    }

    /// The pattern of an argument's value on a host.
    pub(super) fn of_argument<'s>(
        &'s self,
        host: &'s str,
        name: &'s str,
        value: &str,
    ) -> Option<&'s DeepPattern> {
        self.0.get(&(host, Column::Argument(name)))?.pattern(value)
    }
}

fn segment_column<'a>(place: usize, of: usize) -> Option<Column<'a>> {
    match place {
        last if last + 1 == of => Some(Column::LastSegment),
        place => (place < MAX_SEGMENTS).then_some(Column::Segment(place)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_is_a_column_of_its_own_and_so_are_the_first() {
        assert!(matches!(segment_column(1, 2), Some(Column::LastSegment)));
        assert!(matches!(segment_column(0, 2), Some(Column::Segment(0))));
        assert!(segment_column(MAX_SEGMENTS, MAX_SEGMENTS + 2).is_none());
    }
}
