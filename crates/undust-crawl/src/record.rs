//! A record of a WARC file, and the named fields that WARC and HTTP headers are made of.

/// Largest number of header fields that are kept. No server sends a tenth of that.
const MAX_FIELDS: usize = 1024;

/// The kinds of records that hold a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    /// An HTTP response.
    Response,
    /// A body without HTTP headers.
    Resource,
    /// A response with the body of an earlier record.
    Revisit,
    /// The text of a page without its HTML, as Common Crawl's WET files have it.
    Conversion,
}

impl RecordKind {
    /// The kind by `WARC-Type`; none for a record without a page.
    pub(super) fn of(headers: &Headers) -> Option<RecordKind> {
        match headers.text("WARC-Type")?.to_ascii_lowercase().as_str() {
            "response" => Some(RecordKind::Response),
            "resource" => Some(RecordKind::Resource),
            "revisit" => Some(RecordKind::Revisit),
            "conversion" => Some(RecordKind::Conversion),
            _ => None,
        }
    }
}

/// A record that may hold a page.
#[derive(Debug)]
pub(super) struct WarcRecord {
    pub kind: RecordKind,
    pub headers: Headers,
    /// The block, cut after `max_body` plus room for HTTP headers.
    pub block: Vec<u8>,
    /// Whether the block was longer.
    pub is_cut: bool,
    /// The number of decompressed bytes for each byte of the file, up to here.
    pub swelling: u64,
}

impl WarcRecord {
    /// The size of the record in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.block.len() + self.headers.bytes()
    }
}

/// Named fields, byte for byte and in their order: the first 1024.
#[derive(Debug, Default)]
pub(super) struct Headers(Vec<(String, Vec<u8>)>);

impl Headers {
    /// The value of the first field of that name; letter case is ignored.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        let mut fields = self.0.iter();
        let (_, value) = fields.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// [`Self::get`] without the angle brackets in which wget writes URIs.
    pub(super) fn uri(&self, name: &str) -> Option<&[u8]> {
        let value = self.get(name)?;
        Some(value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value))
    }

    /// The values of all fields of that name, as one list; none if there is none, or they are not UTF-8.
    pub(super) fn list(&self, name: &str) -> Option<String> {
        let values = self.0.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let values: Option<Vec<&str>> =
            values.map(|(_, value)| std::str::from_utf8(value).ok()).collect();
        values.filter(|values| !values.is_empty()).map(|values| values.join(", "))
    }

    /// [`Self::get`], if the value is UTF-8.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.get(name)?).ok()
    }

    /// Adds a field.
    pub(super) fn push(&mut self, name: &str, value: &[u8]) {
        self.0.push((name.to_owned(), value.to_vec()));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Bytes of all names and values.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// Adds a line: `Name: value`, or the continuation of the value before. False if it is neither.
    /// Fields after the first 1024 are skipped.
    pub(super) fn push_line(&mut self, line: &[u8]) -> bool {
        if let (Some(b' ' | b'\t'), Some((_, value))) = (line.first(), self.0.last_mut()) {
            if !value.is_empty() {
                value.push(b' ');
            }
            value.extend_from_slice(line.trim_ascii());
            return true;
        }
        let Some(colon) = memchr::memchr(b':', line) else { return false };
        let Ok(name) = std::str::from_utf8(line[..colon].trim_ascii()) else { return false };
        if self.0.len() < MAX_FIELDS {
            self.push(name, line[colon + 1..].trim_ascii());
        }
        true
    }
}
