//! Whether networks can be trained where the user says.

use crate::error::{Error, Result};
use crate::seq2seq::device::{DeviceKind, check};

/// The feature that has a device, and whether this build does.
fn feature(device: DeviceKind) -> (&'static str, bool) {
    match device {
        DeviceKind::Cpu => ("network", cfg!(feature = "network")),
        DeviceKind::Ndarray => ("ndarray", cfg!(feature = "ndarray")),
        DeviceKind::Gpu => ("gpu", cfg!(feature = "gpu")),
    }
}

/// Looks before anything is read. Where no network is to be trained, a device is asked for in vain; one
/// that this build lacks is told all the same.
///
/// # Errors
///
/// A build without the device, and those of opening it where a network is to be trained.
pub(super) fn check_device(device: DeviceKind, trains_network: bool) -> Result<()> {
    let (feature, is_built) = feature(device);
    match (trains_network, device) {
        (false, DeviceKind::Cpu) => Ok(()),
        _ if !is_built => Err(Error::MissingFeature(feature)),
        (false, _) => Ok(()),
        (true, _) => check(device),
    }
}
