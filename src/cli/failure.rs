//! What goes wrong in the program alone: the library never says it. A [`Failure`] travels as an
//! error of the library, as that of any caller does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use undust_live::clusters::LiveClusters;
use undust_model::translation::Reason;
use undust_pages::pages::LeftOut;
use undust_util::{Error, Result, counted, shown};

use super::reading::of_no_site;
use super::remedy::sentence;

/// An error of the program, as one sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The crawls have no page for the command.
    #[error("{}: no page to {to_do}{}", shown(path), not_used(left_out))]
    NoPage { path: PathBuf, to_do: String, left_out: LeftOut },
    /// Two outputs would be one text.
    #[error("--output and --json cannot both be standard output; name a file for one of them")]
    TwoOutputs,
    /// An output would replace what is read.
    #[error(
        "{}: is read, and the output would replace it; name another file for the output",
        shown(path)
    )]
    ReplacesInput { path: PathBuf },
    /// An output would replace a crawl.
    #[error(
        "{}: is {kind}, and the output would replace it; name another file for the output, or remove this one first",
        shown(path)
    )]
    ReplacesCrawl { path: PathBuf, kind: &'static str },
    /// A crawl is to be judged by a field that it does not have.
    #[error(
        "{}: no page has a field {field} to judge by; --truth names a field of the manifest, and `undust ingest` writes none",
        shown(path)
    )]
    NoTruth { path: PathBuf, field: String },
    /// The crawls have pages, but none of a site.
    #[error("{}: no page to learn from; left out: {}", shown(path), of_no_site(*urls_without_site))]
    NoSite { path: PathBuf, urls_without_site: usize },
    /// The crawls have pages, but none whose site has a model.
    #[error("{}: no page is of a site that has a model in {}", shown(path), shown(models))]
    NoPageOfModels { path: PathBuf, models: PathBuf },
    /// A later crawl follows no other.
    #[error(
        "--then {}: no crawl of {site} is replayed before it; give the first crawl of the site, too",
        shown(path)
    )]
    NothingBefore { path: PathBuf, site: String },
    /// Nobody has looked at the pairs of a sample.
    #[error(
        "{}: no pair is marked; write right or wrong into the first column of each pair that `undust \
         cluster --sample` wrote",
        shown(path)
    )]
    NothingMarked { path: PathBuf },
    /// Fetches decide nothing of a model.
    #[error(
        "model {}: was learned by {method} from pages, which have tested it: fetches decide rules of \
         a log or a list of URLs, and edits",
        shown(path)
    )]
    NothingToValidate { path: PathBuf, method: String },
    /// A service does not answer that it is well.
    #[cfg(feature = "serve")]
    #[error("service at {address}: is not well: {reason}")]
    ServiceNotWell { address: String, reason: String },
    /// The URLs that are given are all of other sites.
    #[error("{}: no successful URL is of {site}, the site of the model", shown(path))]
    NoUrlOfSite { path: PathBuf, site: String },
    /// A crawl to take in has nothing to take.
    #[error("{}: the crawl has no HTML response", shown(path))]
    NoHtml { path: PathBuf },
    /// An input has no request whose URLs could have a pattern.
    #[error(
        "{}: has no request of a URL, so there is no pattern; give a crawl or an access log",
        shown(path)
    )]
    NoRequest { path: PathBuf },
    /// A folder is given in place of a crawl or a list of URLs.
    #[error("{}: is a folder; {}", shown(path), in_place_of(path, *holds))]
    IsFolder { path: PathBuf, holds: Holds },
    /// A crawl is given in place of a list of URLs.
    #[error(
        "{}: is {kind}, not a list of URLs; `undust ingest CRAWL | jq -r .url` prints the URLs of \
         a crawl",
        shown(path)
    )]
    IsCrawl { path: PathBuf, kind: &'static str },
    /// A model cannot be exported.
    #[error("{}: {why}", shown(path))]
    NoExport { path: PathBuf, why: undust_export::ExportError },
    /// The first line of the standard input is neither an observation nor that of a crawl.
    #[error("{}: line {line} is not an observation: {detail}", shown(path))]
    NotAnObservation { path: PathBuf, line: u64, detail: String },
    /// No line of a file is an observation; the note is on its first one.
    #[error("{}: no valid line: {note}", shown(path))]
    NoObservation { path: PathBuf, note: String },
    /// A host is given, and no input needs it.
    #[error("--host: gives the host of access logs without hosts, but no input is such a log")]
    UnusedHost,

    /// A site has no model, or its URLs cannot be read.
    #[error("{site}: {reason}")]
    NoModel { site: String, reason: Reason },
    /// A file is given in place of the folder of a model.
    #[error(
        "model {}: is a file; give the folder of one site, such as models/example.com",
        shown(path)
    )]
    ModelIsFile { path: PathBuf },
    /// A new pack would have no model.
    #[error(
        "model {}: is not written, as no model in {} can be packed; make them again with `undust train`",
        shown(path),
        shown(models)
    )]
    NothingPacked { path: PathBuf, models: PathBuf },
    /// A pack is given where one of its models is wanted.
    #[error(
        "model {}: is a pack of models; name one of them, such as {}, or list them with `undust models {0}`",
        shown(path), shown(&path.join("example.com"))
    )]
    ModelIsPack { path: PathBuf },
    /// A folder is given that is none of a model.
    #[error(
        "model {}: has no model.json; give the folder of one site, such as models/example.com \
         (`undust models` lists the models); make a model with `undust train`",
        shown(path)
    )]
    NoModelFile { path: PathBuf },
    /// There is nothing where the folder of a model should be.
    #[error(
        "model {}: no such folder; `undust models` lists the models; make a model with `undust \
         train`",
        shown(path)
    )]
    NoModelFolder { path: PathBuf },
    /// A model that is to be explained cannot be loaded.
    #[error("{}", sentence(.0))]
    BrokenModel(Arc<Error>),
    /// The work is done, but without some models.
    #[error("{}", could_not_be_loaded(*count, became))]
    BrokenModels { count: usize, became: String },

    /// Some sites did not get a model.
    #[error(
        "{} trained, {failed} failed, {not_started} not started",
        counted(*trained, "site")
    )]
    SomeFailed { trained: usize, failed: usize, not_started: usize },
    /// Models in place were kept, because new ones drop what these have seen to matter.
    #[error("{} trained; {} with the old model still in place", counted(*trained, "site"), counted(*held_back, "site"))]
    HeldBack { trained: usize, held_back: usize },
    /// No site has what a model needs.
    #[error(
        "no site has the {} and the {} that a model needs; {advice}",
        counted(*min_pages, "page"), counted(*min_clusters, "duplicate cluster")
    )]
    TooLittle { min_pages: usize, min_clusters: usize, advice: String },
    /// A folder of models is given in place of a state, which would be written into it.
    #[error("{}: holds models; a state has a folder of its own: name another one", shown(path))]
    StateAmongModels { path: PathBuf },
    /// A state has no page of a site.
    #[error("state {}: has no page to learn from{}", shown(path), without_site(*urls_without_site))]
    StateWithoutPages { path: PathBuf, urls_without_site: usize },

    /// The user asked the program to stop.
    #[error("interrupted")]
    Interrupted,
    /// No crawl could be evaluated.
    #[error("nothing was evaluated")]
    NothingEvaluated,
    /// No crawl gave any method anything to learn.
    #[error("no method could learn from these crawls")]
    NothingLearned,
    /// No observation is of a site that has a model.
    #[error(
        "nothing could be tested: no URL belongs to a site that has a model in {}",
        shown(models)
    )]
    NothingToTest { models: PathBuf },
    /// What was tested does not hold: the verdict, and no mishap.
    #[error("{}", verdict(*operations, losing))]
    Refuted { operations: usize, losing: Vec<String> },
    /// Operations of models fail, and do nothing from now on.
    #[error("{} switched off until the next training", operations(*.0))]
    SwitchedOff(usize),

    /// The system gives no threads.
    #[error("{0}")]
    Threads(rayon::ThreadPoolBuildError),
    /// The service cannot listen.
    #[cfg(feature = "serve")]
    #[error("cannot listen on {address} ({source}); {}", other_address(source))]
    Listen { address: String, source: io::Error },
    /// The file of the token is too long for one.
    #[cfg(feature = "serve")]
    #[error("{}: is too long for a token file", shown(path))]
    LongTokenFile { path: PathBuf },
    /// A file, or the variable, holds no token.
    #[cfg(feature = "serve")]
    #[error("{}: {source}", shown(&from))]
    Token { from: PathBuf, source: Error },
    /// The variable of the token is not text.
    #[cfg(feature = "serve")]
    #[error("UNDUST_TOKEN: {0}")]
    TokenVariable(std::env::VarError),
    /// The system does not report Ctrl-C.
    #[error("signals cannot be caught: {0}")]
    Signals(io::Error),
}

