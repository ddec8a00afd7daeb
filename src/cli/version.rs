//! The text of `--version`.

use std::sync::LazyLock;

use undust_model::folder::info::FORMAT;

/// The commit, if the build set `UNDUST_COMMIT`. A build script that asks git would recompile
/// everything after each commit.
const COMMIT: Option<&str> = option_env!("UNDUST_COMMIT");

/// The features of the program.
const FEATURES: [(&str, bool); 5] = [
    ("network", cfg!(feature = "network")),
    ("parquet", cfg!(feature = "parquet")),
    ("serve", cfg!(feature = "serve")),
    ("ndarray", cfg!(feature = "ndarray")),
    ("gpu", cfg!(feature = "gpu")),
];

/// The version, the commit if known, the features, and the format of models.
pub(super) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        let commit = COMMIT.map(|commit| format!(" ({commit})")).unwrap_or_default();
        let features = FEATURES.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
        let features = features.collect::<Vec<_>>().join(", ");
        format!("{version}{commit}\nfeatures: {features}\nmodel format: {FORMAT}")
    });
    &TEXT
}
