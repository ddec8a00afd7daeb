//! What trains the URL translator. Learning does not know how: the program gives it.

use crate::report::network::NetworkReport;
use undust_decoder::pointer::PointerTranslator;
use undust_decoder::translator::Translator;
use undust_util::Result;

use crate::config::Config;
use crate::observer::Observer;
use crate::training::TrainingSet;

/// Trains the URL translators of a site.
pub trait TrainTranslator: Sync {
    /// Learns a site with the pointer network; nothing where there is no pair to learn from.
    ///
    /// # Errors
    ///
    /// A device that cannot be opened, training that diverges or is interrupted before the first
    /// check on the held-out clusters.
    fn train(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Option<(PointerTranslator, NetworkReport)>>;

    /// The same as [`Self::train`] with the network of the paper (Xu, Liu and Callan, SIGIR 2017, section 2.4).
    ///
    /// # Errors
    ///
    /// Those of [`Self::train`].
    fn train_paper(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Option<(Translator, NetworkReport)>>;
}
