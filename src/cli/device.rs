//! Where networks are trained, and by what.

use undust_learn::translator::TrainTranslator;
use undust_util::{Error, Result};

use super::arguments::DeviceArgument;
use super::progress::warn;

/// The feature that has a device, and whether this build does.
fn feature(device: DeviceArgument) -> (&'static str, bool) {
    match device {
        DeviceArgument::Cpu => ("network", cfg!(feature = "network")),
        DeviceArgument::Ndarray => ("ndarray", cfg!(feature = "ndarray")),
        DeviceArgument::Gpu => ("gpu", cfg!(feature = "gpu")),
    }
}

/// Checks the device before anything is read, and warns of one that trains nothing.
///
/// # Errors
///
/// A build without the device, and those of opening it where a network is to be trained.
pub(super) fn check_device(device: DeviceArgument, trains_network: bool) -> Result<()> {
    let (feature, is_built) = feature(device);
    match (trains_network, device) {
        (false, DeviceArgument::Cpu) => Ok(()),
        _ if !is_built => Err(Error::MissingFeature(feature)),
        (false, _) => {
            warn("--device has no effect: no method that was asked for trains a network on it");
            Ok(())
        }
        (true, _) => open(device),
    }
}

#[cfg(feature = "network")]
fn trainer_on(device: DeviceArgument) -> undust_network::BurnTrainer {
    use undust_network::DeviceKind;
    let device = match device {
        DeviceArgument::Cpu => DeviceKind::Cpu,
        DeviceArgument::Ndarray => DeviceKind::Ndarray,
        DeviceArgument::Gpu => DeviceKind::Gpu,
    };
    undust_network::BurnTrainer { device }
}

#[cfg(feature = "network")]
fn open(device: DeviceArgument) -> Result<()> {
    trainer_on(device).device.check()
}

#[cfg(not(feature = "network"))]
fn open(_: DeviceArgument) -> Result<()> {
    Err(Error::MissingFeature("network"))
}

/// What trains the URL translator; nothing in a build without burn.
#[cfg(feature = "network")]
pub(super) fn translator_trainer(device: DeviceArgument) -> Option<Box<dyn TrainTranslator>> {
    Some(Box::new(trainer_on(device)))
}

/// What trains the URL translator; nothing in a build without burn.
#[cfg(not(feature = "network"))]
pub(super) fn translator_trainer(_: DeviceArgument) -> Option<Box<dyn TrainTranslator>> {
    None
}
