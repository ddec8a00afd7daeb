//! TEMPORARY: parameters of experiments.
use std::collections::HashMap;
use std::sync::OnceLock;
pub(crate) fn x(name: &str, default: f64) -> f64 {
    static X: OnceLock<HashMap<String, f64>> = OnceLock::new();
    let x = X.get_or_init(|| {
        let text = std::env::var("UNDUST_X").unwrap_or_default();
        text.split(',').filter_map(|kv| { let (k, v) = kv.split_once('=')?; Some((k.to_owned(), v.parse().ok()?)) }).collect()
    });
    x.get(name).copied().unwrap_or(default)
}
