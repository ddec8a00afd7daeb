//! Parquet files made byte by byte, whose pages and footers say what they want.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::{alone, read, refused};

const UNCOMPRESSED: i64 = 0;
const SNAPPY: i64 = 1;
const GZIP: i64 = 2;
const ZSTD: i64 = 6;

const PLAIN: i64 = 0;
const DELTA_LENGTH: i64 = 6;
const DELTA_BYTES: i64 = 7;
const BY_DICTIONARY: i64 = 8;

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn signed(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)) as u64)
}

fn text(text: &str) -> Vec<u8> {
    [&varint(text.len() as u64)[..], text.as_bytes()].concat()
}

/// A struct of Thrift, of these fields: distance of their numbers, type, bytes.
fn structure(fields: &[(u8, u8, Vec<u8>)]) -> Vec<u8> {
    let field =
        |(delta, kind, bytes): &(u8, u8, Vec<u8>)| [&[delta << 4 | kind][..], bytes].concat();
    let mut bytes: Vec<u8> = fields.iter().flat_map(field).collect();
    bytes.push(0);
    bytes
}

fn list(kind: u8, items: &[Vec<u8>]) -> Vec<u8> {
    [&[0xf0 | kind][..], &varint(items.len() as u64), &items.concat()].concat()
}

/// What the header of a page says.
#[derive(Debug, Clone)]
struct Page {
    kind: i64,
    unpacked: i64,
    count: i64,
    encoding: i64,
    packed: Vec<u8>,
}

impl Page {
    /// A page of values that says the truth.
    fn of(codec: i64, encoding: i64, count: usize, values: &[u8]) -> Self {
        let packed = match codec {
            GZIP => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(values).expect("written");
                encoder.finish().expect("gzip")
            }
            ZSTD => zstd::encode_all(values, 3).expect("zstd"),
            _ => values.to_vec(),
        };
        Self { kind: 0, unpacked: values.len() as i64, count: count as i64, encoding, packed }
    }

    fn dictionary(codec: i64, count: usize, values: &[u8]) -> Self {
        Self { kind: 2, ..Self::of(codec, PLAIN, count, values) }
    }

    fn bytes(&self) -> Vec<u8> {
        let (count, encoding) = ((1, 5, signed(self.count)), (1, 5, signed(self.encoding)));
        let (delta, about) = match self.kind {
            2 => (4, structure(&[count, encoding])),
            _ => (2, structure(&[count, encoding, (1, 5, signed(3)), (1, 5, signed(3))])),
        };
        let header = structure(&[
            (1, 5, signed(self.kind)),
            (1, 5, signed(self.unpacked)),
            (1, 5, signed(self.packed.len() as i64)),
            (delta, 12, about),
        ]);
        [header, self.packed.clone()].concat()
    }
}

/// A file with columns of URLs that are all the same, and row groups that are, too.
#[derive(Debug, Clone)]
struct Columns {
    codec: i64,
    pages: Vec<Page>,
    rows: i64,
    groups: usize,
    columns: usize,
}

impl Columns {
    fn of(codec: i64, pages: &[Page]) -> Self {
        let values = pages.iter().filter(|page| page.kind == 0).map(|page| page.count).sum();
        Self { codec, pages: pages.to_vec(), rows: values, groups: 1, columns: 1 }
    }

    fn file(&self) -> Vec<u8> {
        let pages: Vec<u8> = self.pages.iter().flat_map(Page::bytes).collect();
        let unpacked = 1_i64 << 20;
        let chunk = structure(&[
            (2, 6, signed(4)),
            (
                1,
                12,
                structure(&[
                    (1, 5, signed(6)),
                    (1, 9, list(5, &[signed(0)])),
                    (1, 9, list(8, &[text("url")])),
                    (1, 5, signed(self.codec)),
                    (1, 6, signed(self.rows)),
                    (1, 6, signed(unpacked)),
                    (1, 6, signed(pages.len() as i64)),
                    (2, 6, signed(4)),
                ]),
            ),
        ]);
        let group = structure(&[
            (1, 9, list(12, &vec![chunk; self.columns])),
            (1, 6, signed(unpacked)),
            (1, 6, signed(self.rows)),
        ]);
        let leaf = structure(&[(1, 5, signed(6)), (2, 5, signed(0)), (1, 8, text("url"))]);
        let root = structure(&[(4, 8, text("m")), (1, 5, signed(self.columns as i64))]);
        let schema = [vec![root], vec![leaf; self.columns]].concat();
        with_footer(&pages, &list(12, &schema), &list(12, &vec![group; self.groups]), self.rows)
    }
}

