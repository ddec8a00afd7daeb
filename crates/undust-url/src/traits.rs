//! The sorts of bytes that a text has. One pass collects all that is needed to find its kind and to
//! cut it.

use std::ops::BitOrAssign;

/// Which sorts of bytes a text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traits(u8);

/// The sort of each byte.
const OF_BYTES: [Traits; 256] = {
    let mut table = [Traits::OTHER; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte as u8 {
            b'/' | b'?' | b'=' | b'&' | b';' | b':' | b'#' | b'.' | b',' | b'~' => {
                Traits::DELIMITER
            }
            b'-' | b'_' => Traits::MARK,
            b'0'..=b'9' => Traits::DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => Traits::HEX_LETTER,
            b'%' => Traits::PERCENT,
            b'T' => Traits(Traits::OTHER.0 | Traits::TIME.0),
            _ => Traits::OTHER,
        };
        byte += 1;
    }
    table
};

impl Traits {
    /// Delimiters of a URL after its authority.
    pub(super) const DELIMITER: Self = Self(1);
    /// Marks that may join a word and a number.
    const MARK: Self = Self(2);
    /// 0 to 9.
    pub(super) const DIGIT: Self = Self(4);
    /// A to F, in either case.
    pub(super) const HEX_LETTER: Self = Self(8);
    /// `%`, which begins an escape.
    pub(super) const PERCENT: Self = Self(16);
    /// All other bytes.
    pub(super) const OTHER: Self = Self(32);

    /// `T`, which may join a day and a time.
    const TIME: Self = Self(64);
    /// Bytes at which a word may be cut.
    pub(super) const JOINT: Self = Self(Self::MARK.0 | Self::TIME.0);

    /// The sorts of a byte.
    #[inline]
    pub(super) fn of_byte(byte: u8) -> Self {
        OF_BYTES[usize::from(byte)]
    }

    /// The sorts of a text.
    pub(super) fn of(text: &[u8]) -> Self {
        Self(text.iter().fold(0, |all, byte| all | Self::of_byte(*byte).0))
    }

    /// Whether the text has bytes of one of these sorts.
    #[inline]
    pub(super) fn has(self, sort: Self) -> bool {
        self.0 & sort.0 != 0
    }

    /// Whether it has bytes of these sorts only.
    pub(super) fn has_only(self, sorts: &[Self]) -> bool {
        let all = sorts.iter().fold(0, |all, sort| all | sort.0);
        self.0 & !all == 0
    }
}

impl BitOrAssign for Traits {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
