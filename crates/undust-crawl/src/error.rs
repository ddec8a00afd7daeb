//! Why a crawl, or a line of it, cannot be used.

use std::io;

pub(crate) use undust_util::error::{Error, Reason, Remedy, Result, Subject};

/// Why a crawl as a whole cannot be used. Arises while it is read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrawlReason {
    /// The data cannot be decompressed from its beginning on. Arises when the file is opened.
    #[error("{source}")]
    Damaged {
        /// What the decoder says.
        source: io::Error,
    },
    /// The data of a manifest ends or breaks within a line.
    #[error("{source}, at line {line}")]
    Cut {
        /// What the decoder says.
        source: io::Error,
        /// One-based line.
        line: u64,
    },
    /// The file is a zip file.
    #[error(
        "is a zip file without WARC files in a folder archive, so it is no WACZ file: unpack it"
    )]
    Zip,
    /// A zip file comes through a pipe.
    #[error("is a zip file, as WACZ files are, and cannot be read from a pipe: name the file")]
    PipedZip,
    /// The file is a workbook of a spreadsheet program.
    #[error(
        "is a workbook ({kind}): save its sheet as CSV in the program that it is from, and name that file"
    )]
    Workbook {
        /// What such files end in, such as `.xlsx`.
        kind: &'static str,
    },
    /// The file is in a format whose reader is a feature that this program lacks.
    #[error(
        "is a Parquet file, and this program was built without the feature parquet: build it with \
         `cargo build --release --features parquet`"
    )]
    NoParquet,
    /// A file that should list the URLs of a site is something else.
    #[error("is {kind} and no sitemap")]
    NoSitemap {
        /// What it is, with its article.
        kind: &'static str,
    },
    /// The file is compressed in a way that is not read.
    #[error("is compressed by {by}: decompress it first, or compress it by gzip or zstd")]
    Packed {
        /// What made it.
        by: &'static str,
    },
    /// The file is an index of sitemaps.
    #[error("is an index of sitemaps: fetch the sitemaps that it lists, and name these")]
    SitemapIndex,
    /// The first line names columns or fields, none of which is known to hold the URL.
    #[error(
        "has no column or field that is known to hold the URL; it has: {columns}; name it with --field url=NAME"
    )]
    UnknownTable {
        /// The names.
        columns: String,
    },
    /// No line of the file looks like one of a known kind.
    #[error(
        "is of no kind that is known: no archive (WARC, ARC), crawl manifest, index (CDX), \
         feed of Scrapy or of another crawler, log of a server or of Heritrix, sitemap, or table of Screaming Frog; \
         commas, semicolons or tabs are read between the columns of a table"
    )]
    UnknownKind,
    /// The file lists URLs, and pages are needed.
    #[error("is a bare list of URLs, which says nothing about their pages")]
    UrlList,
    /// The file is an access log, and pages are needed.
    #[error("is an access log, which does not describe pages")]
    AccessLog,
    /// The lines of an access log begin without a host, and the caller names none.
    #[error("the log does not name its host")]
    NoHost,
    /// Reading was stopped by a panic on another thread.
    #[error("reading was stopped")]
    Stopped,
}

impl Reason for CrawlReason {
    const SUBJECT: Subject = Subject::Crawl;

    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Cut { .. } => Some(Remedy::SkipDamage),
            Self::NoHost => Some(Remedy::NameHost),
            Self::UrlList => Some(Remedy::LearnFromUrls),
            Self::AccessLog => Some(Remedy::LearnFromLog),
            _ => None,
        }
    }
}

/// Why a line of a manifest cannot be used. Arises while a manifest is read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestReason {
    /// The line is longer than any response.
    #[error("is too long for a line of a manifest")]
    TooLong,
    /// The response has no URL, or nothing but a fragment.
    #[error("the url is empty")]
    NoUrl,
    /// The URL is a path.
    #[error("the url is a path, without its scheme and host")]
    NoHost,
    /// The line is not JSON, or not that of a response.
    #[error("{detail}")]
    Json {
        /// What the decoder says, without its line number, which is always 1.
        detail: String,
    },
}

impl Reason for ManifestReason {
    const SUBJECT: Subject = Subject::Crawl;

    fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::SkipDamage)
    }
}
