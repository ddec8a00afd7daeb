//! Fingerprints, and the bits of those in a run.

/// A fingerprint and the id of its owner.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fingerprint {
    /// Its bits.
    pub value: u64,
    /// The page that it belongs to.
    pub id: u32,
}

/// Moves the values that have an even number of bits to the front, and returns how many there are.
pub(super) fn even_first(run: &mut [Fingerprint]) -> usize {
    let mut even = 0;
    for at in 0..run.len() {
        if run[at].value.count_ones().is_multiple_of(2) {
            run.swap(even, at);
            even += 1;
        }
    }
    even
}

/// The bits that differ between values of the run.
pub(super) fn varying_bits(run: &[Fingerprint]) -> u64 {
    let first = run.first().map_or(0, |item| item.value);
    run.iter().fold(0, |varying, item| varying | (item.value ^ first))
}
