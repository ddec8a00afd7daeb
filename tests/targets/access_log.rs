//! Access logs, line by line.

use super::reading;

const FIRST: &[u8] = b"1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n";

/// Puts a good line before the bytes. Each line behind it is a response, or another method, or
/// bad, or blank.
pub fn check(bytes: &[u8]) {
    let log = [FIRST, bytes].concat();
    let (responses, report) = reading::read(&log).expect("it begins as a log");
    assert_eq!(responses[0].url, "http://log.test/");
    let lines = bytes.split(|&byte| byte == b'\n');
    let filled = lines.filter(|line| !line.trim_ascii().is_empty()).count() as u64;
    let counted = responses.len() as u64 + report.bad_log_lines + report.other_methods;
    assert_eq!(counted, 1 + filled, "{report}");
    assert!(responses.iter().all(|response| response.is_listed && !response.url.contains('#')));
}
