//! `GET /v1/sites`: which sites have a model, and what is known of one.

use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::SystemTime;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use serde::Serialize;

use undust_model::folder::info::ModelInfo;
use undust_model::model::ModelKind;
use undust_model::registry::SavedModel;
use undust_url::site::SiteBy;
use undust_util::error::{Error, Result};
use undust_util::json::to_vec;

use super::failure::{Answer, Failure, json};
use super::metrics::Outcomes;
use super::query;
use super::state::Service;

/// Sites of one answer.
const PAGE: usize = 1000;

/// Some sites in order, and where the next answer begins.
#[derive(Serialize)]
struct Listing {
    sites: Vec<String>,
    /// The value of `after` with which the rest is asked for.
    next: Option<String>,
}

/// The sites after one, by name.
pub(super) async fn list(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let after = query::parameter(request.uri().query(), "after")?.map(|after| after.into_owned());
    let work = move |service: &Service| {
        let is_after = |site: &String| after.as_ref().is_none_or(|after| site > after);
        // No more than one answer is held: a pack may have millions.
        let mut first = BinaryHeap::with_capacity(PAGE + 2);
        for site in service.registry.sites()?.filter_map(Result::ok).filter(is_after) {
            first.push(site);
            if first.len() > PAGE + 1 {
                first.pop();
            }
        }
        let mut sites = first.into_sorted_vec();
        let is_all = sites.len() <= PAGE;
        sites.truncate(PAGE);
        let next = if is_all { None } else { sites.last().cloned() };
        Ok((Listing { sites, next }, Outcomes::default()))
    };
    written(&service.work(work).await?)
}

/// What is known of a site's model.
#[derive(Serialize)]
struct Site {
    site: String,
    site_by: Option<SiteBy>,
    kind: Option<ModelKind>,
    method: Option<String>,
    /// Pages of the training crawl, and their duplicate clusters.
    pages: Option<usize>,
    clusters: Option<usize>,
    /// Seconds since it was written.
    age_seconds: Option<u64>,
    /// Whether it, or the one before it, is in memory.
    loaded: bool,
    /// Why it cannot be loaded, as far as anybody has asked for it.
    error: Option<String>,
}

/// One site.
pub(super) async fn one(State(service): State<Arc<Service>>, Path(name): Path<String>) -> Answer {
    let none = Failure::new(StatusCode::NOT_FOUND, "this site has no model");
    // A name is a folder's, and no way out of it.
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        return Err(none);
    }
    let work = move |service: &Service| Ok((known(service, name), Outcomes::default()));
    written(&service.work(work).await?.ok_or(none)?)
}

fn known(service: &Service, site: String) -> Option<Site> {
    let SavedModel { info, written, is_loaded, error, .. } = service.registry.describe(&site)?;
    let age = written.and_then(|at| SystemTime::now().duration_since(at).ok());
    let (info, unreadable) = match info {
        Ok(info) => (Some(info), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let (pages, clusters) = info.as_ref().map(ModelInfo::counts).unwrap_or_default();
    Some(Site {
        site,
        site_by: info.as_ref().map(|info| info.site_by),
        kind: info.as_ref().map(|info| info.kind),
        method: info.map(|info| info.method),
        pages,
        clusters,
        age_seconds: age.map(|age| age.as_secs()),
        loaded: is_loaded,
        error: unreadable.or(error.map(|error: Arc<Error>| error.to_string())),
    })
}

fn written(value: &impl Serialize) -> Answer {
    to_vec(value).map(json).map_err(|error| Failure::inside(&error))
}