impl Failure {
    /// Whether the arguments do not fit together, whatever the inputs hold.
    pub(super) fn is_of_usage(&self) -> bool {
        matches!(
            self,
            Self::UnusedHost
                | Self::TwoOutputs
                | Self::ReplacesInput { .. }
                | Self::ReplacesCrawl { .. }
        )
    }

    /// The failure that this folder is none of the files that a command reads.
    pub(super) fn is_folder(path: &Path) -> Self {
        Self::IsFolder { path: path.to_owned(), holds: Holds::of(path) }
    }

    /// An error if a new state would be made among models.
    pub(super) fn check_state(folder: &Path) -> Result<()> {
        match Holds::of(folder) {
            Holds::Models if !LiveClusters::is_in(folder) => {
                Err(Self::StateAmongModels { path: folder.to_owned() }.into())
            }
            _ => Ok(()),
        }
    }

    /// The failure that an error is, if it is one.
    pub(super) fn of(error: &Error) -> Option<&Self> {
        match error {
            Error::Caller(own) => own.downcast_ref(),
            _ => None,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::Caller(Box::new(failure))
    }
}

/// What a folder holds that was given in place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Models,
    State,
    Files,
}

impl Holds {
    fn of(folder: &Path) -> Self {
        let is_model = |folder: &Path| folder.join("model.json").is_file();
        if is_model(folder) || entries(folder).any(|entry| is_model(&entry)) {
            Holds::Models
        } else if LiveClusters::is_in(folder) {
            Holds::State
        } else {
            Holds::Files
        }
    }
}

