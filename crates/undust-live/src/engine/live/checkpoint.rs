//! The sites as they are when the clusters have all that came back, in a file beside the journal: a start
//! reads them, and takes the lines alone that came after.
//!
//! The journal has all of it. So where the file is missing, damaged, of another version, of other
//! settings or of another journal, the journal is replayed.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use undust_url::site::SiteBy;
use undust_util::atomic_file::AtomicFile;
use xxhash_rust::xxh3::Xxh3Default;

use super::putting_away::Believed;
use super::restore::Known;
use super::totals::Slot;
use super::{Live, Site, State};
use crate::engine::evidence::Hypotheses;
use crate::engine::journal::Position;
use crate::engine::kept_model::ModelKey;
use crate::engine::learning::{Keeping, Learn};
use crate::engine::lock::locked;
use crate::engine::options::EngineOptions;
use crate::engine::secret::Secret;
use crate::engine::shared::Member;
use crate::engine::site::SiteEngine;
use crate::own_file;

const FILE: &str = "live.checkpoint";

/// What the file is made by. Another version may write other tables.
const MADE_BY: &str = concat!("undust checkpoint 7, ", env!("CARGO_PKG_VERSION"));

/// Bytes of the hash at the end.
const HASH: u64 = 8;

/// Bytes of the longest text in a site; with a longer one the journal is replayed.
const LONGEST_TEXT: usize = 1 << 20;

/// What a checkpoint begins with.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    made_by: String,
    /// What the sites are watched and learned by.
    settings: String,
    /// The journal up to there is in it.
    position: Position,
    secret: Secret,
    has_domains: bool,
    sites: u32,
}

/// What comes before the tables of a site.
#[derive(Debug, Serialize, Deserialize)]
struct SiteHeader {
    name: String,
    takes_part: bool,
    /// The model that is believed; none before anything was learned.
    model: Option<ModelKey>,
}

/// A checkpoint that is whole, and whose sites are still to be read.
pub(super) struct Checkpoint {
    header: Header,
    reader: BufReader<File>,
    scratch: Vec<u8>,
}

/// What is written or read, and a hash of it.
struct Hashed<T> {
    inner: T,
    hash: Xxh3Default,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// How sites are watched, as far as what is known of them depends on that, and learned.
fn settings(options: &EngineOptions, learned: &str) -> String {
    let EngineOptions { risk, audits, first_learning, growth, probes, budget, clusters, .. } =
        options;
    let watched = (risk, audits, first_learning, growth, probes, budget, clusters);
    format!("{watched:?} {learned}")
}

/// Whether a file ends with the hash of what comes before.
fn is_whole(file: &File) -> io::Result<bool> {
    let len = file.metadata()?.len().checked_sub(HASH).ok_or(io::ErrorKind::UnexpectedEof)?;
    let mut hashed = Hashed { inner: io::sink(), hash: Xxh3Default::new() };
    let (mut reader, mut end) = (BufReader::new(file), Vec::new());
    io::copy(&mut reader.by_ref().take(len), &mut hashed)?;
    reader.read_to_end(&mut end)?;
    Ok(end == hashed.hash.digest().to_le_bytes())
}

fn write<T: Serialize>(to: &mut impl Write, what: &T) -> io::Result<()> {
    postcard::to_io(what, to).map(drop).map_err(io::Error::other)
}

impl Checkpoint {
    /// That of a folder. None where there is none that is whole.
    pub(super) fn open(folder: &Path) -> Option<Self> {
        let mut file = own_file::open(&Self::place(folder)).ok()??;
        if !is_whole(&file).ok()? {
            return None;
        }
        file.rewind().ok()?;
        let mut reader = BufReader::new(file);
        let mut scratch = vec![0; LONGEST_TEXT];
        let header: Header = read(&mut reader, &mut scratch)?;
        (header.made_by == MADE_BY).then_some(Self { header, reader, scratch })
    }

