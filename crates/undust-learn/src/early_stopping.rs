//! Training until the held-out clusters get no better: what all networks share.

use crate::report::network::{Stopped, TrainingReport};

use crate::error::{Result, TrainingReason};
use crate::observer::{Check, Observer};

/// Share by which the held-out loss must fall to count as a gain where exact match does not.
const LEAST_GAIN: f64 = 0.01;

/// How long training goes on at most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two checks on the held-out pairs.
    pub check_every: usize,
    /// Checks without gain after which training ends.
    pub patience: usize,
}

/// A training run between two steps.
pub trait TrainingRun {
    /// What is trained.
    type Network: Clone;

    /// Takes the step after this number of steps; its loss.
    ///
    /// # Errors
    ///
    /// Training that diverges.
    fn step(&mut self, taken: usize) -> Result<f32>;

    /// Exact match and loss on the held-out pairs, or on all where none is held out.
    ///
    /// # Errors
    ///
    /// Training that diverges.
    fn evaluate(&self) -> Result<(f64, f64)>;

    /// A check on the held-out pairs was no gain.
    fn no_gain(&mut self) {}

    /// The network as it is.
    fn network(&self) -> &Self::Network;
}

/// What has been seen of the held-out pairs.
struct Progress<N> {
    /// The loss of each step since the last check.
    losses: Vec<f32>,
    curve: Vec<Check>,
    best: (N, Check),
    stale: usize,
}

impl<N: Clone> Progress<N> {
    fn new(untrained: &N) -> Self {
        let check =
            Check { step: 0, loss: f64::NAN, exact_match: -1.0, held_out_loss: f64::INFINITY };
        let best = (untrained.clone(), check);
        Self { losses: Vec::new(), curve: Vec::new(), best, stale: 0 }
    }

    /// Takes in a check on the held-out pairs, and keeps the network where it is the best so far.
    /// Whether it was a gain.
    fn check(
        &mut self,
        step: usize,
        network: &N,
        (exact_match, held_out_loss): (f64, f64),
    ) -> bool {
        let losses = self.losses.drain(..);
        let count = losses.len().max(1) as f64;
        let loss = losses.map(f64::from).sum::<f64>() / count;
        let check = Check { step, loss, exact_match, held_out_loss };
        self.curve.push(check);
        let best = self.best.1;
        let equal = exact_match == best.exact_match;
        // Before the first pair comes out whole, and on plateaus, only the loss shows a gain.
        let clearly_lower = held_out_loss < best.held_out_loss * (1.0 - LEAST_GAIN);
        let gained = exact_match > best.exact_match || equal && clearly_lower;
        self.stale = if gained { 0 } else { self.stale + 1 };
        if exact_match > best.exact_match || equal && held_out_loss < best.held_out_loss {
            self.best = (network.clone(), check);
        }
        gained
    }
}

/// Trains to the end; the best network.
///
/// # Errors
///
/// Those of the steps, and an interruption before the first check.
pub fn run<R: TrainingRun>(
    mut run: R,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(R::Network, TrainingReport)> {
    let Limits { max_steps, check_every, patience } = limits;
    let mut progress = Progress::new(run.network());
    let mut step = 0;
    let stopped = loop {
        if step == max_steps {
            break Stopped::MaxSteps;
        }
        if observer.interrupted() {
            break Stopped::Interrupted;
        }
        progress.losses.push(run.step(step)?);
        step += 1;
        if step.is_multiple_of(check_every) || step == max_steps {
            let figures = run.evaluate()?;
            if !progress.check(step, run.network(), figures) {
                run.no_gain();
            }
        }
        observer.step(step, max_steps, progress.curve.last());
        if progress.stale >= patience {
            break Stopped::Converged;
        }
    };
    if progress.curve.is_empty() {
        return Err(TrainingReason::Interrupted.into());
    }
    let (network, best) = progress.best;
    Ok((network, TrainingReport { curve: progress.curve, best, stopped }))
}

/// The pairs to evaluate by: those held out, or all that are trained on.
pub fn held_out_or_all<'e, E>(held_out: &'e [E], train: &'e [E]) -> &'e [E] {
    if held_out.is_empty() { train } else { held_out }
}