/// Entries of a folder that are looked at for the sake of a message.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    const MOST: usize = 1000;
    fs::read_dir(folder).into_iter().flatten().flatten().take(MOST).map(|entry| entry.path())
}

/// What to do where a folder was given.
fn in_place_of(folder: &Path, holds: Holds) -> String {
    let folder_name = shown(&folder);
    match holds {
        Holds::Models => {
            "it holds models: give a crawl or a list of URLs, and the folder of the models with \
                          --models"
                .to_owned()
        }
        Holds::State => format!(
            "it holds the state of `undust cluster` or `undust live`: `undust cluster`, `train` and \
             `show` take it as --state {folder_name}"
        ),
        Holds::Files => match entries(folder).filter(|entry| entry.is_file()).min() {
            Some(first) => format!("give the files in it, such as {}", shown(&first)),
            None => "it holds no file; give a file, or - for standard input".to_owned(),
        },
    }
}

fn not_used(left_out: &LeftOut) -> String {
    if left_out.total() > 0 { format!("; left out: {left_out}") } else { String::new() }
}

fn without_site(urls_without_site: usize) -> String {
    if urls_without_site > 0 {
        format!("; {}", of_no_site(urls_without_site))
    } else {
        String::new()
    }
}

fn could_not_be_loaded(count: usize, became: &str) -> String {
    match count {
        1 => format!("one model could not be loaded; {became}"),
        many => {
            let became = became.replace("its URLs", "their URLs");
            format!("{many} models could not be loaded; {became}")
        }
    }
}

fn verdict(refuted: usize, losing: &[String]) -> String {
    let mut described = Vec::new();
    if refuted > 0 {
        described.push(format!("{} refuted", counted(refuted, "operation")));
    }
    if !losing.is_empty() {
        described.push(format!("more than 1 % of the clusters are lost: {}", losing.join(", ")));
    }
    described.join("; ")
}

fn operations(count: usize) -> String {
    if count == 1 { "one operation is".into() } else { format!("{count} operations are") }
}

#[cfg(feature = "serve")]
fn other_address(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses this port: stop it, or choose another port with --listen"
        }
        _ => "choose an address of this machine and a free port with --listen",
    }
}
