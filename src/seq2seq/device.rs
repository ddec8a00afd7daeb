//! Where the network is trained.

use burn::tensor::Device;

use crate::{Error, Result};

/// A backend of burn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DeviceKind {
    /// The processor, by burn's `flex` backend: fast to start, and repeatable byte for byte.
    #[default]
    Cpu,
    /// The processor, by burn-ndarray (a build with `--features ndarray`).
    Ndarray,
    /// A graphics card, by burn-wgpu over Vulkan, Metal or DirectX (`--features gpu`).
    Gpu,
}

impl DeviceKind {
    /// Opens the device; an error says how to get a build that has it.
    pub fn open(self) -> Result<Device> {
        match self {
            Self::Cpu => Ok(Device::flex()),
            Self::Ndarray => ndarray(),
            Self::Gpu => gpu(),
        }
    }
}

#[cfg(any(not(feature = "ndarray"), not(feature = "gpu")))]
fn missing(feature: &str) -> Error {
    Error::Unusable(format!(
        "this build has no `{feature}` backend; build it with `cargo build --release --features {feature}`"
    ))
}

#[cfg(feature = "ndarray")]
#[expect(deprecated, reason = "burn deprecates the backend; it is kept because users chose it")]
fn ndarray() -> Result<Device> {
    Ok(Device::ndarray())
}

#[cfg(not(feature = "ndarray"))]
fn ndarray() -> Result<Device> {
    Err(missing("ndarray"))
}

/// burn-wgpu panics where there is no adapter, deep inside its own thread: the first use is
/// tried here, where a sentence can be made of it.
#[cfg(feature = "gpu")]
fn gpu() -> Result<Device> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let tried = std::panic::catch_unwind(|| {
        let device = Device::wgpu(burn::tensor::DeviceKind::DefaultDevice);
        burn::tensor::Tensor::<1>::ones([1], &device).into_data();
        device
    });
    std::panic::set_hook(hook);
    tried.map_err(|_| {
        Error::Unusable(
            "no graphics card was found: install its Vulkan driver and loader, or use --device cpu"
                .into(),
        )
    })
}

#[cfg(not(feature = "gpu"))]
fn gpu() -> Result<Device> {
    Err(missing("gpu"))
}
