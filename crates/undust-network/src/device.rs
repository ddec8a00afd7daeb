//! Where networks are trained.

use burn::tensor::Device;

use undust_util::{Error, Result};

/// A backend of burn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceKind {
    /// The processor, by burn's `flex` backend: fast to start, and repeatable byte for byte.
    #[default]
    Cpu,
    /// The processor, by burn-ndarray (a build with the feature `ndarray`).
    Ndarray,
    /// A graphics card, by burn-wgpu over Vulkan, Metal or DirectX (the feature `gpu`).
    Gpu,
}

impl DeviceKind {
    /// Whether networks can be trained there, before anything is read.
    ///
    /// # Errors
    ///
    /// Those of [`Self::open`].
    pub fn check(self) -> Result<()> {
        self.open().map(drop)
    }

    /// Opens the device.
    ///
    /// # Errors
    ///
    /// [`Error::MissingFeature`] where the build lacks it, and
    /// [`NoAdapter`](crate::error::NetworkReason::NoAdapter) where the machine does.
    pub fn open(self) -> Result<Device> {
        match self {
            Self::Cpu => Ok(Device::flex()),
            Self::Ndarray => ndarray(),
            Self::Gpu => gpu(),
        }
    }
}

#[cfg(feature = "ndarray")]
#[expect(deprecated, reason = "burn deprecates the backend; it is kept because users chose it")]
fn ndarray() -> Result<Device> {
    Ok(Device::ndarray())
}

#[cfg(not(feature = "ndarray"))]
fn ndarray() -> Result<Device> {
    Err(Error::MissingFeature("ndarray"))
}

/// burn-wgpu panics where there is no adapter, deep inside its own thread: the first use is
/// tried here, where a sentence can be made of it. The panic's own message reaches the
/// program's panic hook, which is the program's to set.
#[cfg(feature = "gpu")]
fn gpu() -> Result<Device> {
    let tried = std::panic::catch_unwind(|| {
        let device = Device::wgpu(burn::tensor::DeviceKind::DefaultDevice);
        burn::tensor::Tensor::<1>::ones([1], &device).into_data();
        device
    });
    tried.map_err(|_| crate::error::NetworkReason::NoAdapter.into())
}

#[cfg(not(feature = "gpu"))]
fn gpu() -> Result<Device> {
    Err(Error::MissingFeature("gpu"))
}
