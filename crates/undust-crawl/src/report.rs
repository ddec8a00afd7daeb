//! Counts of what was read and skipped: responses, damage, and content of other kinds.

use std::fmt;
use std::path::PathBuf;

/// Number of notes that are kept; the first few are enough to show what is wrong.
const MAX_NOTES: usize = 8;
/// Bytes of a note that are kept, because URLs and values of a crawl may be megabytes long.
const NOTE_BYTES: usize = 1000;

/// What [`read_all`](super::pipeline::read_all) read, and what it skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// Responses given to the caller.
    pub responses: u64,
    /// Manifest lines that break the contract, skipped as
    /// [`lenient`](super::options::ReadOptions::lenient) asks.
    pub bad_manifest_lines: u64,
    /// Lines of an access log in no known format.
    pub bad_log_lines: u64,
    /// Lines of a list of URLs that are not URLs.
    pub bad_list_lines: u64,
    /// Lines or entries that cannot be read, of an index, a feed, Heritrix's log or a table.
    pub bad_entries: u64,
    /// Lines of an access log that got their host from
    /// [`host`](super::options::ReadOptions::host).
    pub hosts_given: u64,
    /// Lines of an access log with methods other than GET and HEAD.
    pub other_methods: u64,
    /// WARC records that cannot be read.
    pub damaged_records: u64,
    /// Responses whose content is not HTML.
    pub not_html: u64,
    /// Pages read in part, because they are too long or damaged.
    pub partial_bodies: u64,
    /// Inputs that end too early.
    pub cut_inputs: u64,
    /// The inputs with content, and the kind of each with its article: `a WARC file`.
    pub inputs: Vec<(PathBuf, &'static str)>,
    /// The first 8 problems with their positions, one sentence each.
    pub notes: Vec<String>,
}

impl ReadReport {
    /// Keeps a note, unless there are many already.
    pub(super) fn note(&mut self, note: impl FnOnce() -> String) {
        if self.notes.len() < MAX_NOTES {
            let mut note = note();
            if note.len() > NOTE_BYTES {
                note.truncate(note.floor_char_boundary(NOTE_BYTES));
                note.push('…');
                note.shrink_to_fit();
            }
            self.notes.push(note);
        }
    }

    /// Keeps a note of an input that ends too early, in place of another one where there are many.
    pub(super) fn note_cut(&mut self, note: impl FnOnce() -> String) {
        self.notes.truncate(MAX_NOTES - 1);
        self.note(note);
    }

    /// Adds the counts and notes of another part of the work.
    pub fn add(&mut self, other: ReadReport) {
        self.responses += other.responses;
        self.bad_manifest_lines += other.bad_manifest_lines;
        self.bad_log_lines += other.bad_log_lines;
        self.bad_list_lines += other.bad_list_lines;
        self.bad_entries += other.bad_entries;
        self.hosts_given += other.hosts_given;
        self.other_methods += other.other_methods;
        self.damaged_records += other.damaged_records;
        self.not_html += other.not_html;
        self.partial_bodies += other.partial_bodies;
        self.cut_inputs += other.cut_inputs;
        self.inputs.extend(other.inputs);
        self.notes.extend(other.notes);
        self.notes.truncate(MAX_NOTES);
    }

    /// How much was skipped or read in part, and of what kind, without what is 0.
    pub fn skipped(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let kinds = [
            (self.not_html, "other than HTML", "other than HTML"),
            (self.damaged_records, "damaged WARC record skipped", "damaged WARC records skipped"),
            (self.partial_bodies, "page read partially", "pages read partially"),
            (self.bad_manifest_lines, "bad manifest line skipped", "bad manifest lines skipped"),
            (
                self.bad_list_lines,
                "line that is not a URL skipped",
                "lines that are not URLs skipped",
            ),
            (self.bad_log_lines, "bad log line skipped", "bad log lines skipped"),
            (self.bad_entries, "bad entry skipped", "bad entries skipped"),
            (
                self.other_methods,
                "request other than GET and HEAD",
                "requests other than GET and HEAD",
            ),
            (self.cut_inputs, "truncated input", "truncated inputs"),
        ];
        let counted = kinds.into_iter().filter(|(number, ..)| *number > 0);
        counted.map(|(number, one, many)| (number, if number == 1 { one } else { many }))
    }
}

/// One line of counts, without those that are 0, then one line for each note.
impl fmt::Display for ReadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} response{}", self.responses, if self.responses == 1 { "" } else { "s" })?;
        for (number, what) in self.skipped() {
            write!(f, ", {number} {what}")?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n  {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_there_is() {
        let mut report = ReadReport { responses: 1, ..ReadReport::default() };
        assert_eq!(report.to_string(), "1 response");
        report.add(ReadReport {
            responses: 1,
            damaged_records: 3,
            notes: vec!["x.warc: odd".into()],
            ..ReadReport::default()
        });
        assert_eq!(
            report.to_string(),
            "2 responses, 3 damaged WARC records skipped\n  x.warc: odd"
        );
        (0..99).for_each(|i| report.note(|| i.to_string()));
        assert_eq!(report.notes.len(), MAX_NOTES);
        let mut report = ReadReport::default();
        report.note(|| "é".repeat(5_000_000));
        assert_eq!(report.notes[0].len(), NOTE_BYTES + "…".len());
    }
}
