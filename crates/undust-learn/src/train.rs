//! One site, from what a crawl says of it to a model folder: the only place where the steps
//! cluster, enough evidence, learn, save stand.

pub mod flips;
pub mod pool;
pub mod sites;

use std::ffi::OsString;
use std::path::{self, Path, PathBuf};
use std::{fs, io};

use crate::learned::{Learned, model_files, save};
use crate::report::Report;
use undust_cluster::clusters::{Clusters, cluster};
use undust_edits::conventions::Overrides;
use undust_model::error::ModelReason;
use undust_model::folder::check_place;
use undust_model::folder::files::load;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;
use undust_pages::page::Page;
use undust_pages::pages_by_site;
use undust_url::site::{SiteBy, names_a_site};

use self::flips::Flips;
use crate::conventions;
use crate::drift::relearn::drop_refuted;
use crate::error::{Error, Result, TrainingReason};
use crate::learners::dustbuster::listing::Listing;
use crate::method::{Method, Training};
use crate::training::TrainingSet;

/// Example URLs that show what a network does, and pages among which they are looked for.
const EXAMPLES: usize = 5;
const LOOKED_AT: usize = 1000;

/// A site, and what a crawl says of it.
#[derive(Debug)]
pub struct Site {
    /// Its name, which becomes its folder's.
    pub name: String,
    /// What the name means.
    pub by: SiteBy,
    /// What is known of it.
    pub data: TrainingData,
    /// Its pages as each of several crawls found them, in their order, if they found different
    /// pages under a URL: what is learned must then hold on each. Else empty.
    pub crawls: Vec<Vec<Page>>,
}

/// What is known of a site.
#[derive(Debug)]
pub enum TrainingData {
    /// Pages that can be compared.
    Pages(Vec<Page>),
    /// Pages whose duplicate clusters are known, as a state keeps them.
    Clustered(Vec<Page>, Clusters),
    /// URLs of a log or a list: only DustBuster learns from them.
    Listing(Listing),
}

/// What a site taught.
#[derive(Debug)]
pub enum Outcome {
    /// What was learned.
    Learned(Box<Learned>),
    /// What was learned, which is in the [`held_back_folder`], because it drops what that one has seen to
    /// matter.
    HeldBack(Box<Learned>, Flips),
    /// Its pairs teach the method nothing, so there is no model.
    NothingLearned,
    /// It has fewer pages or duplicate clusters than the settings ask for.
    TooLittle {
        /// Pages, or URLs of a log or list.
        pages: usize,
        /// Duplicate clusters of two pages or more.
        duplicates: usize,
    },
}

impl From<Learned> for Outcome {
    fn from(learned: Learned) -> Self {
        Self::Learned(Box::new(learned))
    }
}

