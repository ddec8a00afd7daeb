//! WACZ files (Web Archive Collection Zipped 1.1): zip files whose folder `archive` has the WARC files of a crawl.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::device::Device;
use super::growth::Growth;
use super::input::InputContext;
use super::source::{Source, of_stream};
use super::warc;
use crate::error::{CrawlReason, Error, Result};

/// The bytes with which a zip file begins.
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// Where the WARC files are.
const FOLDER: &str = "archive/";

/// Files that only workbooks have, and what the names of such workbooks end in.
const WORKBOOKS: [(&str, &str); 4] = [
    ("xl/workbook.xml", ".xlsx"),
    ("xl/workbook.bin", ".xlsb"),
    ("xl/", ".xlsx"),
    ("content.xml", ".ods"),
];

/// How a workbook of Excel before 2007 begins.
const OLD_WORKBOOK: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Why a file that begins so cannot be read, if its first bytes are those of a workbook.
pub(super) fn workbook(head: &[u8]) -> Option<CrawlReason> {
    let name = || head.starts_with(ZIP).then(|| head.get(30..))?;
    let is_xml = || name().is_some_and(|name| name.starts_with(b"[Content_Types].xml"));
    match head.starts_with(OLD_WORKBOOK) {
        true => Some(CrawlReason::Workbook { kind: ".xls" }),
        false => is_xml().then_some(CrawlReason::Workbook { kind: ".xlsx" }),
    }
}

/// What is in a zip file.
#[derive(Default)]
struct Members {
    of_archive: Vec<Member>,
    /// What the name of a workbook like this ends in.
    workbook: Option<&'static str>,
}

/// A file of the zip file.
struct Member {
    start: u64,
    length: u64,
    method: CompressionMethod,
}

/// Reads the WARC files, one after another. The list of files is at the end, so a pipe cannot be read.
pub(super) fn read(_: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let path = context.path;
    if path == Path::new("-") {
        return Err(Error::at(path, CrawlReason::PipedZip));
    }
    let damaged = |source| Error::at(path, CrawlReason::Damaged { source });
    let Members { of_archive, workbook } = members(path).map_err(damaged)?;
    if of_archive.is_empty() {
        let workbook = workbook.map(|kind| CrawlReason::Workbook { kind });
        return Err(Error::at(path, workbook.unwrap_or(CrawlReason::Zip)));
    }
    let whole = Arc::new(Growth::default());
    for member in of_archive {
        let data = data(path, &member, &whole).map_err(Error::io("read", path))?;
        let mut source = of_stream(path, Device::new(data, None))?;
        source.is_part_of(Arc::clone(&whole));
        warc::read(&mut source, context)?;
    }
    Ok(())
}

/// The WARC files, and whether it is a workbook. No byte of the zip file is in two files of it: files that overlap unpack one byte many times.
fn members(path: &Path) -> io::Result<Members> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut members = Members::default();
    let mut ranges = Vec::new();
    for number in 0..archive.len() {
        let file = archive.by_index_raw(number)?;
        let Some(start) = file.data_start() else { continue };
        let length = file.compressed_size();
        ranges.push((file.header_start(), start.saturating_add(length)));
        let name = String::from_utf8_lossy(file.name_raw());
        let is_warc = name.starts_with(FOLDER) && name.contains(".warc") && !file.is_dir();
        let workbook = WORKBOOKS.iter().find(|(part, _)| name.starts_with(part));
        members.workbook = members.workbook.or(workbook.map(|(_, kind)| *kind));
        if is_warc {
            members.of_archive.push(Member { start, length, method: file.compression() });
        }
    }
    ranges.sort_unstable();
    let end = [(archive.central_directory_start(), u64::MAX)];
    let ends_before_next = |two: &[(u64, u64)]| two[0].1 <= two[1].0;
    match [&ranges[..], &end].concat().windows(2).all(ends_before_next) {
        true => Ok(members),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "files of it overlap")),
    }
}

fn data(path: &Path, member: &Member, whole: &Arc<Growth>) -> io::Result<Box<dyn Read + Send>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(member.start))?;
    let data = Device::new(Box::new(file.take(member.length)), Some(Arc::clone(&whole.read)));
    match member.method {
        CompressionMethod::Stored => Ok(Box::new(data)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(data))),
        other => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("a file of it is compressed by {other}, which is not read: unpack it"),
        )),
    }
}
