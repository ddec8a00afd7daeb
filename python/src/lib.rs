//! The library `undust` as a Python module: thin, so that whatever Python asks is answered by what
//! the program answers. The package's Python files give it its names and types.

mod address;
mod answers;
mod arrow;
mod errors;
mod ingest;
mod library;
mod live;
mod models;
mod pack;
mod page;
mod settings;
mod site_pages;
mod site_stats;
mod skewed;
mod storage;
mod table;
mod text_set;
mod train;

use pyo3::prelude::*;

#[pymodule]
mod _undust {
    #[pymodule_export]
    use super::address::Address;
    #[pymodule_export]
    use super::answers::{Answer, Observed, ObservedOperation, Translation};
    #[pymodule_export]
    use super::arrow::Forms;
    #[pymodule_export]
    use super::errors::{CrawlError, Error, ModelError, SettingsError, StateError};
    #[pymodule_export]
    use super::ingest::{ingest, redirects_away, site_keys};
    #[pymodule_export]
    use super::live::{Decision, Live};
    #[pymodule_export]
    use super::models::Models;
    #[pymodule_export]
    use super::pack::{PackWriter, save_model};
    #[pymodule_export]
    use super::page::{page, simhash};
    #[pymodule_export]
    use super::site_pages::SitePages;
    #[pymodule_export]
    use super::site_stats::{Audits, SiteStats};
    #[pymodule_export]
    use super::skewed::{SiteClusters, bucket_entries, page_links, url_nodes};
    #[pymodule_export]
    use super::table::Rows;
    #[pymodule_export]
    use super::text_set::TextSet;
    #[pymodule_export]
    use super::train::train;

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods as _;
        module.add("SHORT_TEXT_WORDS", undust::crawl::SHORT_TEXT_WORDS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
