//! Records of any names, in any order and any format, some of them broken: the URL is made of what they have, or they
//! are counted.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{read, read_with, record};
use crate::fields::{Field, NAMES};
use crate::options::ReadOptions;
use crate::report::ReadReport;

/// Numbers by chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)) % most as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        (1..all.len()).for_each(|at| all.swap(at, self.below(at + 1)));
    }
}

/// A name of a field as some program may write it.
fn name(field: Field, chance: &mut Chance) -> String {
    let (_, names) = NAMES.iter().find(|(known, _)| *known == field).expect("names");
    let names: Vec<&str> = names.split_ascii_whitespace().collect();
    let name = *chance.of(&names);
    let style = chance.below(4);
    let mut written = String::new();
    for (at, letter) in name.chars().enumerate() {
        let is_upper = style == 1 || style == 2 && (at == 0 || written.ends_with('.'));
        // Upper case of some letters is two letters.
        if is_upper && letter.is_ascii() {
            written.extend(letter.to_uppercase())
        } else {
            written.push(letter)
        }
        let marks = ["", "_", "-", " "];
        if letter != '.' && style == 3 && at + 1 < name.len() {
            written.push_str(marks[chance.below(marks.len())]);
        }
    }
    written
}

/// One way to write a URL.
#[derive(Debug, Clone, Copy)]
enum Parts {
    Whole,
    Target,
    RequestLine,
    PathAndQuery,
    PathWithQuery,
}

const PARTS: [Parts; 5] =
    [Parts::Whole, Parts::Target, Parts::RequestLine, Parts::PathAndQuery, Parts::PathWithQuery];

/// The URLs that the records of a file have, and the names of their fields.
struct Columns {
    parts: Parts,
    fields: Vec<(Field, String)>,
}

impl Columns {
    fn by(chance: &mut Chance) -> Self {
        use Field::{
            Agent, Client, Host, LooseQuery, Method, Path, Query, RequestLine, RequestQuery,
            Scheme, Size,
        };
        use Field::{Status, Target, Time, Url};
        let parts = *chance.of(&PARTS);
        let query = *chance.of(&[Query, LooseQuery, RequestQuery]);
        let mut fields = match parts {
            Parts::Whole => vec![Url],
            Parts::Target => vec![Target, Host, Scheme],
            Parts::RequestLine => vec![RequestLine, Host, Scheme],
            Parts::PathAndQuery => vec![Path, query, Host, Scheme],
            Parts::PathWithQuery => vec![Path, Host, Scheme],
        };
        fields.extend([Status, Agent, Client, Time, Size]);
        if !matches!(parts, Parts::RequestLine) || chance.below(2) == 0 {
            fields.push(Method);
        }
        chance.shuffle(&mut fields);
        let fields = fields.into_iter().map(|field| (field, name(field, chance))).collect();
        Self { parts, fields }
    }

    fn value(&self, field: Field, n: usize) -> String {
        let (path, query) = (
            format!("/p/{n}"),
            if n.is_multiple_of(3) { String::new() } else { format!("q={n}&r=a%20b") },
        );
        let target = if query.is_empty() { path.clone() } else { format!("{path}?{query}") };
        match field {
            Field::Url => format!("https://a.test{target}"),
            Field::Target => target,
            Field::RequestLine => format!("GET {target} HTTP/1.1"),
            Field::Path if matches!(self.parts, Parts::PathWithQuery) => target,
            Field::Path => path,
            Field::Query | Field::LooseQuery | Field::RequestQuery => {
                ["", "?"][n % 2].to_owned() + &query
            }
            Field::Host => ["a.test", "a.test:443"][n % 2].to_owned(),
            Field::Scheme => ["https", "HTTPS"][n % 2].to_owned(),
            Field::Method => "GET".to_owned(),
            Field::Status => "200".to_owned(),
            Field::Agent => "GPTBot/1.0".to_owned(),
            Field::Client => "1.2.3.4".to_owned(),
            Field::Time => "2025-01-01T00:00:00Z".to_owned(),
            _ => "7".to_owned(),
        }
    }

    fn record(&self, n: usize, chance: &mut Chance) -> Vec<(String, Value)> {
        let value = |field: Field, chance: &mut Chance| {
            let text = self.value(field, n);
            match text.parse::<u64>() {
                Ok(number) if chance.below(2) == 0 => json!(number),
                _ if chance.below(6) == 0 => json!([text]),
                _ => json!(text),
            }
        };
        self.fields.iter().map(|(field, name)| (name.clone(), value(*field, chance))).collect()
    }
}

