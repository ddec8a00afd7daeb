use std::io::Write as _;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

use undust_pages::agent::AgentClass;
use undust_pages::response::Response;
use undust_util::error::{Result, Subject};

use crate::options::{FieldNames, ReadOptions};
use crate::pipeline::{read_all, read_stream};
use crate::report::ReadReport;

fn is_about_crawl<T>(read: &Result<T>) -> bool {
    matches!(read, Err(error) if error.subject() == Subject::Crawl)
}

/// URL, status, target of a redirect, and digest.
type Row = (String, i32, Option<String>, Option<String>);

/// A cell of a row that may be missing.
type Cell = fn(&Row) -> &Option<String>;

const SCHEMA: &str = "message crawl {
    required binary url (UTF8);
    required int32 fetch_status (INTEGER(16, true));
    optional group response { optional group headers { optional binary location (UTF8); } }
    optional binary content_digest (UTF8);
    optional group tags (LIST) { repeated group list { optional binary url (UTF8); } }
}";

/// A file with some rows in each row group.
fn parquet(rows: &[Row], in_group: usize, compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in rows.chunks(in_group) {
        let mut group = writer.next_row_group().unwrap();
        let text = |text: &String| text.as_bytes().to_vec().into();
        let mut column = group.next_column().unwrap().unwrap();
        let urls: Vec<_> = rows.iter().map(|row| text(&row.0)).collect();
        column.typed::<ByteArrayType>().write_batch(&urls, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let status: Vec<_> = rows.iter().map(|row| row.1).collect();
        column.typed::<Int32Type>().write_batch(&status, None, None).unwrap();
        column.close().unwrap();
        let optional: [(i16, Cell); 2] = [(3, |row| &row.2), (1, |row| &row.3)];
        for (defined, of) in optional {
            let mut column = group.next_column().unwrap().unwrap();
            let values: Vec<_> = rows.iter().filter_map(|row| of(row).as_ref().map(text)).collect();
            let levels: Vec<i16> =
                rows.iter().map(|row| if of(row).is_some() { defined } else { 0 }).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
            column.close().unwrap();
        }
        let mut column = group.next_column().unwrap().unwrap();
        let none = vec![0; rows.len()];
        column.typed::<ByteArrayType>().write_batch(&[], Some(&none), Some(&none)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The same rows as JSON lines.
fn json_lines(rows: &[Row]) -> Vec<u8> {
    let line = |(url, status, location, digest): &Row| {
        let row = serde_json::json!({"url": url, "fetch_status": status,
            "response": {"headers": {"location": location}}, "content_digest": digest});
        format!("{row}\n")
    };
    rows.iter().map(line).collect::<String>().into_bytes()
}

fn read_file(bytes: &[u8], options: &ReadOptions) -> (Vec<Response>, Result<ReadReport>) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let mut responses = Vec::new();
    let report = read_all(&[file.path().to_owned()], options, &mut |response| {
        responses.push(response);
        Ok(())
    });
    (responses, report)
}

fn read(bytes: &[u8]) -> (Vec<Response>, Result<ReadReport>) {
    read_file(bytes, &ReadOptions::default())
}

fn rows(count: usize) -> Vec<Row> {
    let row = |n: usize| {
        let is_redirect = n.is_multiple_of(5);
        let status = if is_redirect { 301 } else { 200 };
        let location = is_redirect.then(|| format!("/to/{n}"));
        (
            format!("http://x.org/{n}"),
            status,
            location,
            (!is_redirect).then(|| format!("D{}", n / 2)),
        )
    };
    (0..count).map(row).collect()
}

#[test]
fn columns_are_found_by_their_names_and_all_codecs_are_read() {
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ] {
        let (responses, report) = read(&parquet(&rows(300), 130, compression));
        let report = report.unwrap();
        assert_eq!((responses.len(), report.inputs[0].1), (300, "a Parquet file"), "{compression}");
        assert_eq!(responses[5].location.as_deref(), Some("http://x.org/to/5"));
        assert_eq!((responses[299].status, responses[299].digest.as_deref()), (200, Some("D149")));
    }
}

#[test]
fn a_file_that_comes_as_a_stream_or_compressed_as_a_whole_is_read() {
    let bytes = parquet(&rows(200), 64, Compression::SNAPPY);
    let (expected, _) = read(&bytes);
    let mut streamed = Vec::new();
    let stream = std::io::Cursor::new(bytes.clone());
    read_stream(Box::new(stream), &ReadOptions::default(), &mut |response| streamed.push(response))
        .unwrap();
    assert_eq!(streamed, expected);
    assert_eq!(read(&zstd::encode_all(&bytes[..], 1).unwrap()).0, expected);
}

#[test]
fn names_that_a_user_gives_are_taken() {
    let bytes = parquet(&rows(10), 10, Compression::UNCOMPRESSED);
    let options = ReadOptions {
        fields: FieldNames { status: Some("content-digest".into()), ..FieldNames::default() },
        ..ReadOptions::default()
    };
    let (responses, _) = read_file(&bytes, &options);
    assert_eq!(responses[1].status, 0);
    let options = ReadOptions {
        fields: FieldNames { url: Some("link".into()), ..FieldNames::default() },
        ..ReadOptions::default()
    };
    let described = read_file(&bytes, &options).1.unwrap_err().to_string();
    let columns =
        "it has: url, fetch_status, response.headers.location, content_digest, tags.list.url;";
    assert!(described.contains(columns), "{described}");
}

#[test]
fn robots_txt_of_common_crawl_is_no_page() {
    let schema = "message index { required binary url; required binary subset; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for values in [["http://x.org/", "http://x.org/robots.txt"], ["warc", "robotstxt"]] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values.map(Into::into), None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let (responses, report) = read(&writer.into_inner().unwrap());
    assert_eq!((responses.len(), report.unwrap().not_html), (1, 1));
}

#[test]
fn a_truncated_file_is_one_sentence() {
    let bytes = parquet(&rows(300), 100, Compression::SNAPPY);
    for end in (5..bytes.len()).step_by(7) {
        let (responses, report) = read(&bytes[..end]);
        assert!(responses.is_empty(), "{end}");
        assert!(is_about_crawl(&report), "{end}: {report:?}");
    }
}

#[test]
fn a_group_that_is_damaged_costs_what_comes_after() {
    let mut bytes = parquet(&rows(300), 100, Compression::ZSTD(ZstdLevel::default()));
    // The second row group, which begins in the middle of the data.
    let middle = bytes.len() / 3;
    bytes[middle..middle + 40].fill(0xff);
    let (responses, report) = read(&bytes);
    let report = report.unwrap();
    assert!(responses.len() < 300 && report.cut_inputs == 1, "{}", responses.len());
    assert!(report.to_string().contains("truncated"), "{report}");
}

#[test]
fn a_column_that_is_too_large_is_refused() {
    let bytes = parquet(&rows(40), 40, Compression::SNAPPY);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).unwrap();
    let group = metadata.row_group(0).clone();
    let mut columns = group.columns().to_vec();
    let huge = columns[0].clone().into_builder().set_total_uncompressed_size((1 << 30) + 1);
    columns[0] = huge.build().unwrap();
    let group = group.into_builder().set_column_metadata(columns).build().unwrap();
    let metadata = metadata.into_builder().set_row_groups(vec![group]).build();
    // Its pages, then what a second list of columns says of them.
    let mut patched = bytes;
    ParquetMetaDataWriter::new(&mut patched, &metadata).finish().unwrap();
    let (responses, report) = read(&patched);
    let report = report.unwrap();
    assert!(responses.is_empty() && report.cut_inputs == 1, "{report}");
    assert!(report.notes[0].contains("more than 1 GiB in a row group"), "{:?}", report.notes);
}

/// A column that the user names has the URL, as one of a usual name has.
#[test]
fn a_url_that_is_no_utf_8_is_escaped_under_any_name() {
    for name in ["url", "link"] {
        let schema = format!("message crawl {{ required binary {name}; }}");
        let schema = Arc::new(parse_message_type(&schema).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let urls = [b" http://x.org/\xe9 ".to_vec().into()];
        column.typed::<ByteArrayType>().write_batch(&urls, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        let options = ReadOptions {
            fields: FieldNames { url: Some(name.into()), ..FieldNames::default() },
            ..ReadOptions::default()
        };
        let (responses, _) = read_file(&writer.into_inner().unwrap(), &options);
        assert_eq!(responses[0].url, "http://x.org/%E9", "{name}");
    }
}

#[test]
fn an_empty_file_has_no_rows() {
    let (responses, report) = read(&parquet(&[], 1, Compression::SNAPPY));
    assert!(responses.is_empty() && report.is_ok());
    assert!(is_about_crawl(&read(b"PAR1\n").1));
}

proptest! {
    #[test]
    fn the_same_rows_as_json_lines_give_the_same_responses(
        rows in prop::collection::vec(
            ("http://x\\.org/[a-zé?=&%]{0,12}", 0..600_i32, prop::option::of("/[a-z]{1,5}"), prop::option::of("[A-Z]{3}")),
            1..150,
        ),
        in_group in 1..80_usize,
    ) {
        let (from_parquet, report) = read(&parquet(&rows, in_group, Compression::SNAPPY));
        let (from_json, expected) = read(&json_lines(&rows));
        prop_assert_eq!(from_parquet, from_json);
        prop_assert_eq!(report.unwrap().responses, expected.unwrap().responses);
    }

    /// Whatever is wrong with a file costs its rows, never the run.
    #[test]
    fn damage_never_panics(changes in prop::collection::vec((0..4096_usize, any::<u8>()), 1..6)) {
        let mut bytes = parquet(&rows(40), 15, Compression::SNAPPY);
        for (place, byte) in changes {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        _ = read(&bytes);
    }
}

/// A log that somebody made columns of: the request is a struct, and its headers have lists.
#[test]
fn a_log_in_columns_has_urls_of_its_parts() {
    let schema = "message log {
        required int64 status;
        required group request {
            required binary host (UTF8);
            required binary uri (UTF8);
            required binary method (UTF8);
            required binary remote_ip (UTF8);
        }
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[200, 404], None, None).unwrap();
    column.close().unwrap();
    for values in [["a.test", "b.test:80"], ["/x?b=1", "/y"], ["GET", "GET"], ["1.2.3.4", "::1"]] {
        let mut column = group.next_column().unwrap().unwrap();
        let values = values.map(|text| text.as_bytes().to_vec().into());
        column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let (responses, report) = read(&writer.into_inner().unwrap());
    let report = report.unwrap();
    let seen: Vec<_> = responses.iter().map(|one| (one.url.as_str(), one.status)).collect();
    assert_eq!(seen, [("http://a.test/x?b=1", 200), ("http://b.test/y", 404)], "{report}");
    assert_eq!(report.inputs[0].1, "an access log");
}

/// A log of Caddy that DuckDB wrote: each header is a list, and the time a fraction. `more` agents stand in the first.
fn log_of_caddy(agents: &[Option<&str>], more: usize, properties: WriterProperties) -> Vec<u8> {
    let schema = "message log {
        required double ts;
        required int64 status;
        optional group request {
            required binary host (UTF8);
            required binary uri (UTF8);
            required binary method (UTF8);
            optional group headers {
                optional group User_Agent (LIST) { repeated group list { optional binary element (UTF8); } }
            }
        }
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let times: Vec<f64> = (0..agents.len()).map(|row| 1_740_000_000.5 + row as f64).collect();
    column.typed::<DoubleType>().write_batch(&times, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&vec![200; agents.len()], None, None).unwrap();
    column.close().unwrap();
    let ones = vec![1; agents.len()];
    for text in ["a.test", "/x?b=1", "GET"] {
        let mut column = group.next_column().unwrap().unwrap();
        let values = vec![text.as_bytes().to_vec().into(); agents.len()];
        column.typed::<ByteArrayType>().write_batch(&values, Some(&ones), None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    let (mut values, mut defined, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for (row, agent) in agents.iter().enumerate() {
        let count = if row == 0 { 1 + more } else { 1 };
        for place in 0..count {
            values.extend(agent.map(|text| text.as_bytes().to_vec().into()));
            defined.push(if agent.is_some() { 5 } else { 2 });
            lists.push(i16::from(place > 0));
        }
    }
    column.typed::<ByteArrayType>().write_batch(&values, Some(&defined), Some(&lists)).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

proptest! {
    #[test]
    fn a_list_of_one_is_its_text_and_no_other_list_costs_a_row(
        agents in prop::collection::vec(0..3_usize, 1..200),
        more in prop_oneof![Just(0_usize), 1..80_usize],
        is_new in any::<bool>(),
        encoding in prop_oneof![
            Just(None), Just(Some(Encoding::DELTA_BYTE_ARRAY)), Just(Some(Encoding::DELTA_LENGTH_BYTE_ARRAY))
        ],
    ) {
        let names = [None, Some("GPTBot/1.2"), Some("Mozilla/5.0 Firefox/127.0")];
        let agents: Vec<Option<&str>> = agents.into_iter().map(|at| names[at]).collect();
        let version = if is_new { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
        let mut properties = WriterProperties::builder().set_writer_version(version);
        if let Some(encoding) = encoding {
            properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
            for numbers in ["ts", "status"] {
                properties = properties.set_column_encoding(numbers.into(), Encoding::PLAIN);
            }
        }
        // A list in which nothing stands has no second place.
        let more = if agents[0].is_some() { more } else { 0 };
        let (responses, report) = read(&log_of_caddy(&agents, more, properties.build()));
        prop_assert!(report.is_ok_and(|report| report.cut_inputs == 0 && report.bad_log_lines == 0));
        let class = |name: &Option<&str>| name.map(|name| AgentClass::of(name.as_bytes()));
        let expected: Vec<Option<AgentClass>> =
            agents.iter().map(|name| if more == 0 { class(name) } else { None }).collect();
        prop_assert_eq!(responses.iter().map(|one| one.agent).collect::<Vec<_>>(), expected);
        prop_assert_eq!(responses[0].time.as_deref(), Some("2025-02-19T21:20:00Z"));
    }
}
