//! Bits dealt to blocks.

/// Ways to deal bits to blocks: neighbours together, and in two ways apart. Values that differ in
/// few blocks of one way differ in most of another.
pub(super) const STRIDES: [u32; 3] = [1, 17, 23];

/// Deals the set bits of `bits` to `count` blocks whose sizes differ by at most one. The bits are
/// taken `stride` places apart, round the 64 of them; an odd stride takes each once.
pub fn blocks(bits: u64, count: u32, stride: u32) -> impl Iterator<Item = u64> {
    let places = (0..64).map(move |step| 1 << (63 - step * stride % 64));
    let mut set = places.filter(move |place| bits & place != 0);
    let mut left = bits.count_ones();
    (0..count).map(move |block| {
        let size = left.div_ceil(count - block);
        left -= size;
        set.by_ref().take(size as usize).sum()
    })
}
