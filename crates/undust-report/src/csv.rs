//! Tables as CSV, one of each kind of row for all sites together.

use undust_util::csv::quoted;

use crate::report::{Report, Site};
use crate::rows::{FailureRow, NoteRow, Row};

/// A table as CSV (RFC 4180).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    /// Its name, such as `methods`.
    pub name: &'static str,
    /// Its lines; the first has the names of the columns.
    pub text: String,
}

impl Report {
    /// All tables. Those of sites have the site and its crawl in the first columns.
    pub fn csv(&self) -> Vec<CsvTable> {
        let failures = self.failures.iter().map(|failure| FailureRow { failure: failure.clone() });
        vec![
            self.by_site(|site| &site.causes),
            self.by_site(|site| &site.conflicts),
            self.by_site(|site| &site.pages),
            self.by_site(|site| &site.clusters),
            self.by_site(|site| &site.parts),
            self.by_site(|site| &site.verdict),
            self.by_site(|site| &site.methods),
            self.by_site(|site| &site.live),
            self.by_site(|site| &site.families),
            self.by_site(|site| &site.edits),
            self.by_site(|site| &site.conventions),
            self.by_site(|site| &site.refused),
            self.by_site(|site| site.labels.iter().flatten()),
            self.by_site(|site| &site.lost),
            self.by_site(|site| &site.left_out),
            self.by_site(|site| site.notes.iter().map(|note| NoteRow { note: note.clone() })),
            table(&[], failures.map(|row| (Vec::new(), row))),
            table(&[], self.inputs.iter().map(|row| (Vec::new(), row))),
            table(&[], self.settings.iter().map(|row| (Vec::new(), row))),
        ]
    }

    fn by_site<'r, R: Row, I: IntoIterator<Item = R>>(
        &'r self,
        rows: impl Fn(&'r Site) -> I,
    ) -> CsvTable {
        let of_site = |site: &'r Site| {
            let Site { name, crawl, .. } = site;
            rows(site).into_iter().map(move |row| (vec![name.clone(), crawl.clone()], row))
        };
        table(&["site", "crawl"], self.sites.iter().flat_map(of_site))
    }
}

fn table<R: Row>(first: &[&str], rows: impl Iterator<Item = (Vec<String>, R)>) -> CsvTable {
    let names = first.iter().chain(R::COLUMNS).map(|name| (*name).to_owned());
    let mut text = line(names);
    for (own, row) in rows {
        text += &line(own.into_iter().chain(row.cells()));
    }
    CsvTable { name: R::TABLE, text }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
    cells.join(",") + "\r\n"
}
