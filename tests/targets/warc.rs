//! WARC files, plain and compressed, or what is left of them.

use super::reading;

/// Reads the bytes as the crawl that they look like: mostly a WARC file, for its seeds are.
pub fn check(bytes: &[u8]) {
    let Some((responses, report)) = reading::read(bytes) else { return };
    if bytes.starts_with(b"WARC/") {
        assert!(responses.iter().all(|response| !response.url.contains('#')));
        assert_eq!(report.bad_manifest_lines + report.bad_log_lines, 0, "it is a WARC file");
    }
}
