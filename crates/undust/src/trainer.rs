//! Pages in, a model out: training in one expression.

use undust_learn::config::Config;
use undust_learn::method::{Method, Training};
use undust_learn::observer::Observer;
use undust_model::site_model::SiteModel;
use undust_pages::Page;
use undust_util::Result;

/// Trains the model of a site.
///
/// ```no_run
/// # let pages = Vec::new();
/// use undust::{Method, Trainer};
///
/// Trainer::new().method(Method::Auto).train(pages)?.save("models/example.org")?;
/// # Ok::<(), undust::Error>(())
/// ```
#[derive(Clone)]
pub struct Trainer<'t> {
    method: Method,
    config: Config,
    observer: &'t dyn Observer,
    #[cfg(feature = "network")]
    translator: undust_network::BurnTrainer,
}

impl Default for Trainer<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'t> Trainer<'t> {
    /// By [`Method::Auto`] and the default settings.
    pub fn new() -> Self {
        Self {
            method: Method::Auto,
            config: Config::default(),
            observer: &(),
            #[cfg(feature = "network")]
            translator: undust_network::BurnTrainer::default(),
        }
    }

    /// By another method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// By other settings.
    #[must_use]
    pub fn config(self, config: Config) -> Self {
        Self { config, ..self }
    }

    /// Watched by an observer, which may end it.
    #[must_use]
    pub fn observer(self, observer: &'t dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Trains networks on another device.
    #[cfg(feature = "network")]
    #[must_use]
    pub fn device(self, device: undust_network::DeviceKind) -> Self {
        Self { translator: undust_network::BurnTrainer::on(device), ..self }
    }

    /// Learns the site of these pages: the host of the first one whose URL names a host. Pages of
    /// other hosts are left out.
    ///
    /// # Errors
    ///
    /// No page names a host; fewer pages or duplicate clusters than `site.min_pages` and
    /// `site.min_clusters` ask for; a setting out of its range; and those of training a network.
    pub fn train(self, pages: Vec<Page>) -> Result<SiteModel> {
        let training = Training {
            config: &self.config,
            #[cfg(feature = "network")]
            translator: Some(&self.translator),
            #[cfg(not(feature = "network"))]
            translator: None,
            observer: self.observer,
        };
        undust_learn::train::train_pages(pages, self.method, &training)
    }
}
