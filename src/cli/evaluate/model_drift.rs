//! What a later crawl says of a saved model.

use serde::Serialize;

use undust_learn::drift::detect::Drift;

/// How a site's model fared on a crawl.
#[derive(Serialize)]
pub(super) struct ModelDrift {
    /// The crawl's file.
    pub crawl: String,
    /// The site.
    pub site: String,
    /// The method that learned its model.
    pub method: String,
    /// The result.
    #[serde(flatten)]
    pub drift: Drift,
    /// The operations that were pruned because a crawl refutes them.
    pub pruned: Vec<String>,
}
