//! Feeds of Scrapy, in each of the three ways in which it writes them.

use undust_pages::{Simhash, TextHash};

use super::entries::{CSV, FEED, TABLE, XML, describe};
use super::hostile::work_of;
use super::{read, read_with};
use crate::feed;
use crate::options::{FieldNames, ReadOptions};

#[test]
fn feeds_as_lines_and_as_an_array() {
    let (responses, report) = read(FEED.as_bytes());
    assert_eq!(
        describe(&responses),
        [
            ("http://x.com/", 200, None),
            ("http://x.com/a", 200, None),
            ("http://x.com/b", 404, None),
            ("http://x.com/t", 200, None),
        ]
    );
    assert_eq!(report.bad_entries, 2, "{report}");
    assert_eq!((responses[0].title.as_deref(), responses[0].words), (Some("T"), Some(3)));
    assert_eq!(
        (responses[0].digest.clone(), responses[0].simhash),
        (responses[1].digest.clone(), responses[1].simhash)
    );
    assert_eq!((responses[3].title.as_deref(), responses[3].words), (Some("Own"), Some(4)));
    let items: Vec<&str> = FEED.lines().filter(|line| line.contains("\"url\": ")).collect();
    let array = format!("[\n{}\n]", items.join(",\n"));
    let people =
        items.join(",").replace(", \"", ",\n    \"").replace('{', "{\n    ").replace('}', "\n}");
    for array in [
        array.clone(),
        array.replace('\n', "\r\n"),
        format!("[{people}]\n"),
        format!("{array}\n{array}"),
        format!("[{}]", items.join(", ")),
    ] {
        let (same, report) = read(array.as_bytes());
        assert_eq!((&same[..4], report.bad_entries), (&responses[..], 0), "{array}: {report}");
    }
}

#[test]
fn a_manifest_that_was_made_a_table_of_keeps_what_pages_are_compared_by() {
    let table = "url,status,title,simhash,text_hash,digest,words\n\
        http://x.com/,200,T,00000000000000ff,62c4e7ab77724639,d,7\n";
    let (responses, _) = read(table.as_bytes());
    let page = &responses[0];
    assert_eq!((page.simhash, page.words), (Some(Simhash(0xff)), Some(7)));
    assert_eq!(page.text_hash, Some(TextHash(0x62c4_e7ab_7772_4639)));
    assert_eq!(page.digest.as_deref(), Some("d"));
}