fn with_footer(pages: &[u8], schema: &[u8], groups: &[u8], rows: i64) -> Vec<u8> {
    let footer = structure(&[
        (1, 5, signed(1)),
        (1, 9, schema.to_vec()),
        (1, 6, signed(rows)),
        (1, 9, groups.to_vec()),
    ]);
    let length = (footer.len() as u32).to_le_bytes();
    [b"PAR1", pages, &footer[..], &length, b"PAR1"].concat()
}

/// Texts as they are in pages, each behind its length.
fn texts(all: &[Vec<u8>]) -> Vec<u8> {
    all.iter().flat_map(|one| [&(one.len() as u32).to_le_bytes()[..], one].concat()).collect()
}

/// A number again and again, as differences.
fn again(value: i64, count: u64) -> Vec<u8> {
    let mut bytes = [varint(1 << 30), varint(1), varint(count), signed(value)].concat();
    // A block in which each is as the one before.
    if count > 1 {
        bytes.extend([0, 0]);
    }
    bytes
}

/// The first value of a dictionary, a number of times.
fn first_of_dictionary(count: u64) -> Vec<u8> {
    [&[1][..], &varint(count << 1), &[0]].concat()
}

const TOO_MUCH: &str = "1,000 times";
const WRONG: &str = "contradict themselves";

#[test]
fn files_that_say_the_truth_are_read() {
    let _alone = alone();
    let urls: Vec<Vec<u8>> = (0..500).map(|n| format!("http://a.test/{n}").into_bytes()).collect();
    for codec in [UNCOMPRESSED, GZIP, ZSTD] {
        let page = Page::of(codec, PLAIN, 500, &texts(&urls));
        assert_eq!(read("plain", &Columns::of(codec, &[page]).file()).responses, 500);
        let dictionary = Page::dictionary(codec, 500, &texts(&urls));
        let values = Page::of(codec, BY_DICTIONARY, 700, &first_of_dictionary(700));
        let file = Columns::of(codec, &[dictionary, values]).file();
        assert_eq!(read("a dictionary", &file).responses, 700);
        let same: Vec<u8> = b"http://a.test/".repeat(90);
        let lengths = [again(14, 90), same].concat();
        let page = Page::of(codec, DELTA_LENGTH, 90, &lengths);
        assert_eq!(read("lengths", &Columns::of(codec, &[page]).file()).responses, 90);
        // Each begins as the one before, and adds nothing.
        let first = [varint(128), varint(1), varint(90), signed(0), signed(0), vec![8]].concat();
        let beginnings: Vec<u8> = (0..128).map(|n| if n == 0 { 14 } else { 0 }).collect();
        let suffixes =
            [varint(128), varint(1), varint(90), signed(14), signed(-14), vec![8]].concat();
        let lengths: Vec<u8> = (0..128).map(|n| if n == 0 { 0 } else { 14 }).collect();
        let page = [first, beginnings, suffixes, lengths, b"http://a.test/".to_vec()].concat();
        let page = Page::of(codec, DELTA_BYTES, 90, &page);
        assert_eq!(read("beginnings", &Columns::of(codec, &[page]).file()).responses, 90);
    }
}

/// Values that refer to a dictionary which is not there.
#[test]
fn a_panic_of_the_crate_is_damage() {
    let _alone = alone();
    let values = Page::of(UNCOMPRESSED, BY_DICTIONARY, 9, &first_of_dictionary(9));
    let file = Columns::of(UNCOMPRESSED, &[values]).file();
    refused("no dictionary", &file, "contradict themselves, at row 1;");
}

