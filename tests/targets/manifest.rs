//! Manifests, line by line.

use super::reading;

const FIRST: &[u8] = b"{\"url\":\"http://h.test/\",\"status\":200}\n";

/// Puts a good line before the bytes. Each line behind it is a response, or bad, or blank.
pub fn check(bytes: &[u8]) {
    let manifest = [FIRST, bytes].concat();
    let (responses, report) = reading::read(&manifest).expect("it begins as a manifest");
    assert_eq!(responses[0].url, "http://h.test/");
    let lines = bytes.split(|&byte| byte == b'\n');
    let without_mark = |line: &[u8]| line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).to_vec();
    let filled = lines.filter(|line| !without_mark(line).trim_ascii().is_empty()).count();
    assert_eq!(responses.len() as u64 + report.bad_manifest_lines, 1 + filled as u64);
    assert_eq!(report.cut_inputs, 0);
}
