//! The share of wrong observations, shrunk towards a prior (empirical Bayes; Efron and Morris, JASA
//! 1975).
//!
//! Edits, conventions, labels and operations on a later crawl are all judged by this estimate
//! (docs/evidence.md, section 2).

/// Observations that what is known of the like counts for.
const STRENGTH: f64 = 3.0;

/// The prior where nothing is known.
pub const UNKNOWN: f64 = 0.1;

/// The share of `wrong` among `seen`, shrunk towards the prior `of_the_like`.
pub fn shrunk(wrong: f64, seen: f64, of_the_like: f64) -> f64 {
    (wrong + STRENGTH * of_the_like) / (seen + STRENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_observations_are_believed_beforehand() {
        for (wrong, seen, expected) in [(0.0, 0.0, 0.1), (0.0, 7.0, 0.03), (2.0, 17.0, 2.3 / 20.0)]
        {
            let share = shrunk(wrong, seen, UNKNOWN);
            assert!((share - expected).abs() < 1e-9, "{share}");
        }
    }
}