#[test]
fn pages_that_swell_are_refused() {
    let _alone = alone();
    let long = texts(&[vec![b'a'; 300 << 20]]);
    // In gzip no byte can stand for much more than a thousand.
    for (codec, sentence) in [(GZIP, "becomes more than it says"), (ZSTD, "too small")] {
        let page = Page::of(codec, PLAIN, 1, &long);
        let message = if codec == GZIP { "longer than 16 MiB" } else { TOO_MUCH };
        refused("one long value", &Columns::of(codec, std::slice::from_ref(&page)).file(), message);
        let page = Page { unpacked: 100, ..page };
        refused("one that lies", &Columns::of(codec, &[page]).file(), sentence);
    }
    for codec in [UNCOMPRESSED, SNAPPY, GZIP, ZSTD, 5, 7] {
        let page = Page { unpacked: i32::MAX.into(), ..Page::of(codec, PLAIN, 1, b"\x01\0\0\0a") };
        refused("one of two gigabytes", &Columns::of(codec, &[page]).file(), "");
    }
}

#[test]
fn dictionaries_that_swell_are_refused() {
    let _alone = alone();
    let page = |count: u64| {
        Page::of(UNCOMPRESSED, BY_DICTIONARY, count as usize, &first_of_dictionary(count))
    };
    let small = texts(&[b"http://a.test/".to_vec()]);
    for count in [2, 1000, i32::MAX as usize] {
        let dictionary = Page::dictionary(UNCOMPRESSED, count, &small[..6]);
        refused(
            "a dictionary that lies",
            &Columns::of(UNCOMPRESSED, &[dictionary, page(1)]).file(),
            WRONG,
        );
    }
    let empty = Page::dictionary(ZSTD, 4 << 20, &vec![0; 16 << 20]);
    let one = Page::of(ZSTD, BY_DICTIONARY, 1, &first_of_dictionary(1));
    refused("empty texts", &Columns::of(ZSTD, &[empty, one]).file(), TOO_MUCH);
    // A long value that many rows have.
    let long = [&b"http://a.test/"[..], &vec![b'a'; 1 << 20]].concat();
    let dictionary = Page::dictionary(ZSTD, 1, &texts(&[long]));
    let many = Page::of(ZSTD, BY_DICTIONARY, 1 << 20, &first_of_dictionary(1 << 20));
    refused("a long value", &Columns::of(ZSTD, &[dictionary, many]).file(), TOO_MUCH);
    // Rows without end of a short one.
    let dictionary = Page::dictionary(UNCOMPRESSED, 1, &small);
    let pages = [vec![dictionary], vec![page(i32::MAX as u64); 100]].concat();
    refused("rows without end", &Columns::of(UNCOMPRESSED, &pages).file(), TOO_MUCH);
}

#[test]
fn differences_that_swell_are_refused() {
    let _alone = alone();
    const MANY: u64 = i32::MAX as u64;
    for (encoding, more) in [(DELTA_LENGTH, vec![]), (DELTA_BYTES, again(0, MANY))] {
        for (says, sentence) in [(1, WRONG), (MANY, TOO_MUCH)] {
            let values = [again(0, MANY), more.clone()].concat();
            let page = Page { count: says as i64, ..Page::of(UNCOMPRESSED, encoding, 1, &values) };
            refused("lengths without end", &Columns::of(UNCOMPRESSED, &[page]).file(), sentence);
        }
        let values = [again(0, 1), again(0, MANY)].concat();
        let page = Page::of(UNCOMPRESSED, DELTA_BYTES, 1, &values);
        refused("endless second lengths", &Columns::of(UNCOMPRESSED, &[page]).file(), WRONG);
    }
    // A long value, and many that begin with all of it.
    let (length, count) = (8 << 20, 100_000_u64);
    let beginnings =
        [varint(1 << 20), varint(1), varint(count), signed(0), signed(0), vec![32]].concat();
    let mut lengths = vec![0; 4 << 20];
    lengths[..4].copy_from_slice(&(length as u32).to_le_bytes());
    let suffixes =
        [varint(1 << 20), varint(1), varint(count), signed(length), signed(0), vec![32]].concat();
    let mut rest = vec![0; 4 << 20];
    rest[..4].copy_from_slice(&(-length as i32).to_le_bytes());
    let long = vec![b'a'; length as usize];
    let values = [beginnings, lengths, suffixes, rest, long].concat();
    let page = Page::of(ZSTD, DELTA_BYTES, count as usize, &values);
    refused("beginnings of a long value", &Columns::of(ZSTD, &[page]).file(), TOO_MUCH);
}

