//! Logs models that cannot be loaded, once each.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use undust_model::registry::Registry;

/// How often is looked.
const PAUSE: Duration = Duration::from_secs(1);

/// Looks until it is dropped.
pub(super) async fn watch(registry: Arc<Registry>) {
    let mut known: BTreeMap<Box<str>, String> = BTreeMap::new();
    loop {
        tokio::time::sleep(PAUSE).await;
        let broken = registry.in_memory().broken;
        for site in known.keys().filter(|site| !broken.iter().any(|one| one.site == **site)) {
            tracing::info!(%site, "the model can be loaded again");
        }
        let mut now = BTreeMap::new();
        for one in broken {
            let error = one.error.to_string();
            if known.get(&one.site) != Some(&error) {
                let served = if one.is_replaced { "the one before" } else { "none" };
                tracing::warn!(site = %one.site, served, "{error}");
            }
            now.insert(one.site, error);
        }
        known = now;
    }
}