/// A redirect and an error look the same in a manifest and in a feed. The first page decides.
#[test]
fn a_feed_may_begin_with_redirects() {
    let moved = r#"{"url": "http://x.com/", "status": 301, "location": "http://x.com/a"}"#;
    let gone = r#"{"url": "http://x.com/b", "status": 404}"#;
    for (page, kind, words) in [
        (
            r#"{"url": "http://x.com/a", "status": 200, "html": "<p>some words"}"#,
            "a Scrapy feed",
            Some(2),
        ),
        (
            r#"{"url": "http://x.com/a", "status": 200, "body": "<p>some words"}"#,
            "a Scrapy feed",
            Some(2),
        ),
        (
            r#"{"url": "http://x.com/a", "status": 200, "digest": "d", "words": 7}"#,
            "a crawl manifest",
            Some(7),
        ),
        (r#"{"url": "http://x.com/a", "status": 200, "price": 3}"#, "a crawl manifest", None),
    ] {
        let (responses, report) = read(format!("{moved}\n{gone}\n{page}\n").as_bytes());
        assert_eq!((responses.len(), report.inputs[0].1), (3, kind), "{page}");
        assert_eq!(responses[0].location.as_deref(), Some("http://x.com/a"), "{page}");
        assert_eq!(responses[2].words, words, "{page}");
    }
    let (responses, report) = read(format!("{moved}\n{gone}\n").as_bytes());
    assert_eq!((responses.len(), report.inputs[0].1), (2, "a crawl manifest"));
}

/// A fault in the first item hides its page. The fields before it are those of no manifest.
#[test]
fn the_first_item_of_a_feed_may_be_broken() {
    let deep = "[".repeat(999);
    for fault in ["1e999999", &deep] {
        let broken = format!(r#"{{"url": "http://x.com/a", "price": {fault}, "html": "<p>one"}}"#);
        let item = r#"{"url": "http://x.com/b", "price": 3, "html": "<p>some words"}"#;
        let (responses, report) = read(format!("{broken}\n{item}\n").as_bytes());
        assert_eq!(report.inputs[0].1, "a Scrapy feed", "{fault}");
        assert_eq!((responses.len(), report.bad_entries), (1, 1), "{fault}");
        assert_eq!(responses[0].words, Some(2), "{fault}");
    }
}

/// Without the broken hash a page would be compared by less than the others. An empty cell is none.
#[test]
fn a_broken_hash_is_counted_and_told() {
    for (simhash, text_hash, bad) in [
        ("00000000000000ff", "62c4e7ab7772463", 1),
        ("00000000000000ff", "+2c4e7ab77724639", 1),
        ("ff", "62c4e7ab77724639", 1),
        ("00000000000000ff", "", 0),
        ("", "", 0),
    ] {
        let head = "url,status,title,simhash,text_hash,digest,words";
        let table = format!("{head}\nhttp://x.com/,200,T,{simhash},{text_hash},d,7\n");
        let (responses, report) = read(table.as_bytes());
        assert_eq!((responses.len(), report.bad_entries), (1 - bad as usize, bad), "{table}");
        assert_eq!(report.to_string().contains("in place of 16 hex digits"), bad > 0, "{report}");
    }
}

#[test]
fn fields_have_the_names_that_are_given() {
    let feed = r#"{"link": "http://x.com/", "url": "x", "status": 200, "page": "<p>some words", "body": "no"}"#;
    let options = ReadOptions {
        fields: FieldNames {
            url: Some("link".into()),
            body: Some("page".into()),
            ..FieldNames::default()
        },
        ..ReadOptions::default()
    };
    let (responses, _) = read_with(feed.as_bytes(), &options).unwrap();
    assert_eq!(
        (describe(&responses), responses[0].words),
        (vec![("http://x.com/", 200, None)], Some(2))
    );
}

/// A column that the user names has the URL, as one of a usual name has.
#[test]
fn a_url_of_a_table_is_trimmed_and_escaped_under_any_name() {
    for name in ["url", "link"] {
        let feed = [name.as_bytes(), b",status\n http://x.com/\xe9 ,200\n"].concat();
        let options = ReadOptions {
            fields: FieldNames { url: Some(name.into()), ..FieldNames::default() },
            ..ReadOptions::default()
        };
        let (responses, _) = read_with(&feed, &options).unwrap();
        assert_eq!(describe(&responses), [("http://x.com/%E9", 200, None)], "{name}");
    }
}

#[test]
fn feeds_as_tables_and_as_xml() {
    let expected = [
        ("http://x.com/", 200, None),
        ("http://x.com/a", 200, None),
        ("http://x.com/b", 404, None),
        ("http://x.com/t", 200, None),
    ];
    let (tabs, semicolons) = (CSV.replace(',', "\t"), CSV.replace(',', ";"));
    let marked = format!("\u{feff}sep=,\n{CSV}");
    let indented = XML.replace("<item>", "\n  <item>\n").replace("</url>", "</url>\n    ");
    let on_one_line = XML.replace('\n', " ");
    for feed in [CSV, &tabs, &semicolons, &marked, XML, &indented, &on_one_line] {
        let (responses, report) = read(feed.as_bytes());
        assert_eq!(describe(&responses), expected, "{feed}");
        assert_eq!((report.bad_entries, report.inputs[0].1), (2, "a Scrapy feed"), "{report}");
        let page = (responses[0].title.as_deref(), responses[0].words);
        assert_eq!(page, (Some("T"), Some(3)), "{feed}");
        // What is empty is not there.
        assert_eq!((responses[1].words, &responses[2].digest), (Some(3), &None));
        assert_eq!((responses[3].title.as_deref(), responses[3].words), (Some("Own"), Some(4)));
    }
}

#[test]
fn columns_have_the_names_that_are_given() {
    let read = |feed: &str, url: Option<&str>, body: Option<&str>| {
        let (url, body) = (url.map(str::to_owned), body.map(str::to_owned));
        let fields = FieldNames { url, body, ..FieldNames::default() };
        let options = ReadOptions { fields, ..ReadOptions::default() };
        read_with(feed.as_bytes(), &options)
    };
    let feed = "page,link,url\n<p>some words,http://x.com/,no\n";
    let (responses, _) = read(feed, Some("link"), Some("page")).unwrap();
    let page = (describe(&responses), responses[0].words);
    assert_eq!(page, (vec![("http://x.com/", 200, None)], Some(2)));
    // One column is a feed for whoever names it, else nothing, and never a list of URLs.
    let alone = "link\nhttp://x.com/\n";
    assert_eq!(read(alone, Some("link"), None).unwrap().0.len(), 1);
    assert!(read("a,b\n1,2\n", None, None).is_err());
    // A table of Screaming Frog stays one, unless a column of it holds the pages.
    let kind = |body| read(TABLE, Some("Address"), body).unwrap().1.inputs[0].1;
    assert_eq!(kind(None), "a Screaming Frog table");
    assert_eq!(kind(Some("body")), "a Screaming Frog table");
    assert_eq!(kind(Some("Title 1")), "a Scrapy feed");
}

#[test]
fn runs_that_were_put_together_are_one_feed() {
    let (expected, _) = read(CSV.as_bytes());
    let twice = format!("{CSV}url,more,text\nhttp://x.com/later,1,in other columns\n");
    let (responses, report) = read(twice.as_bytes());
    assert_eq!((&responses[..4], report.bad_entries), (&expected[..], 2), "{report}");
    assert_eq!((responses[4].url.as_str(), responses[4].words), ("http://x.com/later", Some(3)));
    let (expected, _) = read(XML.as_bytes());
    let (responses, _) = read(format!("{XML}\n{XML}").as_bytes());
    assert_eq!((&responses[..4], &responses[4..]), (&expected[..], &expected[..]));
}

/// An item that lost its beginning or its end costs itself.
#[test]
fn an_item_without_its_end_takes_no_other_with_it() {
    let items: String =
        (0..20_000).map(|i| format!("<item><url>http://x.com/{i}</url></item>\n")).collect();
    for (lost, of) in [("7</url></item>", "7"), ("<item><url>http://x.com/7<", "<")] {
        let feed = format!("<items>\n{}</items>", items.replacen(lost, of, 1));
        let (responses, report) = read(feed.as_bytes());
        assert_eq!((responses.len(), report.bad_entries), (19_999, 1), "{lost}: {report}");
        assert!(work_of(feed.as_bytes(), feed::xml::read) <= 2 * feed.len() as u64 + 100);
    }
}

#[test]
fn feeds_that_never_end_are_read_a_bounded_number_of_times() {
    let work = |hostile: String, read, most: u64| {
        let work = work_of(hostile.as_bytes(), read);
        assert!(work <= most * hostile.len() as u64, "{work} of {}", hostile.len());
    };
    work(format!("[\n{}", "{\n".repeat(400_000)), feed::json::read, 2);
    work(format!("[\n{}", "{\n".repeat(12_000_000)), feed::json::read, 2);
    work(format!("[\n{{\"\":{}", "\n\"\":{".repeat(8_000_000)), feed::json::read, 1);
    work(format!("url,body\n{}", "a,\"\n".repeat(400_000)), feed::csv::read, 2);
    // A tag that begins an item in place of another's end is read once more.
    work(format!("<items>{}", "<item>".repeat(4_000_000)), feed::xml::read, 3);
    work(format!("<items><item>{}", "<a>".repeat(8_000_000)), feed::xml::read, 2);
    work(format!("<items><item>{}", "a".repeat(40_000_000)), feed::xml::read, 2);
}

/// As `json.dumps` writes it: the line is as long as the crawl, and the page may stand first.
#[test]
fn an_array_on_one_line_is_read_item_by_item() {
    let page = "some \\\"words\\\" ".repeat(1 << 16);
    let items: Vec<String> = (0..20)
        .map(|n| format!("{{\"body\": \"{page}\", \"url\": \"http://x.com/{n}\", \"a\": [{{}}]}}"))
        .collect();
    let array = format!("[{}]", items.join(", "));
    assert!(array.len() > 16 << 20);
    let (responses, report) = read(array.as_bytes());
    assert_eq!((responses.len(), report.bad_entries), (20, 0), "{report}");
    assert_eq!(work_of(array.as_bytes(), feed::json::read), array.len() as u64);
    // One that breaks off keeps what came before.
    let (responses, report) = read(&array.as_bytes()[..array.len() - 9]);
    assert_eq!((responses.len(), report.bad_entries), (19, 1), "{report}");
}

/// Whatever the lines are, and every byte is looked at once.
#[test]
fn an_item_that_is_too_long_costs_itself() {
    let page = "x".repeat(17 << 20);
    let item = |n: usize| {
        let body = if n == 3 { &page } else { "x" };
        format!("{{\"url\": \"http://x.com/{n}\", \"body\": \"{body}\", \"more\": [{{\"a\": 1}}]}}")
    };
    let items: Vec<String> = (0..20).map(item).collect();
    let lines = items.join("\n");
    let array = items.join(", ");
    let people = array.replace(", \"", ",\n  \"").replace('{', "{\n  ").replace('}', "\n}");
    let between = people.find(&page).map_or(0, |at| people[..at].matches('\n').count());
    for (feed, line) in
        [(lines, 4), (format!("[{array}]"), 1), (format!("\n[\n{people}]"), between + 1)]
    {
        let (responses, report) = read(feed.as_bytes());
        assert_eq!((responses.len(), report.bad_entries), (19, 1), "{report}");
        let described = format!(":{line}: is an item of more than 16 MiB");
        assert!(report.to_string().contains(&described), "{described}: {report}");
        assert_eq!(work_of(feed.as_bytes(), feed::json::read), feed.len() as u64);
    }
}

#[test]
fn an_item_that_is_too_long_is_counted_once_in_a_table_and_as_xml() {
    let page = "x".repeat(17 << 20);
    let xml = |n: usize, page: &str| {
        format!("<item><url>http://x.com/{n}</url><body>{page}</body></item>")
    };
    let feed = format!("<items>{}{}{}</items>", xml(1, "x"), xml(2, &page), xml(3, "x"));
    let (responses, report) = read(feed.as_bytes());
    assert_eq!((responses.len(), report.bad_entries), (2, 1), "{report}");
    // The lines of the item that is too long count for those behind it.
    let feed =
        format!("url,body\nhttp://x.com/1,x\nhttp://x.com/2,\"a\nb\n{page}\"\nhttp://x.com/3\n");
    let (responses, report) = read(feed.as_bytes());
    assert_eq!((responses.len(), report.bad_entries), (1, 2), "{report}");
    for line in [":3: is not an item", ":6: is not an item"] {
        assert!(report.to_string().contains(line), "{line}: {report}");
    }
}

/// Only what an encoder would have written is base 64; all else is the page as it stands.
#[test]
fn bodies_in_base_64() {
    let words = |body: &str| {
        let feed = format!("{{\"url\": \"http://x.com/\", \"body\": \"{body}\"}}");
        read(feed.as_bytes()).0[0].words
    };
    // `<p>???? >>>> one two`, in either alphabet.
    let standard = "PHA+Pz8/PyA+Pj4+IG9uZSB0d28=";
    assert_eq!((words(standard), words("PHA-Pz8_PyA-Pj4-IG9uZSB0d28=")), (Some(2), Some(2)));
    for no_code in [
        "PHA+Pz8_PyA+Pj4+IG9uZSB0d28=",
        "PHA+Pz8/PyA+Pj4+IG9uZSB0d29=",
        "PHA+Pz8/PyA+Pj4+IG9uZSB0d28",
    ] {
        assert_ne!(words(no_code), words(standard), "{no_code}");
    }
}