#[test]
fn columns_that_are_many_times_there_are_paid_for_each_time() {
    let _alone = alone();
    let page = Page::of(ZSTD, PLAIN, 1, &texts(&[vec![b'a'; 4 << 20]]));
    let file = Columns { groups: 3000, ..Columns::of(ZSTD, std::slice::from_ref(&page)) };
    refused("row groups that are one", &file.file(), TOO_MUCH);
    let file = Columns { columns: 3000, ..Columns::of(ZSTD, &[page]) };
    refused("columns that are one", &file.file(), TOO_MUCH);
    let values = Page::of(UNCOMPRESSED, PLAIN, 3, &texts(&[vec![b'a'], vec![b'b'], vec![b'c']]));
    let file = Columns { rows: 1, ..Columns::of(UNCOMPRESSED, &[values]) };
    refused("more values than rows", &file.file(), WRONG);
}

#[test]
fn footers_that_swell_are_refused() {
    let _alone = alone();
    let leaf = structure(&[(1, 5, signed(6)), (2, 5, signed(0)), (1, 8, text("url"))]);
    let group =
        |count: i64| structure(&[(3, 5, signed(0)), (1, 8, text("g")), (1, 5, signed(count))]);
    let with = |schema: Vec<Vec<u8>>| with_footer(b"", &list(12, &schema), &list(12, &[]), 0);
    let deep = |depth: usize| with([vec![group(1); depth], vec![leaf.clone()]].concat());
    read("a column in ninety groups", &deep(90));
    for depth in [200, 20_000, 1_000_000] {
        refused("groups in groups", &deep(depth), "nested too deep");
    }
    for count in [2, i64::from(i32::MAX)] {
        refused("more columns than there are", &with(vec![group(count), leaf.clone()]), WRONG);
    }
    refused("fewer than none", &with(vec![group(-1), leaf.clone()]), WRONG);
    // A billion truths, which take no bytes; lists of them, and lists of lists.
    let truths = [&[0xf1][..], &varint(1 << 30)].concat();
    let lists = list(9, &vec![truths.clone(); 1000]);
    for (kind, bytes) in
        [(9, truths.clone()), (9, lists.clone()), (10, truths), (9, list(9, &[lists]))]
    {
        let columns = Columns::of(UNCOMPRESSED, &[]).file();
        let footer = &columns[4..columns.len() - 8];
        let footer = [&footer[..footer.len() - 1], &structure(&[(11, kind, bytes)])].concat();
        let length = (footer.len() as u32).to_le_bytes();
        let file = [b"PAR1", &footer[..], &length, b"PAR1"].concat();
        refused("truths", &file, WRONG);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever headers say, and whatever is changed.
    #[test]
    fn no_file_becomes_more_than_it_may(
        codec in prop::sample::select(vec![UNCOMPRESSED, SNAPPY, GZIP, ZSTD]),
        encoding in prop::sample::select(vec![PLAIN, DELTA_LENGTH, DELTA_BYTES, BY_DICTIONARY, 2, 3, 5]),
        said in prop::collection::vec(prop_oneof![0..100_i64, any::<i32>().prop_map(i64::from)], 3),
        power in 0..24_u32, groups in 1..40_usize, columns in 1..40_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        is_true in any::<bool>(),
    ) {
        let _alone = alone();
        let count = 1 << (power / 2);
        let long = vec![b'a'; 1 << power];
        let values = match encoding {
            DELTA_LENGTH => [again(1 << power, count), long].concat(),
            DELTA_BYTES => [again(0, count), again(1 << power, count), long].concat(),
            BY_DICTIONARY => first_of_dictionary(count),
            _ => texts(&[long]),
        };
        let mut page = Page::of(codec, encoding, count as usize, &values);
        let mut dictionary = Page::dictionary(codec, 1, &texts(&[vec![b'b'; 1 << power]]));
        if !is_true {
            (page.count, page.unpacked, dictionary.count) = (said[0], said[1], said[2]);
        }
        let mut file = Columns { groups, columns, ..Columns::of(codec, &[dictionary, page]) }.file();
        for (place, byte) in changes {
            let place = place.index(file.len());
            file[place] = byte;
        }
        read("any file", &file);
    }
}
