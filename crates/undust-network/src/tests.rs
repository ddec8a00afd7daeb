//! Networks that burn trains, and what serving makes of them: saved, loaded, decoded, judged.

mod decode;
mod evaluate;
mod models;
mod pointer;
mod samples;
mod translator;

/// Settings of the paper's network with which it learns a small site in seconds.
pub(crate) fn quick() -> undust_learn::config::PaperConfig {
    use undust_learn::config::{LossMean, Optimizer, PaperConfig};
    PaperConfig {
        embedding: 64,
        hidden: 128,
        optimizer: Optimizer::Adam,
        loss_mean: LossMean::Symbol,
        learning_rate: 0.005,
        decay: 0.9,
        batch: 64,
        max_steps: 3000,
        check_every: 50,
        singleton_weight: 0.3,
        count_power: 0.5,
        mask_arguments: true,
        idempotent: true,
        ..PaperConfig::default()
    }
}
