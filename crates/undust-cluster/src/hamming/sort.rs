//! Fingerprints in the order of some of their bits.

use super::fingerprint::Fingerprint;

/// From this many values on, a radix sort is faster than a comparison sort.
const RADIX: usize = 1024;

/// Sorts by the bits of `block`. Large slices grow `scratch` to their size.
pub(super) fn sort_by(items: &mut [Fingerprint], block: u64, scratch: &mut Vec<Fingerprint>) {
    if items.is_sorted_by_key(|item| item.value & block) {
        return;
    }
    if items.len() < RADIX {
        items.sort_unstable_by_key(|item| item.value & block);
        return;
    }
    if scratch.len() < items.len() {
        scratch.resize(items.len(), Fingerprint::default());
    }
    radix_sort(items, &mut scratch[..items.len()], block);
}

/// Least significant digit first, eight bits at a time; stable.
pub(super) fn radix_sort(items: &mut [Fingerprint], scratch: &mut [Fingerprint], block: u64) {
    let (mut from, mut to) = (items, scratch);
    let mut in_scratch = false;
    for digit in digits(block) {
        let shift = digit.trailing_zeros();
        if digit >> shift < 256 {
            scatter(from, to, |value| ((value & digit) >> shift) as u8);
        } else {
            let gather = Gather::new(digit);
            scatter(from, to, |value| gather.bits_of(value));
        }
        std::mem::swap(&mut from, &mut to);
        in_scratch = !in_scratch;
    }
    if in_scratch {
        to.copy_from_slice(from);
    }
}

/// The bits of a block, at most eight at a time, from the last: eight neighbours, or the next eight that are
/// set if that makes fewer digits.
fn digits(block: u64) -> Vec<u64> {
    let split = |take: fn(u64) -> u64| -> Vec<u64> {
        let rest = |&left: &u64| Some(left & !take(left)).filter(|&left| left != 0);
        std::iter::successors(Some(block).filter(|&left| left != 0), rest).map(take).collect()
    };
    let neighbours = split(|left| left & (0xff << left.trailing_zeros()));
    let set = split(|left| left & !(0..8).fold(left, |rest, _| rest & rest.wrapping_sub(1)));
    if set.len() < neighbours.len() { set } else { neighbours }
}

/// Up to eight bits that are far apart, as one number.
struct Gather([[u8; 256]; 8]);

impl Gather {
    fn new(bits: u64) -> Self {
        let mut tables = [[0; 256]; 8];
        for (place, bit) in (0..64).filter(|bit| bits >> bit & 1 != 0).enumerate() {
            for (byte, gathered) in tables[bit / 8].iter_mut().enumerate() {
                *gathered |= ((byte >> (bit % 8) & 1) as u8) << place;
            }
        }
        Self(tables)
    }

    fn bits_of(&self, value: u64) -> u8 {
        let bytes = value.to_le_bytes();
        self.0.iter().zip(bytes).fold(0, |bits, (table, byte)| bits | table[byte as usize])
    }
}

/// Copies `from` to `to` in the order of a digit. Stable.
fn scatter(from: &[Fingerprint], to: &mut [Fingerprint], digit: impl Fn(u64) -> u8) {
    let mut next = [0; 256];
    for item in from {
        next[digit(item.value) as usize] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    for item in from {
        let slot = &mut next[digit(item.value) as usize];
        to[*slot] = *item;
        *slot += 1;
    }
}
