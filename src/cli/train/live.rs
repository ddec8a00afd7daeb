//! `undust train --state`: trains the sites of a state whose groups have changed.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_128;

use undust_learn::train::{Site, TrainingData};
use undust_learn::{Config, TrainTranslator};
use undust_live::clusters::{LiveClusters, LiveSite, Trained};
use undust_live::error::StateReason;
use undust_util::error::{Error, Result};

use super::args::TrainArgs;
use super::job::{Done, summarize, train_all};
use crate::cli::failure::Failure;
use crate::cli::progress::{Watch, info};
use crate::cli::reading::of_no_site;

/// How often a state that is in use is tried again, and after what pause.
const TRIES: u32 = if cfg!(test) { 2 } else { 20 };
const PAUSE: Duration = Duration::from_millis(500);

/// Trains the sites that have changed enough. The state is open before and after, but not during
/// training, so a crawl can go on.
pub(super) fn run(
    folder: &Path,
    args: &TrainArgs,
    mut config: Config,
    translator: Option<&dyn TrainTranslator>,
) -> Result<()> {
    let watch = Watch::step("reading the clusters");
    let state = LiveClusters::open(folder)?;
    config.clusters = state.options().clusters;
    config.canonical = state.options().canonical.clone();
    let (sites, urls_without_site) = state.sites(args.site_by)?;
    drop(state);
    drop(watch);
    if sites.is_empty() {
        return Err(
            Failure::StateWithoutPages { path: folder.to_path_buf(), urls_without_site }.into()
        );
    }
    if urls_without_site > 0 {
        info(&of_no_site(urls_without_site));
    }
    let by = by(args, &config)?;
    let (mut outcomes, mut changed, mut memories) = (Vec::new(), Vec::new(), Vec::new());
    for site in sites {
        if is_current(&site, args, &by) {
            let percent = 100.0 * site.changed_share();
            info(&format!("{}: kept, {percent:.1} % of its pages changed their group", site.name));
            outcomes.push(Done::Kept);
        } else {
            let LiveSite { name, pages, clusters, changes, .. } = site;
            let trained = Trained { changes, pages: pages.len(), by: by.clone() };
            memories.push((name.clone(), trained));
            let data = TrainingData::Clustered(pages, clusters);
            changed.push(Site { name, by: args.site_by, data, crawls: Vec::new() });
        }
    }
    outcomes.extend(train_all(args, &config, translator, changed));
    memories.retain(|(name, _)| {
        outcomes.iter().any(|done| matches!(done, Done::Trained(trained) if trained == name))
    });
    if !remember(folder, &memories)? {
        info("the state was in use, so these sites will be trained again next time");
    }
    summarize(&outcomes, args, &config)
}

/// The method and settings that a model was trained with, and where it is.
fn by(args: &TrainArgs, config: &Config) -> Result<String> {
    let settings = config.record().to_string();
    let settings = xxh3_128(settings.as_bytes());
    let models = std::path::absolute(&args.models).map_err(Error::io("find", &args.models))?;
    Ok(format!("{} {:?} {settings:032x} {}", args.method, args.site_by, models.display()))
}

fn is_current(site: &LiveSite, args: &TrainArgs, by: &str) -> bool {
    site.trained.as_ref().is_some_and(|trained| trained.by == by)
        && site.changed_share() < args.live.retrain
        && args.models.join(&site.name).join("model.json").exists()
}

/// Records in the state what was trained. Returns false if the state stays in use, which costs only
/// another training.
fn remember(folder: &Path, memories: &[(String, Trained)]) -> Result<bool> {
    if memories.is_empty() {
        return Ok(true);
    }
    for attempt in 0..TRIES {
        if attempt > 0 {
            sleep(PAUSE);
        }
        match LiveClusters::open(folder) {
            Ok(mut state) => return state.remember(memories).map(|()| true),
            Err(error) if matches!(error.reason(), Some(StateReason::InUse)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The models are written by then: a crawl that goes on makes that no failure.
    #[test]
    fn a_state_that_stays_in_use_costs_another_training() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = LiveClusters::open_or_make(folder.path(), |_| ()).expect("a state");
        let trained = Trained { changes: 0, pages: 1, by: "tree".into() };
        let memories = [("a.test".to_owned(), trained)];
        assert!(!remember(folder.path(), &memories).expect("no failure"));
        drop(state);
        assert!(remember(folder.path(), &memories).expect("room"));
        std::fs::write(folder.path().join("clusters.redb"), "no state").expect("damage");
        assert!(remember(folder.path(), &memories).is_err());
    }
}
