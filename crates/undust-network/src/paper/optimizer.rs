//! Steps down the gradient, by burn's optimisers.

use burn::optim::{Adam, AdamConfig, Optimizer, Sgd, SgdConfig};
use burn::tensor::Tensor;

use undust_learn::config;

use super::network::{Network, PerWeight};

/// An optimiser with its state for every weight of a network.
///
/// burn's own driver of optimisers wants weights under autodiff; ours have none, see
/// [`crate::gru`], so each weight is handed to the optimiser directly.
pub(crate) enum AnyOptimizer {
    /// Plain gradient descent.
    Sgd(Box<Stepper<Sgd>>),
    /// Adam.
    Adam(Box<Stepper<Adam>>),
}

/// One of burn's optimisers, and what it remembers of each weight.
pub(crate) struct Stepper<O: Optimizer> {
    optimizer: O,
    states: PerWeight<Option<O::State<2>>, Option<O::State<1>>>,
}

impl AnyOptimizer {
    /// An optimiser that has taken no step yet.
    pub(crate) fn new(kind: config::Optimizer) -> Self {
        match kind {
            config::Optimizer::Sgd => Self::Sgd(Box::new(Stepper::new(SgdConfig::new().build()))),
            config::Optimizer::Adam => {
                Self::Adam(Box::new(Stepper::new(AdamConfig::new().with_epsilon(1e-8).build())))
            }
        }
    }

    /// Takes one step.
    pub(crate) fn step(
        &mut self,
        rate: f64,
        network: &mut Network,
        gradients: PerWeight<Tensor<2>, Tensor<1>>,
    ) {
        match self {
            Self::Sgd(stepper) => stepper.step(rate, network, gradients),
            Self::Adam(stepper) => stepper.step(rate, network, gradients),
        }
    }
}

impl<O: Optimizer> Stepper<O> {
    fn new(optimizer: O) -> Self {
        let states = PerWeight {
            matrices: std::array::from_fn(|_| None),
            vectors: std::array::from_fn(|_| None),
        };
        Self { optimizer, states }
    }

    fn step(
        &mut self,
        rate: f64,
        network: &mut Network,
        gradients: PerWeight<Tensor<2>, Tensor<1>>,
    ) {
        let weights = network.weights_mut();
        for ((weight, gradient), state) in
            weights.matrices.into_iter().zip(gradients.matrices).zip(&mut self.states.matrices)
        {
            one(&self.optimizer, rate, weight, gradient, state);
        }
        for ((weight, gradient), state) in
            weights.vectors.into_iter().zip(gradients.vectors).zip(&mut self.states.vectors)
        {
            one(&self.optimizer, rate, weight, gradient, state);
        }
    }
}

fn one<O: Optimizer, const D: usize>(
    optimizer: &O,
    rate: f64,
    weight: &mut Tensor<D>,
    gradient: Tensor<D>,
    state: &mut Option<O::State<D>>,
) {
    let (next, next_state) = optimizer.step(rate, weight.clone(), gradient, state.take());
    (*weight, *state) = (next, next_state);
}