/// An object, its names with dots nested or flat.
fn object(fields: Vec<(String, Value)>, is_nested: bool) -> Value {
    let outer = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let outers: Vec<String> = fields.iter().map(|(name, _)| outer(name)).collect();
    let mut root = Map::new();
    for (name, value) in fields {
        // Two objects of one name, or an object and a text, would be one.
        let is_alone = outers.iter().filter(|one| **one == outer(&name)).count() == 1;
        if is_nested && is_alone {
            let mut parts = name.split('.').rev();
            let last = parts.next().unwrap_or_default().to_owned();
            let around = |(key, value), part: &str| {
                (part.to_owned(), Value::Object(Map::from_iter([(key, value)])))
            };
            let (key, value) = parts.fold((last, value), around);
            root.insert(key, value);
        } else {
            root.insert(name, value);
        }
    }
    Value::Object(root)
}

const RECORDS: usize = 12;

fn alone() -> ReadOptions {
    ReadOptions { threads: 1, ..ReadOptions::default() }
}

/// What the good records of a file have, and what was counted of the others.
fn check(data: &[u8], broken: Option<usize>) -> Result<(), TestCaseError> {
    let (responses, report) = read_with(data, &alone()).map_err(|error| {
        TestCaseError::fail(format!("{error}: {}", String::from_utf8_lossy(data)))
    })?;
    let got: Vec<&str> = responses.iter().map(|response| response.url.as_str()).collect();
    let expected = (0..RECORDS).filter(|n| Some(*n) != broken).map(|n| match n % 3 {
        0 => format!("https://a.test/p/{n}"),
        _ => format!("https://a.test/p/{n}?q={n}&r=a%20b"),
    });
    prop_assert_eq!(
        got,
        expected.collect::<Vec<_>>(),
        "{}: {}",
        report,
        String::from_utf8_lossy(data)
    );
    let bad = bad(&report);
    prop_assert_eq!(
        bad,
        u64::from(broken.is_some()),
        "{}: {}",
        report,
        String::from_utf8_lossy(data)
    );
    let kind = report.inputs[0].1;
    prop_assert_eq!(kind, "an access log", "{}", String::from_utf8_lossy(data));
    prop_assert!(
        responses.iter().all(|one| one.is_listed && one.agent.is_some() && one.status == 200)
    );
    Ok(())
}

fn bad(report: &ReadReport) -> u64 {
    report.bad_entries + report.bad_log_lines
}

/// Records as text, with what JSON may have around them.
fn written(records: &[String], chance: &mut Chance) -> Vec<u8> {
    let text = match chance.below(4) {
        0 => records.join("\n") + "\n",
        1 => format!("[{}]", records.join(", ")),
        2 => format!("[\n{},\n]\n", records.join(",\n")),
        _ => format!(
            "{{\"took\": 3, \"results\": [{}], \"more\": {{\"next\": null}}}}",
            records.join(",")
        ),
    };
    let text = if chance.below(2) == 0 { text.replace('\n', "\r\n") } else { text };
    let mark = if chance.below(3) == 0 { "\u{feff}" } else { "" };
    format!("{mark}{text}").into_bytes()
}

fn csv(columns: &Columns, chance: &mut Chance) -> Vec<u8> {
    let mark = *chance.of(&[",", ";", "\t"]);
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let names: Vec<String> = columns.fields.iter().map(|(_, name)| quoted(name)).collect();
    let mut lines = vec![names.join(mark)];
    for n in 0..RECORDS {
        let cells = columns.fields.iter().map(|(field, _)| quoted(&columns.value(*field, n)));
        lines.push(cells.collect::<Vec<_>>().join(mark));
    }
    let end = *chance.of(&["\n", "\r\n"]);
    (lines.join(end) + end).into_bytes()
}

