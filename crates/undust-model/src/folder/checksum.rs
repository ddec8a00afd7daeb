//! Checksums of a folder's files: they detect damage, and files of another model, but not malice.

use xxhash_rust::xxh3::xxh3_128;

/// The XXH3 of `bytes`, 128 bits in hexadecimal, as `xxhsum -H2` prints it.
pub(super) fn checksum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `xxhsum -H2` says: folders keep these.
    #[test]
    fn checksums_stay_what_they_are() {
        assert_eq!(checksum(b""), "99aa06d3014798d86001c324468d497f");
        assert_eq!(checksum(b"abc"), "06b05ab6733a618578af5f94892f3950");
    }
}
