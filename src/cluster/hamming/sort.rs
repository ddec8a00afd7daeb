//! Fingerprints in the order of some of their bits.

use super::Fingerprint;

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

/// Least significant digit first, eight bits at a time; digits without a bit of the block are
/// skipped.
pub(super) fn radix_sort(items: &mut [Fingerprint], scratch: &mut [Fingerprint], block: u64) {
    let (mut from, mut to) = (items, scratch);
    let mut in_scratch = false;
    for shift in (block.trailing_zeros()..64).step_by(8) {
        let digit = (block >> shift) & 0xff;
        if digit != 0 {
            scatter(from, to, |item| ((item.value >> shift) & digit) as usize);
            std::mem::swap(&mut from, &mut to);
            in_scratch = !in_scratch;
        }
    }
    if in_scratch {
        to.copy_from_slice(from);
    }
}

/// Copies `from` to `to` in the order of a digit below 256. Stable.
fn scatter(from: &[Fingerprint], to: &mut [Fingerprint], digit: impl Fn(&Fingerprint) -> usize) {
    let mut next = [0; 256];
    for item in from {
        next[digit(item)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    for item in from {
        let slot = &mut next[digit(item)];
        to[*slot] = *item;
        *slot += 1;
    }
}
