//! Output that is compressed if its name ends accordingly.

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;

/// A writer that writes gzip for a name that ends in `.gz`, zstd for `.zst`, otherwise plain bytes.
pub enum CompressedWriter<W: Write> {
    /// Plain.
    Plain(W),
    /// In gzip.
    Gzip(GzEncoder<W>),
    /// In zstd.
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> CompressedWriter<W> {
    /// A writer for an output that will be called `name`.
    pub fn by_name(name: &Path, output: W) -> io::Result<Self> {
        Ok(match name.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => {
                CompressedWriter::Gzip(GzEncoder::new(output, flate2::Compression::default()))
            }
            Some("zst") => CompressedWriter::Zstd(zstd::Encoder::new(output, 0)?),
            _ => CompressedWriter::Plain(output),
        })
    }

    /// Ends the compressed stream.
    pub fn finish(self) -> io::Result<W> {
        match self {
            CompressedWriter::Plain(output) => Ok(output),
            CompressedWriter::Gzip(encoder) => encoder.finish(),
            CompressedWriter::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> std::fmt::Debug for CompressedWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packed")
    }
}

impl<W: Write> Write for CompressedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CompressedWriter::Plain(output) => output.write(bytes),
            CompressedWriter::Gzip(encoder) => encoder.write(bytes),
            CompressedWriter::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            CompressedWriter::Plain(output) => output.flush(),
            CompressedWriter::Gzip(encoder) => encoder.flush(),
            CompressedWriter::Zstd(encoder) => encoder.flush(),
        }
    }
}
