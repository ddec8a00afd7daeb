//! The rate of a candidate, shrunk towards that of the next wider scope.

use undust_model::edit_evidence::{EditEvidence, UNKNOWN};

use super::candidate::CandidateKey;
use super::effective_sample_size::effective_sample_size;
use super::gate::Gate;
use super::rates::CountedRate;

impl Gate<'_> {
    /// Notes what was counted of a scope as a whole; as its URLs the shapes of the scope, if these are more.
    pub(super) fn note_rate(&mut self, key: CandidateKey, counted: CountedRate) {
        let urls = counted.urls.max(self.candidates[&key].shapes.len());
        self.rates.note(key, CountedRate { urls, ..counted });
    }

    /// The share of lost URLs of a candidate whose tested URLs get `new_forms` forms, shrunk towards that
    /// of the next wider scope, `above`, by the effective sample size.
    pub(super) fn shrunk(
        &self,
        key: CandidateKey,
        above: f64,
        evidence: &EditEvidence,
        new_forms: u32,
        witnesses: u32,
    ) -> f64 {
        let wider = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let fails = wider.is_some_and(|wider| wider.evidence.is_contradicted());
        let old = effective_sample_size(evidence.tested, new_forms, fails);
        let size = match crate::gate::x::x("w", 0.0) as u32 {
            0 => old,
            1 => witnesses,
            _ => old.min(witnesses),
        };
        let strength = self.rates.strength(key);
        let size = f64::from(size);
        let share = f64::from(evidence.lost) / f64::from(evidence.tested.max(1));
        (share * size + strength * above.min(0.3)) / (size + strength)
    }

    /// The rate that is reported of a candidate. A wider scope with many collisions may lose few pages,
    /// but that is no evidence for the narrower one: its rate is shrunk as if nothing were known.
    pub(super) fn reported_rate(
        &self,
        key: CandidateKey,
        evidence: &EditEvidence,
        rate: f64,
    ) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.limits.collision_rate;
        let collides = above.is_some_and(|above| above.evidence.collision_rate(limit) > limit);
        if collides { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: CandidateKey) -> Option<CandidateKey> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }

    /// Finds out how much the scopes beside a candidate's differ, and so how much the wider scope says of each.
    pub(super) fn note_strength(&mut self, key: CandidateKey) {
        let candidate = &self.candidates[&key];
        let (Some(above), level) = (candidate.above, candidate.level) else { return };
        if crate::gate::x::x("icc", 0.0) == 0.0 || self.rates.knows_strength(above, level) {
            self.rates.set_strength_of(key, above, level);
            return;
        }
        let changes = self.changes(above);
        let mut moves = self.moves(&changes);
        let effect = self.forms.effect(&mut moves);
        let edit = self.proposals.edit(self.candidates[&above].edit);
        let scopes_of: Vec<Vec<u64>> = changes.iter().map(|change| {
            if level == undust_model::edits::scope::CONTEXT_LEVEL {
                let program = self.before(change);
                undust_model::edits::scope::context_scopes(edit, program).into_iter().map(|one| one.1).collect()
            } else {
                vec![change.scopes[level]]
            }
        }).collect();
        // By scope: tested, lost, pages.
        let mut siblings: std::collections::BTreeMap<u64, (u32, u32, Vec<u32>, u32)> = Default::default();
        for (one, tag) in moves.iter().zip(&effect.tags).filter(|(_, tag)| tag.tested) {
            for scope in &scopes_of[one.tag as usize] {
                let known = siblings.entry(*scope).or_default();
                known.0 += 1;
                known.1 += u32::from(tag.lost);
                if one.is_named { known.3 += 1 } else { known.2.push(one.cluster) }
            }
        }
        let groups: Vec<(f64, f64)> = siblings.into_values().map(|(tested, lost, mut pages, named)| {
            pages.sort_unstable();
            pages.dedup();
            let n = f64::from(named) + pages.len() as f64;
            (n, n * f64::from(lost) / f64::from(tested))
        }).collect();
        let strength = strength(&groups);
        self.rates.note_strength(above, level, strength);
        self.rates.set_strength_of(key, above, level);
    }
}

/// Pseudo-observations that the rate of a wider scope is worth for one of its parts, from the parts' numbers of
/// witnesses and of lost ones: the intra-class correlation by moments.
fn strength(groups: &[(f64, f64)]) -> f64 {
    const UNKNOWN: f64 = 3.0;
    let k = groups.len() as f64;
    let n: f64 = groups.iter().map(|one| one.0).sum();
    let x: f64 = groups.iter().map(|one| one.1).sum();
    if k < crate::gate::x::x("kmin", 4.0) || x <= 0.0 || n <= k {
        return UNKNOWN;
    }
    let p = x / n;
    if p >= 1.0 { return UNKNOWN; }
    let s: f64 = groups.iter().map(|(n, x)| n * (x / n - p) * (x / n - p)).sum();
    let n0 = (n - groups.iter().map(|one| one.0 * one.0).sum::<f64>() / n) / (k - 1.0);
    let within = p * (1.0 - p) * (k - 1.0);
    let rho = ((s - within) / (k - 1.0)) / ((n0 - 1.0).max(0.5) * p * (1.0 - p));
    let rho = rho.clamp(1.0 / (1.0 + crate::gate::x::x("smax", 50.0)), 0.9);
    ((1.0 - rho) / rho).max(crate::gate::x::x("smin", 3.0))
}
