//! What takes the pairs that a join finds.

/// Takes the pairs that [`self_join`](super::self_join) finds, one at a time. They are never stored.
pub trait PairSink {
    /// Takes two near fingerprints: `a` and `b` are their positions.
    fn pair(&mut self, a: u32, b: u32);

    /// The set that the pairs so far put a position in. Pairs within one set are redundant to
    /// the sink and may be left out, and pairs may come twice. `None` asks for every pair once.
    fn set_of(&mut self, _position: u32) -> Option<u32> {
        None
    }
}

impl<F: FnMut(u32, u32)> PairSink for F {
    fn pair(&mut self, a: u32, b: u32) {
        self(a, b);
    }
}
