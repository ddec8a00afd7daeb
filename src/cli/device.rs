//! The device that networks are trained on.

use undust_learn::translator::TrainTranslator;
use undust_util::{Error, Result};

use super::arguments::{DeviceArgument, NetworkTraining};
use super::progress::warn;

/// The feature that a device needs, and whether this build has it.
fn feature(device: DeviceArgument) -> (&'static str, bool) {
    match device {
        DeviceArgument::Cpu => ("network", cfg!(feature = "network")),
        DeviceArgument::Ndarray => ("ndarray", cfg!(feature = "ndarray")),
        DeviceArgument::Gpu => ("gpu", cfg!(feature = "gpu")),
    }
}

/// Checks the device before anything is read, and warns if nothing will train on it.
///
/// # Errors
///
/// The build lacks the device, or the device cannot be opened.
pub(super) fn check_device(device: DeviceArgument, trains_network: bool) -> Result<()> {
    let (feature, is_built) = feature(device);
    match (trains_network, device) {
        (false, DeviceArgument::Cpu) => Ok(()),
        _ if !is_built => Err(Error::MissingFeature(feature)),
        (false, _) => {
            warn(
                "--device has no effect: none of the methods trains on a device (only seq2seq does)",
            );
            Ok(())
        }
        (true, _) => open(device),
    }
}

/// What trains networks on a device.
#[cfg(feature = "network")]
pub(super) fn trainer_on(device: DeviceArgument) -> undust_network::BurnTrainer {
    use undust_network::DeviceKind;
    let device = match device {
        DeviceArgument::Cpu => DeviceKind::Cpu,
        DeviceArgument::Ndarray => DeviceKind::Ndarray,
        DeviceArgument::Gpu => DeviceKind::Gpu,
    };
    undust_network::BurnTrainer::on(device)
}

#[cfg(feature = "network")]
fn open(device: DeviceArgument) -> Result<()> {
    trainer_on(device).device().check()
}

#[cfg(not(feature = "network"))]
fn open(_: DeviceArgument) -> Result<()> {
    Err(Error::MissingFeature("network"))
}

/// The trainer of the translator; none in a build without burn.
#[cfg(feature = "network")]
pub(super) fn translator_trainer(networks: &NetworkTraining) -> Option<Box<dyn TrainTranslator>> {
    Some(Box::new(trainer_on(networks.device)))
}

/// The trainer of the translator; none in a build without burn.
#[cfg(not(feature = "network"))]
pub(super) fn translator_trainer(_: &NetworkTraining) -> Option<Box<dyn TrainTranslator>> {
    None
}
