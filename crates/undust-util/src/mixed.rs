//! An order that mixes what stands side by side.

/// Every place once, neighbours far apart.
#[derive(Debug, Clone, Copy)]
pub struct Mixed {
    places: usize,
    step: usize,
}

impl Mixed {
    /// Of so many places.
    pub fn of(places: usize) -> Self {
        // Prime to their number, and about its golden section.
        let mut step = (places as f64 * 0.618) as usize + 1;
        while gcd(step, places) != 1 && places > 0 {
            step += 1;
        }
        Self { places, step }
    }

    /// The place that comes after so many others.
    pub fn place(self, at: usize) -> usize {
        at * self.step % self.places
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    #[test]
    fn every_place_comes_once() {
        for places in 1..300 {
            let order = Mixed::of(places);
            let visited: FxHashSet<_> = (0..places).map(|at| order.place(at)).collect();
            assert_eq!(visited.len(), places);
        }
    }
}
