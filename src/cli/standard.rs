//! Standard input and output. One that was closed before the program began is an error: the runtime
//! of Rust puts `/dev/null` in its place, so that every write would succeed and every input be empty.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use undust_util::error::{Error, Result};

/// Standard output.
///
/// # Errors
///
/// It was closed before the program began.
pub(super) fn stdout() -> Result<io::Stdout> {
    check_open(Stream::Output, Path::new("-")).map(|()| io::stdout())
}

/// Prints a text and the end of its line.
pub(super) fn print_line(text: &str) -> Result<()> {
    writeln!(stdout()?.lock(), "{text}").map_err(Error::io("write", "-"))
}

/// An error if one of these inputs is standard input, and that was closed before the program began.
pub(super) fn check_inputs(inputs: &[PathBuf]) -> Result<()> {
    inputs.iter().try_for_each(|path| check_open(Stream::Input, path))
}

/// An error if an output is standard output, and that was closed before the program began.
pub(super) fn check_output(path: &Path) -> Result<()> {
    check_open(Stream::Output, path)
}

#[derive(Clone, Copy, PartialEq)]
enum Stream {
    Input,
    Output,
}

fn check_open(stream: Stream, path: &Path) -> Result<()> {
    let (action, names) = match stream {
        Stream::Input => ("read", ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]),
        Stream::Output => ("write", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]),
    };
    if names.iter().any(|name| path == Path::new(name)) && was_closed(stream) {
        let source = io::Error::other("it is closed");
        return Err(Error::Io { action, path: PathBuf::from("-"), source });
    }
    Ok(())
}

#[cfg(unix)]
fn was_closed(stream: Stream) -> bool {
    let closed = match stream {
        Stream::Input => &begin::INPUT_CLOSED,
        Stream::Output => &begin::OUTPUT_CLOSED,
    };
    closed.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(not(unix))]
fn was_closed(_: Stream) -> bool {
    false
}

/// What was open when the system started the program. Nothing in `main` can still see it.
#[cfg(unix)]
mod begin {
    use std::os::fd::{BorrowedFd, RawFd};
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
    pub(super) static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

    /// The system calls the functions of this section before the runtime of Rust begins.
    #[expect(unsafe_code, reason = "only a section of the program is looked at before the runtime")]
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        INPUT_CLOSED.store(is_closed(0), Ordering::Relaxed);
        OUTPUT_CLOSED.store(is_closed(1), Ordering::Relaxed);
    }

    /// Whether nothing is open under this number: then it cannot be duplicated.
    #[expect(unsafe_code, reason = "the number is borrowed for one call, which checks it")]
    fn is_closed(number: RawFd) -> bool {
        const BAD_DESCRIPTOR: i32 = 9;
        // Sound though it may be closed: the only use is a call that then answers with an error.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let copy = descriptor.try_clone_to_owned();
        copy.is_err_and(|error| error.raw_os_error() == Some(BAD_DESCRIPTOR))
    }
}
