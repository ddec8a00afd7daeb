//! Output files, which are compressed if their names end accordingly.

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;

use undust_util::atomic_file::AtomicFile;

/// What is written: gzip for a name that ends in `.gz`, zstd for `.zst`, otherwise plain bytes.
pub enum OutputFile {
    /// For `-`.
    Stdout(io::Stdout),
    /// Plain.
    Plain(AtomicFile),
    /// In gzip.
    Gzip(GzEncoder<AtomicFile>),
    /// In zstd.
    Zstd(zstd::Encoder<'static, AtomicFile>),
}

impl OutputFile {
    /// Begins a file, which gets its name when it is [finished](Self::finish).
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(OutputFile::Stdout(io::stdout()));
        }
        let file = AtomicFile::create(path)?;
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => OutputFile::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Some("zst") => OutputFile::Zstd(zstd::Encoder::new(file, 0)?),
            _ => OutputFile::Plain(file),
        })
    }

    /// Ends the compressed stream, and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        match self {
            OutputFile::Stdout(mut stdout) => return stdout.flush(),
            OutputFile::Plain(file) => file,
            OutputFile::Gzip(encoder) => encoder.finish()?,
            OutputFile::Zstd(encoder) => encoder.finish()?,
        }
        .finish()
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            OutputFile::Stdout(stdout) => stdout,
            OutputFile::Plain(file) => file,
            OutputFile::Gzip(encoder) => encoder,
            OutputFile::Zstd(encoder) => encoder,
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
