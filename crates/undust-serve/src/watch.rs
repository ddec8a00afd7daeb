//! Logs models that cannot be loaded, once each.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use undust_model::registry::{BrokenModel, Registry};

/// How often is looked.
const PAUSE: Duration = Duration::from_secs(1);

/// Models that are named in a row. A folder may have a hundred thousand that cannot be loaded: the others
/// are counted.
pub(super) const MOST_NAMED: usize = 10;

/// Looks until it is dropped.
pub(super) async fn watch(registry: Arc<Registry>) {
    let (mut known, mut named) = (BTreeMap::new(), 0);
    loop {
        tokio::time::sleep(PAUSE).await;
        look(registry.in_memory().broken, &mut known, &mut named);
    }
}

/// Logs what is new since the last look. `named` models were named in the looks before that had news, too.
fn look(broken: Vec<BrokenModel>, known: &mut BTreeMap<Box<str>, String>, named: &mut usize) {
    let mut counts = News::default();
    let mut now = BTreeMap::new();
    for one in broken {
        let error = one.error.to_string();
        if known.remove(&one.site).as_ref() != Some(&error) {
            let is_named = counts.note(named);
            counts.broken += usize::from(!is_named);
            if is_named {
                let served = if one.is_replaced { "the one before" } else { "none" };
                tracing::warn!(site = %one.site, served, "{error}");
            }
        }
        now.insert(one.site, error);
    }
    for site in known.keys() {
        let is_named = counts.note(named);
        counts.loaded += usize::from(!is_named);
        if is_named {
            tracing::info!(%site, "the model can be loaded again");
        }
    }
    if counts.broken > 0 {
        tracing::warn!("{} more models cannot be loaded, {} in all", counts.broken, now.len());
    }
    if counts.loaded > 0 {
        tracing::info!("{} more models can be loaded again", counts.loaded);
    }
    if !counts.is_any {
        *named = 0;
    }
    *known = now;
}

/// What is new in a look.
#[derive(Default)]
struct News {
    is_any: bool,
    /// Models that are counted, not named.
    broken: usize,
    loaded: usize,
}

impl News {
    /// Notes a model; whether it is to be named.
    fn note(&mut self, named: &mut usize) -> bool {
        self.is_any = true;
        *named += 1;
        *named <= MOST_NAMED
    }
}
