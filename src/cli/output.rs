//! Output that is whole or not there.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::packed::Packed;
use crate::temporary::WholeFile;

/// Writes to standard output for `-`; else to a file that takes its name only when
/// all is written, compressed if the name says so. What is there and is no regular file, such as a
/// pipe or a device, is written to as it is.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let result = if path == Path::new("-") {
        write_buffered(&mut io::stdout().lock(), write)
    } else {
        WholeFile::create(path).and_then(|file| {
            let mut file = Packed::by_name(path, file)?;
            write_buffered(&mut file, write)?;
            file.finish()?.finish()
        })
    };
    result.map_err(Error::io("write", path))
}

fn write_buffered(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    write(&mut out)?;
    out.flush()
}

/// From now on the program ends as soon as nobody reads its standard output any more, though it
/// waits for input: without this a closed pipe is noticed at the next write. Where the system
/// cannot tell, it stays so.
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
