//! Output files that are complete or absent.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use undust_crawl::compressed_writer::CompressedWriter;
use undust_util::atomic_file::AtomicFile;
use undust_util::error::{Error, Result};

use super::standard::check_output;

/// Output that is opened before the work begins: an output that cannot be written is reported before
/// hours of work, not after.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    /// None for standard output.
    file: Option<CompressedWriter<AtomicFile>>,
}

impl Output {
    /// Standard output for `-`; else a file that gets its name only when it is complete, compressed if
    /// the name says so. An existing pipe or device is written to directly.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        check_output(path)?;
        let create = || CompressedWriter::by_name(path, AtomicFile::create(path)?);
        let file = match path == Path::new("-") {
            true => None,
            false => Some(create().map_err(Error::io("write", path))?),
        };
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes all of it.
    pub(super) fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let result = match self.file {
            None => write_buffered(&mut io::stdout().lock(), write),
            Some(mut file) => write_buffered(&mut file, write)
                .and_then(|()| file.finish())
                .and_then(AtomicFile::finish),
        };
        result.map_err(Error::io("write", self.path))
    }
}

/// Opens and writes an output in one step.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    Output::begin(path)?.write(write)
}

fn write_buffered(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    write(&mut out)?;
    out.flush()
}

/// From now on the program ends as soon as its standard output is closed, even while it waits for
/// input. Without this a closed pipe is noticed only at the next write, as on systems other than
/// Linux.
pub(super) fn leave_when_closed() {
    #[cfg(target_os = "linux")]
    std::thread::spawn(|| {
        use rustix::event::{PollFd, PollFlags, poll};
        let stdout = io::stdout();
        loop {
            let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut fds, None) {
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
                Ok(_) if fds[0].revents().contains(PollFlags::ERR) => std::process::exit(0),
                Ok(_) => return,
            }
        }
    });
}
