//! WACZ files (Web Archive Collection Zipped 1.1): zip files whose folder `archive` has the WARC files of a crawl.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use undust_util::error::{CrawlReason, Error, Result};

use super::device::Device;
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
    for member in members {
        let data = data(path, &member).map_err(Error::io("read", path))?;
        warc::read(&mut of_stream(path, Device::new(data, None))?, context)?;
    }
    Ok(())
}

fn members(path: &Path) -> io::Result<Vec<Member>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut members = Vec::new();
    for number in 0..archive.len() {
        let file = archive.by_index_raw(number)?;
        let is_warc = {
            let name = String::from_utf8_lossy(file.name_raw());
            name.starts_with(FOLDER) && name.contains(".warc") && !file.is_dir()
        };
        if let Some(start) = file.data_start().filter(|_| is_warc) {
            let (length, method) = (file.compressed_size(), file.compression());
            members.push(Member { start, length, method });
        }
    }
    Ok(members)
}

fn data(path: &Path, member: &Member) -> io::Result<Box<dyn Read + Send>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(member.start))?;
    let data = file.take(member.length);
    match member.method {
        CompressionMethod::Stored => Ok(Box::new(data)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(data))),
        other => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("a file of it is compressed by {other}, which is not read: unpack it"),
        )),
    }
}
