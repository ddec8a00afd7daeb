//! HTTP responses, head and body, inside a record of the right length.

use super::reading;

const GOOD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>good</title>a page";

/// Puts the bytes into a record. Whatever they are, the record behind it comes out.
pub fn check(bytes: &[u8]) {
    let file = [record("any", bytes), record("good", GOOD.as_bytes())].concat();
    let (responses, report) = reading::read(&file).expect("it is a WARC file");
    let skipped = report.not_html + report.damaged_records;
    assert_eq!(responses.len() as u64 + skipped, 2, "{report}");
    let good = responses.last().expect("the good page");
    assert_eq!((&*good.url, good.title.as_deref()), ("http://h.test/good", Some("good")));
    for response in &responses {
        assert!(response.status >= 100 && response.status < 1000);
        assert!(response.length.is_none_or(|length| length <= 1 << 16));
    }
}

fn record(name: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.test/{name}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}