impl TrainingData {
    /// Its pages, or URLs.
    pub fn len(&self) -> usize {
        match self {
            Self::Pages(pages) | Self::Clustered(pages, _) => pages.len(),
            Self::Listing(listing) => listing.records().len(),
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What becomes of an older model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlace {
    /// It is replaced.
    Replaced,
    /// It stays if the new one drops [what it has seen to matter](flips).
    Guarded,
}

/// The folder of models that are not put in place: `models.new` for `models`.
pub fn held_back_folder(models: &Path) -> PathBuf {
    // `models/` and `.` have names of their own, too.
    let models = path::absolute(models).unwrap_or_else(|_| models.to_owned());
    let mut name = models.file_name().map_or_else(|| "models".into(), OsString::from);
    name.push(".new");
    models.with_file_name(name)
}

/// Trains a site and puts its model into `models/<site>/`, in place of an older one at once, or
/// into the [`held_back_folder`].
///
/// Memory and time are those of the method; clustering is nearly linear in the pages.
///
/// # Errors
///
/// Those of [`Method::learn`] and of writing the folder, a name that no site has, and a listing
/// with a method that learns from pages only. The old model then stays.
pub fn train_site(
    site: &Site,
    method: Method,
    training: &Training<'_>,
    models: &Path,
    in_place: InPlace,
) -> Result<Outcome> {
    check_site(site, method, training)?;
    check_place(models, &site.name)?;
    let learned = match learn_checked(site, method, training)? {
        Outcome::Learned(learned) => learned,
        none => return Ok(none),
    };
    let save =
        |models: &Path| save(models, (&site.name, site.by), training.config.record(), &learned);
    let flips = match in_place {
        InPlace::Guarded => Flips::of(&models.join(&site.name), &learned, training.config),
        InPlace::Replaced => Flips::default(),
    };
    if flips.is_suspicious() {
        save(&held_back_folder(models))?;
        return Ok(Outcome::HeldBack(learned, flips));
    }
    save(models)?;
    remove_aside(models, &site.name);
    Ok(Outcome::Learned(learned))
}

/// Removes the model that an earlier training put into the [`held_back_folder`], which is answered now.
fn remove_aside(models: &Path, site: &str) {
    let place = held_back_folder(models).join(site);
    if load(&place).is_ok() {
        // Where it cannot be removed it only looks like an open question.
        let _: io::Result<()> = fs::remove_dir_all(place);
    }
}

/// The same as [`train_site`] learns, for those who keep models elsewhere:
/// [`files_of`] has the files of the folder.
///
/// # Errors
///
/// Those of [`train_site`], but for the folder.
pub fn learn_site(site: &Site, method: Method, training: &Training<'_>) -> Result<Outcome> {
    check_site(site, method, training)?;
    learn_checked(site, method, training)
}

/// The files of the folder that [`train_site`] writes.
///
/// # Errors
///
/// What cannot be written as JSON.
pub fn files_of(
    site: &Site,
    training: &Training<'_>,
    learned: &Learned,
) -> Result<Vec<(&'static str, Vec<u8>)>> {
    model_files((&site.name, site.by), training.config.record(), learned)
}

fn check_site(site: &Site, method: Method, training: &Training<'_>) -> Result<()> {
    training.config.check()?;
    method.check_keeps(&training.config.gate)?;
    if !names_a_site(&site.name) {
        let name = site.name.clone();
        return Err(ModelReason::NotASite { name }.into());
    }
    Ok(())
}

fn learn_checked(site: &Site, method: Method, training: &Training<'_>) -> Result<Outcome> {
    let mut learned = match learn(site, method, training)? {
        Outcome::Learned(learned) => learned,
        none => return Ok(none),
    };
    if matches!(learned.model, Model::Identity) && !method.is_baseline() {
        return Ok(Outcome::NothingLearned);
    }
    if method.is_network()
        && let TrainingData::Pages(pages) | TrainingData::Clustered(pages, _) = &site.data
    {
        learned.report.examples = examples(pages, &learned);
    }
    Ok(Outcome::Learned(learned))
}

/// Learns the site of these pages: the host of the first one whose URL names a host. Pages of other
/// hosts are left out.
///
/// # Errors
///
/// No page names a host, or the site has fewer pages or duplicate clusters than
/// `config.site` asks for; and those of [`Method::learn`].
pub fn train_pages(pages: Vec<Page>, method: Method, training: &Training<'_>) -> Result<SiteModel> {
    let by = SiteBy::Host;
    let Some((name, pages)) = pages_by_site(pages, by).into_iter().next() else {
        return Err(TrainingReason::NoHost.into());
    };
    let config = training.config;
    method.check_keeps(&config.gate)?;
    let clusters = cluster(&pages, &config.clusters);
    match learn_from_pages(&pages, &clusters, method, training)? {
        Outcome::Learned(learned) => {
            Ok(learned.into_site_model(&name, by, training.config.record()))
        }
        _ => Err(Error::from(TrainingReason::TooLittle {
            site: name,
            pages: pages.len(),
            duplicates: duplicates(&clusters),
            min_pages: config.site.min_pages,
            min_clusters: config.site.min_clusters,
        })),
    }
}

/// Some URLs that the model changes, each with its form. It looks at a bounded number of pages.
fn examples(pages: &[Page], learned: &Learned) -> Vec<[String; 2]> {
    let urls = || pages.iter().take(LOOKED_AT).map(|page| &*page.url);
    learned.prepare(&mut urls());
    let changed = urls().filter_map(|url| {
        let form = learned.canonical(url);
        (form != url).then(|| [url.to_owned(), form.into_owned()])
    });
    changed.take(EXAMPLES).collect()
}

fn learn(site: &Site, method: Method, training: &Training<'_>) -> Result<Outcome> {
    let config = training.config;
    match &site.data {
        TrainingData::Pages(pages) => {
            let clusters = cluster(pages, &config.clusters);
            Ok(match learn_from_pages(pages, &clusters, method, training)? {
                Outcome::Learned(learned) => {
                    drop_refuted(*learned, &site.crawls, &config.clusters).into()
                }
                too_little => too_little,
            })
        }
        TrainingData::Clustered(pages, clusters) => {
            learn_from_pages(pages, clusters, method, training)
        }
        TrainingData::Listing(_) if site.data.len() < config.site.min_pages => {
            Ok(Outcome::TooLittle { pages: site.data.len(), duplicates: 0 })
        }
        TrainingData::Listing(listing) => {
            learn_from_listing(listing, method, training).map(Into::into)
        }
    }
}

fn learn_from_pages(
    pages: &[Page],
    clusters: &Clusters,
    method: Method,
    training: &Training<'_>,
) -> Result<Outcome> {
    let config = training.config;
    let duplicates = duplicates(clusters);
    if pages.len() < config.site.min_pages || duplicates < config.site.min_clusters {
        return Ok(Outcome::TooLittle { pages: pages.len(), duplicates });
    }
    let set = TrainingSet::by(pages, clusters, &config.canonical);
    method.learn(&set, training).map(Into::into)
}

fn duplicates(clusters: &Clusters) -> usize {
    clusters.iter().filter(|members| members.len() > 1).count()
}

fn learn_from_listing(
    listing: &Listing,
    method: Method,
    training: &Training<'_>,
) -> Result<Learned> {
    let Some(learn) = method.url_learner() else {
        let method = method.name();
        return Err(TrainingReason::NeedsPages { method }.into());
    };
    let (rules, how) = learn(listing, training.config);
    let mut report = Report::new(method.name(), listing.records().len(), 0);
    report.rules = Some(how);
    // Which of them show one page is unknown: as if no two did.
    let urls = listing.records().iter().map(|record| record.url.as_ref());
    let gate = &training.config.gate;
    let conventions =
        conventions::learn(urls.zip(0..), Overrides::new(&gate.drop, &gate.exceptions));
    Ok(Learned::new(Model::Rules(rules), report, conventions))
}
