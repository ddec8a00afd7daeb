//! Training until the held-out clusters get no better: what both networks share.

use undust_learn::observer::{Check, Observer};
use undust_model::report::network::{Stopped, TrainingReport};
use undust_util::error::{Error, Result, TrainingReason};

/// Share by which the held-out loss must fall to count as a gain where exact match does not.
const LEAST_GAIN: f64 = 0.01;

/// How long training goes on at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two looks at the held-out pairs.
    pub check_every: usize,
    /// Looks without gain after which training ends.
    pub patience: usize,
}

/// How far training is, and the best network so far.
pub(crate) struct Progress<N> {
    /// Steps taken.
    pub step: usize,
    /// The loss of each step since the last look.
    pub losses: Vec<f32>,
    curve: Vec<Check>,
    best: (N, Check),
    stale: usize,
}

impl<N: Clone> Progress<N> {
    /// Before the first step.
    pub(crate) fn new(untrained: &N) -> Self {
        let check =
            Check { step: 0, loss: f64::NAN, exact_match: -1.0, held_out_loss: f64::INFINITY };
        let best = (untrained.clone(), check);
        Self { step: 0, losses: Vec::new(), curve: Vec::new(), best, stale: 0 }
    }

    /// Takes in a look at the held-out pairs, and keeps the network where it is the best so far.
    /// Whether it was a gain.
    pub(crate) fn look(&mut self, network: &N, (exact_match, held_out_loss): (f64, f64)) -> bool {
        let losses = self.losses.drain(..);
        let count = losses.len().max(1) as f64;
        let loss = losses.map(f64::from).sum::<f64>() / count;
        let check = Check { step: self.step, loss, exact_match, held_out_loss };
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

/// A training run between two steps.
pub(crate) trait TrainingRun {
    /// What is trained.
    type Network: Clone;

    /// Takes a step, and counts it.
    fn step(&mut self) -> Result<()>;

    /// Looks at the held-out pairs.
    fn check(&mut self) -> Result<()>;

    /// How far it is.
    fn progress(&mut self) -> &mut Progress<Self::Network>;
}

/// Trains to the end; the best network.
///
/// # Errors
///
/// Those of the steps, and an interruption before the first look.
pub(crate) fn run<R: TrainingRun>(
    mut run: R,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(R::Network, TrainingReport)> {
    let Limits { max_steps, check_every, patience } = limits;
    let stopped = loop {
        if run.progress().step == max_steps {
            break Stopped::MaxSteps;
        }
        if observer.interrupted() {
            break Stopped::Interrupted;
        }
        run.step()?;
        let step = run.progress().step;
        if step.is_multiple_of(check_every) || step == max_steps {
            run.check()?;
        }
        observer.step(step, max_steps, run.progress().curve.last());
        if run.progress().stale >= patience {
            break Stopped::Converged;
        }
    };
    let progress = run.progress();
    if progress.curve.is_empty() {
        return Err(Error::Training(TrainingReason::Interrupted));
    }
    let (network, best) = progress.best.clone();
    Ok((network, TrainingReport { curve: std::mem::take(&mut progress.curve), best, stopped }))
}