/// Values that do not belong where they stand.
fn hostile(chance: &mut Chance) -> Value {
    let values = [
        json!(null),
        json!(7),
        json!(-1.5),
        json!(true),
        json!([]),
        json!(["a", "b"]),
        json!({"a": {"b": 1}}),
        json!(""),
        json!("-"),
        json!(" "),
        json!("//evil.test/x"),
        json!("evil.test/x"),
        json!("http://"),
        json!("http:///x"),
        json!("a\u{0}b\n"),
        json!("@evil.test"),
        json!("x".repeat(100_000)),
        json!("?".repeat(1000)),
    ];
    chance.of(&values).clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_url_is_made_of_its_parts_under_any_names(seed: u64) {
        let mut chance = Chance(seed);
        let columns = Columns::by(&mut chance);
        let is_nested = chance.below(2) == 0;
        let mut records: Vec<String> = (0..RECORDS)
            .map(|n| object(columns.record(n, &mut chance), is_nested).to_string())
            .collect();
        if chance.below(3) == 0 {
            records.iter_mut().for_each(|record| *record = record.replace('}', ",}"));
        }
        check(&written(&records, &mut chance), None)?;
        check(&csv(&columns, &mut chance), None)?;
        // One of them is broken, but the first, which says what the file is.
        let broken = 1 + chance.below(RECORDS - 1);
        let record = &records[broken];
        records[broken] = match chance.below(4) {
            0 => "{\"a\": nothing}".to_owned(),
            1 => record.replacen(':', " ", 1),
            2 => "{\"note\": \"no request\"}".to_owned(),
            _ => "{}".to_owned(),
        };
        check(&written(&records, &mut chance), Some(broken))?;
    }

    /// A record with a hostile value is read with its own host, or is counted. It takes no other with it.
    #[test]
    fn hostile_values_cost_their_record(seed: u64) {
        let mut chance = Chance(seed);
        let columns = Columns::by(&mut chance);
        let is_nested = chance.below(2) == 0;
        let hostile_one = 1 + chance.below(RECORDS - 1);
        let records: Vec<String> = (0..RECORDS).map(|n| {
            let mut record = columns.record(n, &mut chance);
            if n == hostile_one {
                let at = chance.below(record.len());
                record[at].1 = hostile(&mut chance);
            }
            object(record, is_nested).to_string()
        }).collect();
        let data = written(&records, &mut chance);
        let (responses, report) = read_with(&data, &alone()).expect("a log");
        let counted = responses.len() as u64 + bad(&report) + report.other_methods + report.not_html;
        prop_assert_eq!(counted, RECORDS as u64, "{}: {}", report, String::from_utf8_lossy(&data));
        prop_assert!(responses.len() >= RECORDS - 1, "{report}");
        for response in responses {
            let url = &response.url;
            let has_host = url.starts_with("https://a.test/") || url.starts_with("http://a.test/");
            prop_assert!(has_host && !url.contains(char::is_control), "{}: {}", url, records[hostile_one]);
        }
    }
}

#[test]
fn the_header_no_vary_search_names_the_url_without_what_does_not_matter() {
    let of = |url: &str, status: &str, headers: &str| {
        let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{headers}\r\n<p>text");
        read(&record("response", url, "", http.as_bytes())).0.remove(0).no_vary_search
    };
    let (url, params) = ("http://h.test/a?id=1&ref=x", "No-Vary-Search: params=(\"ref\")\r\n");
    assert_eq!(of(url, "200 OK", params).as_deref(), Some("http://h.test/a?id=1"));
    assert_eq!(of("http://h.test/a?id=1", "200 OK", params), None);
    assert_eq!(of(url, "404 Not Found", params), None);
    assert_eq!(of(url, "301 Moved\r\nLocation: /b", params), None);
    assert_eq!(of(url, "200 OK", "No-Vary-Search: params=(ref)\r\n"), None);
    // Several fields are one list, of which the last value counts.
    let several = "No-Vary-Search: params\r\nno-vary-search: params=(\"ref\")\r\n";
    assert_eq!(of(url, "200 OK", several).as_deref(), Some("http://h.test/a?id=1"));
}

#[test]
fn the_header_is_read_where_a_crawler_wrote_down_the_headers() {
    let header = "params=(\"ref\")";
    let (url, page) = ("http://h.test/a?id=1&ref=x", "<title>T</title><p>text");
    let as_object = json!({"request": {"method": "GET", "endpoint": url},
        "response": {"status_code": 200, "headers": {"No-Vary-Search": header}, "body": page}});
    let as_list = json!({"log": {"entries": [{"request": {"method": "GET", "url": url},
        "response": {"status": 200, "headers": [{"name": "no-vary-search", "value": header}],
        "content": {"mimeType": "text/html", "text": page}}}]}});
    for feed in [as_object, as_list] {
        let (responses, report) = read(feed.to_string().as_bytes());
        assert_eq!(responses.len(), 1, "{report}");
        let form = responses[0].no_vary_search.as_deref();
        assert_eq!(form, Some("http://h.test/a?id=1"), "{feed}");
    }
}
