//! Arguments about reading crawls, progress while they are read, and errors about their content.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use undust_crawl::error::CrawlReason;
use undust_crawl::kind::ACCESS_LOG;
use undust_crawl::{FieldNames, ReadOptions, ReadReport};
use undust_model::registry::{Models, Registry};
use undust_model::site_model::SiteModel;
use undust_pages::{LeftOut, Page};
use undust_url::site::MAX_HOST_BYTES;
use undust_util::{Error, Remedy, Result, counted, shown};

use super::failure::Failure;
use super::progress::{Watch, debug, total_bytes};
use super::standard::check_inputs;

/// Arguments about reading crawls.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Reading {
    /// Skip and count damaged lines of manifests instead of stopping at the first one
    #[arg(long)]
    pub lenient: bool,

    /// Name that feeds or tables give a field or column, if it is none of the usual ones; may be repeated
    ///
    /// FIELD is url, body (the page as HTML or text, plain or in base 64), status, digest (of the page), location (the
    /// target of a redirect) or title. Usual names are those of Scrapy, Nutch, Katana, Crawlee, Firecrawl, crawl4ai,
    /// Screaming Frog and Common Crawl's index. A dot stands between the names of nested objects, as in
    /// url=request.endpoint; letter case and punctuation do not count.
    #[arg(long = "field", value_name = "FIELD=NAME", value_parser = field)]
    fields: Vec<(String, String)>,
}

impl Reading {
    /// Options for these inputs, and their progress bar.
    pub(super) fn of(&self, inputs: &[PathBuf]) -> (ReadOptions, Watch) {
        let watch = Watch::bytes(total_bytes(inputs).unwrap_or(0));
        let mut fields = FieldNames::default();
        for (field, name) in &self.fields {
            fields.of(field).into_iter().for_each(|named| *named = Some(name.clone()));
        }
        let options = ReadOptions {
            lenient: self.lenient,
            fields,
            progress: Some(Arc::clone(&watch.done)),
            ..ReadOptions::default()
        };
        (options, watch)
    }
}

/// Parses the name of a field.
fn field(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=').filter(|(_, name)| !name.is_empty());
    let known = named.filter(|(field, _)| FieldNames::default().of(field).is_some());
    let (field, name) = known.ok_or(
        "must be url, body, status, digest, location or title, `=` and a name, such as `url=link`",
    )?;
    Ok((field.to_owned(), name.to_owned()))
}

/// Names the format of each input, with --verbose.
pub(super) fn report_kinds(report: &ReadReport) {
    for (input, kind) in &report.inputs {
        debug(|| format!("{}: {kind}", shown(&input)));
    }
}

/// Finds mistyped names, folders and a closed standard input before hours of work, not after.
pub(super) fn check_readable(inputs: &[PathBuf]) -> Result<()> {
    check_inputs(inputs)?;
    for path in inputs.iter().filter(|path| path.as_path() != Path::new("-")) {
        let found = std::fs::metadata(path).map_err(Error::io("read", path))?;
        if found.is_dir() {
            return Err(Failure::is_folder(path).into());
        }
    }
    Ok(())
}

/// The pages of each site that has a model, in crawl order, and how many belong to other sites.
pub(super) fn by_site(
    pages: Vec<Page>,
    registry: &Registry,
) -> (IndexMap<String, Vec<Page>>, usize) {
    let (mut sites, mut without_model) = (IndexMap::<_, Vec<Page>>::new(), 0);
    for page in pages {
        match registry.site(&page.url).map(Cow::into_owned) {
            Ok(site) => sites.entry(site).or_default().push(page),
            Err(_) => without_model += 1,
        }
    }
    (sites, without_model)
}

/// The model of a site that has one, given some of its pages.
pub(super) fn model_of(site: &str, pages: &[Page], registry: &Registry) -> Result<Arc<SiteModel>> {
    let url = pages.first().map_or("", |page| &page.url);
    registry.model(url).map_err(|lookup_error| match lookup_error.error {
        Some(error) => Error::Shared(error),
        None => Failure::NoModel { site: site.to_owned(), reason: lookup_error.reason }.into(),
    })
}

/// The error that crawls have no page to learn from, or to work with otherwise.
pub(super) fn no_page(
    inputs: &[PathBuf],
    to_do: &str,
    report: &ReadReport,
    left_out: &LeftOut,
) -> Error {
    let is_log = |(_, kind): &(_, _)| *kind == ACCESS_LOG;
    if let Some((path, _)) = report.inputs.first()
        && report.inputs.iter().all(is_log)
        && left_out.no_content > 0
    {
        return only_log(path.clone());
    }
    let path = inputs.first().cloned().unwrap_or_default();
    Failure::NoPage { path, to_do: to_do.to_owned(), left_out: *left_out }.into()
}

/// The error about a log without hosts, for commands that have no --host. They could not use the log
/// with a host either, because it does not describe pages.
pub(super) fn without_host(error: Error) -> Error {
    match error {
        Error::Reason { path: Some(path), remedy: Some(Remedy::NameHost), .. } => only_log(path),
        error => error,
    }
}

fn only_log(path: PathBuf) -> Error {
    Error::at(path, CrawlReason::AccessLog)
}

/// The error that no page belongs to a site.
pub(super) fn no_site(inputs: &[PathBuf], urls_without_site: usize) -> Error {
    let path = inputs.first().cloned().unwrap_or_default();
    Failure::NoSite { path, urls_without_site }.into()
}

/// Why URLs have no site.
pub(super) fn of_no_site(urls_without_site: usize) -> String {
    format!(
        "{} without a site: no valid host in the URL, or one longer than {MAX_HOST_BYTES} bytes",
        counted(urls_without_site, "URL")
    )
}

/// An error if a host was given and no line lacked one.
pub(super) fn check_host(host: Option<&str>, report: &ReadReport) -> Result<()> {
    match host {
        Some(_) if report.hosts_given == 0 => Err(Failure::UnusedHost.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_field_is_one_of_six_and_has_a_name() {
        let named = |field: &str, name: &str| Ok((field.to_owned(), name.to_owned()));
        assert_eq!(field("url=link"), named("url", "link"));
        assert_eq!(field("body=page.html=raw"), named("body", "page.html=raw"));
        for wrong in ["", "=", "url", "url=", "=link", "URL=link", "words=n", "url =link"] {
            assert!(field(wrong).is_err_and(|why| why.contains("`url=link`")), "{wrong}");
        }
    }
}
