//! A terminal of its own for a line of the shell: what a person would see, and a keyboard.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use super::program;

/// A line of the shell at work on a terminal; it is killed when this is dropped.
pub struct Terminal {
    child: Child,
    /// The side of whoever sits before it.
    screen: File,
}

impl Terminal {
    /// Runs a line of the shell, in which `undust` is the program, on a terminal of `columns` columns.
    pub fn run(folder: &Path, columns: u16, line: &str) -> Self {
        let (screen, shell_side) = open(columns);
        let side = || Stdio::from(shell_side.try_clone().expect("the same"));
        let mut shell = shell(folder, line);
        shell.stdin(side()).stdout(side()).stderr(side());
        lead_a_session(&mut shell);
        let child = shell.spawn().expect("a shell");
        Self { child, screen: File::from(screen) }
    }

    /// Types keys; `\x03` is Ctrl-C, `\x04` Ctrl-D.
    pub fn type_keys(&mut self, keys: &str) {
        self.screen.write_all(keys.as_bytes()).expect("keys");
    }

    /// Reads what is shown until it has this text.
    pub fn shows(&mut self, text: &str) {
        let (mut shown, mut some) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&shown).contains(text) {
            let read = self.screen.read(&mut some).unwrap_or_default();
            let so_far = String::from_utf8_lossy(&shown).into_owned();
            assert!(read > 0, "it ended by itself before {text:?}: {so_far}");
            shown.extend_from_slice(&some[..read]);
        }
    }

    /// All that is shown until the line ends, and how it ends.
    pub fn rest(&mut self) -> (String, ExitStatus) {
        let mut shown = Vec::new();
        let mut some = [0; 4096];
        // Once nobody holds the other side, reading fails.
        while let Ok(read @ 1..) = self.screen.read(&mut some) {
            shown.extend_from_slice(&some[..read]);
        }
        let status = self.child.wait().expect("an end");
        (String::from_utf8_lossy(&shown).into_owned(), status)
    }

    /// The shell, or what it became by `exec`.
    pub fn process(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A line of the shell in which `undust` is the program.
pub fn shell(folder: &Path, line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &line.replace("undust", &program().display().to_string())]);
    shell.current_dir(folder).env_remove("NO_COLOR").env_remove("UNDUST_COLOR");
    shell.env("TERM", "xterm").stdin(Stdio::null());
    shell
}

/// Both sides of a new terminal: the person's and the program's. No other process that a test
/// starts meanwhile inherits them.
fn open(columns: u16) -> (OwnedFd, OwnedFd) {
    let size = libc::winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    let owned = |descriptor: i32| {
        assert!(descriptor >= 0, "no terminal: {}", io::Error::last_os_error());
        // SAFETY: it was just opened, and nobody else owns it.
        unsafe { OwnedFd::from_raw_fd(descriptor) }
    };
    // SAFETY: none of these takes a pointer but the last, which reads the size.
    unsafe {
        let person = owned(libc::posix_openpt(flags));
        let at = person.as_raw_fd();
        assert_eq!((libc::grantpt(at), libc::unlockpt(at)), (0, 0), "no terminal");
        let program = owned(libc::ioctl(at, libc::TIOCGPTPEER, flags));
        assert_eq!(libc::ioctl(at, libc::TIOCSWINSZ, &raw const size), 0, "no size");
        (person, program)
    }
}

/// Makes standard input the terminal that the process is controlled by, so that Ctrl-C and the
/// width are this one's and not those of the terminal that the tests run in.
fn lead_a_session(command: &mut Command) {
    let begin = || {
        // SAFETY: the three may be called between fork and exec, and take no pointers. What runs
        // behind a shell without job control ignores Ctrl-C, and would hand that down.
        let done = unsafe {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            libc::setsid() >= 0 && libc::ioctl(0, libc::TIOCSCTTY, 0) == 0
        };
        if done { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: as said above.
    unsafe { command.pre_exec(begin) };
}