    /// The file of a folder.
    pub(super) fn place(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// Whether it was made by these settings.
    pub(super) fn is_of(&self, options: &EngineOptions, learner: &dyn Learn) -> bool {
        match learner.keeping() {
            Keeping::Nothing => false,
            Keeping::Learned(by) | Keeping::ReadOnly(by) => {
                self.header.settings == settings(options, &by)
            }
            Keeping::FiguresOnly => true,
        }
    }

    /// The lines of the journal up to there are in it.
    pub(super) fn position(&self) -> &Position {
        &self.header.position
    }

    /// The secret of the state.
    pub(super) fn secret(&self) -> Secret {
        self.header.secret
    }

    /// What a site is.
    pub(super) fn site_by(&self) -> SiteBy {
        if self.header.has_domains { SiteBy::Domain } else { SiteBy::Host }
    }

    /// Puts all sites in their places; none where one of them cannot be read.
    pub(super) fn take(mut self, live: &Live, known: &mut Known) -> Option<()> {
        for _ in 0..self.header.sites {
            let site: SiteHeader = self.read()?;
            let tables = self.read()?;
            let SiteHeader { name, takes_part, model } = site;
            // What was learned since takes the place of the model.
            let hypotheses = match model.filter(|_| !known.has_learned(&name)) {
                Some(model) => live.believed(&model)?,
                None => Arc::clone(&live.given),
            };
            let member = Some(live.shared.candidate(&name).taking_part(takes_part));
            let mut engine =
                SiteEngine::from_kept(tables, live.options, live.secret, hypotheses, member);
            engine.forget_fetches();
            known.begin_at(&name, &mut engine)?;
            let site = live.with(&name, engine);
            locked(&live.sites).insert(name.into(), site);
            live.relieve().ok()?;
        }
        live.shared.restore(self.read()?);
        Some(())
    }

    fn read<T: for<'de> Deserialize<'de>>(&mut self) -> Option<T> {
        read(&mut self.reader, &mut self.scratch)
    }
}

fn read<T: for<'de> Deserialize<'de>>(
    reader: &mut BufReader<File>,
    scratch: &mut [u8],
) -> Option<T> {
    postcard::from_io((reader, scratch)).ok().map(|(read, _)| read)
}

impl Live {
    /// Keeps the sites as they are now. What cannot be kept costs the next start the time to replay the journal.
    pub(super) fn write_checkpoint(&self, state: &State) {
        let _: io::Result<()> = self.try_to_write_checkpoint(state);
    }

    fn try_to_write_checkpoint(&self, state: &State) -> io::Result<()> {
        let Keeping::Learned(learned_by) = self.learner.keeping() else { return Ok(()) };
        let is_now = |position: &Position| locked(&state.journal).ends_at(position);
        if locked(&state.checkpoint).as_ref().is_some_and(is_now) {
            return Ok(());
        }
        let begun = {
            let mut journal = locked(&state.journal);
            // A checkpoint must not have what the journal may have lost.
            journal.sync().map_err(io::Error::other)?;
            journal.position().map_err(io::Error::other)?
        };
        let sites: Vec<Arc<Site>> = locked(&self.sites).values().cloned().collect();
        let file = AtomicFile::create_private(&Checkpoint::place(&state.folder))?;
        let mut file = Hashed { inner: BufWriter::new(file), hash: Xxh3Default::new() };
        let header = Header {
            made_by: MADE_BY.to_owned(),
            settings: settings(&self.options, &learned_by),
            position: begun.clone(),
            secret: self.secret,
            has_domains: self.options.site_by == SiteBy::Domain,
            sites: sites.len() as u32,
        };
        write(&mut file, &header)?;
        for site in &sites {
            self.write_site(site, &mut file)?;
        }
        // Whoever wrote a line before has changed what is shared before she let go of her site.
        write(&mut file, &self.shared.kept())?;
        let hash = file.hash.digest();
        file.inner.write_all(&hash.to_le_bytes())?;
        // Whoever decides meanwhile changes a site that is written already.
        if !is_now(&begun) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        file.inner.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        *locked(&state.checkpoint) = Some(begun);
        Ok(())
    }

    fn write_site(&self, site: &Site, file: &mut impl Write) -> io::Result<()> {
        let slot = locked(&site.engine);
        // What is being learned takes effect later than it was learned from.
        if site.is_learning() {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let header = |member: Option<&Member>, model: Option<ModelKey>| {
            let takes_part = member.is_some_and(Member::takes_part);
            SiteHeader { name: site.name.to_string(), takes_part, model }
        };
        match &*slot {
            Slot::Here(engine) => {
                let model = model(&engine.hypotheses())?;
                write(file, &header(engine.member().as_ref(), model))?;
                engine.write_to(file).map_err(io::Error::other)
            }
            Slot::Away(away) => {
                let model = match &away.believed {
                    Believed::Kept(key) => Some(key.clone()),
                    Believed::Here(hypotheses) => model(hypotheses)?,
                };
                write(file, &header(away.member.as_ref(), model))?;
                file.write_all(&self.bytes_of(away)?)
            }
        }
    }
}

/// What is believed, as it is kept; none where that is what is given.
fn model(hypotheses: &Hypotheses) -> io::Result<Option<ModelKey>> {
    match hypotheses {
        Hypotheses { accepted: Some(_), kept: None, .. } => Err(io::ErrorKind::Unsupported.into()),
        Hypotheses { kept, .. } => Ok(kept.clone()),
    }
}
