//! Reading whole what has no business to be large, such as settings: whoever names `/dev/zero` gets
//! a sentence, and not a full memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// All that an input has, or nothing where that is more than `most` bytes. Room is made for those
/// that are `likely`.
pub fn read(input: impl Read, most: u64, likely: u64) -> io::Result<Option<Vec<u8>>> {
    let room = usize::try_from(likely.min(most)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(room);
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The text of a file or pipe, the same.
pub fn read_text(path: &Path, most: u64) -> io::Result<Option<String>> {
    let bytes = read(File::open(path)?, most, 0)?;
    let text =
        |bytes| String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"));
    bytes.map(text).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_far_beyond_the_bound() {
        assert_eq!(read(&b"abc"[..], 3, 9).expect("bytes"), Some(b"abc".to_vec()));
        assert_eq!(read(&b"abcd"[..], 3, 0).expect("bytes"), None);
        assert_eq!(read(io::repeat(0), 1 << 20, u64::MAX).expect("bytes"), None);
    }
}
