//! WACZ files (Web Archive Collection Zipped 1.1): zip files whose folder `archive` has the WARC files of a crawl.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use undust_util::error::{CrawlReason, Error, Result};

use super::device::Device;
use super::growth::Growth;
use super::input::InputContext;
use super::source::{Source, of_stream};
use super::warc;

/// The bytes with which a zip file begins.
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// Where the WARC files are.
const FOLDER: &str = "archive/";

/// A file of the zip file.
struct Member {
    start: u64,
    length: u64,
    method: CompressionMethod,
}

/// Reads the WARC files, one after another. The list of files is at the end, so a pipe cannot be read.
pub(super) fn read(_: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let path = context.path;
    let refused = |reason| Error::Crawl { path: path.into(), reason, remedy: None };
    if path == Path::new("-") {
        return Err(refused(CrawlReason::PipedZip));
    }
    let members = members(path).map_err(|source| refused(CrawlReason::Damaged { source }))?;
    if members.is_empty() {
        return Err(refused(CrawlReason::Zip));
    }
    let whole = Arc::new(Growth::default());
    for member in members {
        let data = data(path, &member, &whole).map_err(Error::io("read", path))?;
        let mut source = of_stream(path, Device::new(data, None))?;
        source.is_part_of(Arc::clone(&whole));
        warc::read(&mut source, context)?;
    }
    Ok(())
}

/// The WARC files. No byte of the zip file is in two files of it: files that overlap unpack one byte many times.
fn members(path: &Path) -> io::Result<Vec<Member>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut members = Vec::new();
    let mut ranges = Vec::new();
    for number in 0..archive.len() {
        let file = archive.by_index_raw(number)?;
        let Some(start) = file.data_start() else { continue };
        let length = file.compressed_size();
        ranges.push((file.header_start(), start.saturating_add(length)));
        let is_warc = {
            let name = String::from_utf8_lossy(file.name_raw());
            name.starts_with(FOLDER) && name.contains(".warc") && !file.is_dir()
        };
        if is_warc {
            members.push(Member { start, length, method: file.compression() });
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
    let data = Counted { data: file.take(member.length), whole: Arc::clone(whole) };
    match member.method {
        CompressionMethod::Stored => Ok(Box::new(data)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(data))),
        other => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("a file of it is compressed by {other}, which is not read: unpack it"),
        )),
    }
}

/// Bytes of the zip file, counted.
struct Counted {
    data: io::Take<File>,
    whole: Arc<Growth>,
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.data.read(out)?;
        self.whole.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
