//! Output files that are complete or absent.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use undust_crawl::output_file::OutputFile;
use undust_util::error::{Error, Result};

use super::standard::check_output;

/// Output that is opened before the work begins: an output that cannot be written is reported before
/// hours of work, not after.
pub(super) struct Output {
    path: PathBuf,
    file: OutputFile,
}

impl Output {
    /// Standard output for `-`; else a file that gets its name only when it is complete, compressed if
    /// the name says so. An existing pipe or device is written to directly.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        check_output(path)?;
        let file = OutputFile::create(path).map_err(Error::io("write", path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes all of it.
    pub(super) fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, self.file);
        write(&mut out)
            .and_then(|()| out.into_inner().map_err(io::IntoInnerError::into_error))
            .and_then(OutputFile::finish)
            .map_err(Error::io("write", self.path))
    }
}

/// Opens and writes an output in one step.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    Output::begin(path)?.write(write)
}

/// From now on the program ends as soon as its standard output is closed, even while it waits for
/// input. Without this a closed pipe is noticed only at the next write, as on systems other than
/// Linux.
pub(super) fn leave_when_closed() {
    when_closed(|| std::process::exit(0));
}

/// The same, but the program does this first.
pub(super) fn when_closed(leave: impl FnOnce() + Send + 'static) {
    #[cfg(not(target_os = "linux"))]
    drop(leave);
    #[cfg(target_os = "linux")]
    std::thread::spawn(|| {
        use rustix::event::{PollFd, PollFlags, poll};
        let stdout = io::stdout();
        loop {
            let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut fds, None) {
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
                Ok(_) if fds[0].revents().contains(PollFlags::ERR) => return leave(),
                Ok(_) => return,
            }
        }
    });
}
