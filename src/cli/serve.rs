//! `undust serve`: translation and explanation over HTTP.

#[cfg(feature = "serve")]
mod check;

use std::net::SocketAddr;
use std::path::PathBuf;

use undust_util::error::Result;

use super::arguments::{ServedModels, Settings, TextOrJson};
use super::live::{EngineArgs, StateArgs};

/// Translate and explain URLs over HTTP.
///
/// `GET /openapi.json` describes the paths. A replaced model is served within a second. SIGTERM or
/// Ctrl-C stops the service after the requests in progress. With --token-file, or the variable
/// UNDUST_TOKEN, clients must send a token; a service that other machines can reach has to have one.
#[derive(Debug, clap::Args)]
#[cfg_attr(not(feature = "serve"), allow(dead_code, reason = "nothing listens"))]
pub(super) struct ServeArgs {
    #[command(flatten)]
    models: ServedModels,

    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7878")]
    #[arg(value_parser = address)]
    listen: String,

    /// Serve nothing: ask the service at this address whether it is well, and exit with 0 or 1, for
    /// health checks of containers
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    check: Option<String>,

    /// File with the token that clients must send as `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Also answer requests to this host, such as the name of a proxy in front; may be repeated
    ///
    /// The service answers requests to loopback addresses, to the address at which the connection came,
    /// and to the name after --listen.
    #[arg(long, value_name = "NAME", value_parser = host)]
    allow_host: Vec<String>,

    /// Explore: return this share of the rewritten URLs in their original form, 0 to 1, so that they
    /// are fetched; and accept what they showed at `POST /v1/observe`
    #[arg(long, value_name = "SHARE", value_parser = super::arguments::share)]
    exploration: Option<f64>,

    /// Folder of a state of `undust live`: decide during a crawl which URLs are fetched, and learn
    /// from the responses, at `POST /v1/live/decide` and `/v1/live/saw`
    ///
    /// With it the folder of the models may be empty.
    #[arg(long, value_name = "FOLDER")]
    live: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    kept: StateArgs,

    #[command(flatten)]
    settings: Settings,

    /// Format of the log on standard error; -q and -v set its level
    #[arg(long, value_enum, default_value = "text")]
    log_format: TextOrJson,

    /// Largest number of open connections; others get status 503
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_connections: u16,
}

/// Parses the address to listen on. Whether this machine has it shows later.
fn address(text: &str) -> Result<String, String> {
    let is_named = || {
        let (host, port) = text.rsplit_once(':')?;
        let is_name = !host.is_empty() && !host.contains([':', '/', '[', ' ']);
        (is_name && port.parse::<u16>().is_ok()).then_some(())
    };
    let is_address = text.parse::<SocketAddr>().is_ok() || is_named().is_some();
    let wanted = "must be an address or name of this machine and a port from 0 to 65535, such as \
                  `127.0.0.1:7878`, `[::1]:7878` or `localhost:7878`";
    is_address.then(|| text.to_owned()).ok_or_else(|| wanted.to_owned())
}

/// Parses the name of a host.
fn host(text: &str) -> Result<String, String> {
    #[cfg(feature = "serve")]
    text.parse::<undust_serve::HostName>().map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

#[cfg(not(feature = "serve"))]
pub(super) fn run(_: ServeArgs) -> Result<()> {
    Err(undust_util::error::Error::MissingFeature("serve"))
}

/// Serves until a signal stops it.
#[cfg(feature = "serve")]
pub(super) fn run(args: ServeArgs) -> Result<()> {
    match &args.check {
        Some(address) => check::check(address),
        None => serving::run(args),
    }
}

#[cfg(feature = "serve")]
mod serving {
    use std::net::SocketAddr;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::net::TcpListener;
    use tokio::sync::Notify;
    use tracing::level_filters::LevelFilter;

    use undust_live::Live;
    use undust_serve::{AccessToken, HostName, ServiceLimits, ServiceOptions, serve};
    use undust_util::error::{Error, Result};
    use undust_util::read_limited::read_text;

    use super::ServeArgs;
    use crate::cli::arguments::TextOrJson;
    use crate::cli::failure::Failure;
    use crate::cli::live::finish;
    use crate::cli::progress::loudness;
    use crate::cli::signals::on_first_signal;

    /// Largest size of the token file.
    const MOST_TOKEN: u64 = 64 << 10;

    pub(super) fn run(args: ServeArgs) -> Result<()> {
        let live = args.live.as_deref().map(|state| open_live(state, &args)).transpose()?;
        let registry = if live.is_some() { args.models.open_any() } else { args.models.open()? };
        let token = token(&args)?;
        start_log(&args);
        let limits =
            ServiceLimits { connections: args.max_connections.into(), ..ServiceLimits::default() };
        let options = ServiceOptions {
            token,
            hosts: hosts(&args),
            limits,
            exploration: args.exploration,
            live: live.clone(),
        };
        let stop = Arc::new(Notify::new());
        let told = Arc::clone(&stop);
        on_first_signal(move |_| told.notify_one())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(Error::io("start", "the service's threads"))?;
        let served = runtime.block_on(async {
            let listener = listen(&args.listen).await?;
            report_listening(&listener, options.token.is_some());
            serve(listener, Arc::new(registry), options, stop.notified()).await
        });
        // Requests that were cut off are not waited for.
        runtime.shutdown_timeout(Duration::from_secs(1));
        if let Some(live) = live {
            finish(&live)?;
        }
        served
    }

    fn open_live(state: &Path, args: &ServeArgs) -> Result<Arc<Live>> {
        Failure::check_state(state)?;
        let config = args.settings.read()?;
        let options = args.kept.over(args.engine.options(&config));
        let learner = args.engine.learner(config, Some(state));
        Ok(Arc::new(Live::open(state, options, Arc::new(learner))?))
    }

    async fn listen(address: &str) -> Result<TcpListener> {
        let listener = TcpListener::bind(address).await;
        listener.map_err(|source| Failure::Listen { address: address.to_owned(), source }.into())
    }

    /// Warns if other machines can reach the service.
    fn report_listening(listener: &TcpListener, has_token: bool) {
        let is_local = |address: SocketAddr| address.ip().to_canonical().is_loopback();
        if has_token && !listener.local_addr().is_ok_and(is_local) {
            tracing::warn!("other machines can reach this service; the token is sent unencrypted");
        }
    }

    /// The hosts that lead to the service: those that are allowed, and the one to listen on.
    fn hosts(args: &ServeArgs) -> Vec<HostName> {
        // An address is known from the connection.
        let is_name = args.listen.parse::<SocketAddr>().is_err();
        let own = args.listen.rsplit_once(':').map(|(host, _)| host).filter(|_| is_name);
        let named = args.allow_host.iter().map(String::as_str).chain(own);
        named.filter_map(|name| name.parse().ok()).collect()
    }

    fn token(args: &ServeArgs) -> Result<Option<AccessToken>> {
        let of_text = |text: &str, from: PathBuf| {
            let token = AccessToken::new(text).map(Some);
            token.map_err(|source| Failure::Token { from, source }.into())
        };
        if let Some(path) = &args.token_file {
            let text = read_text(path, MOST_TOKEN).map_err(Error::io("read", path))?;
            let too_long = || Failure::LongTokenFile { path: path.clone() };
            return of_text(&text.ok_or_else(too_long)?, path.clone());
        }
        match std::env::var("UNDUST_TOKEN") {
            Ok(text) => of_text(&text, "UNDUST_TOKEN".into()),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(error) => Err(Failure::TokenVariable(error).into()),
        }
    }

    /// The level of the log: that of --quiet and --verbose.
    fn level(loudness: i8) -> LevelFilter {
        match loudness {
            ..0 => LevelFilter::WARN,
            0 => LevelFilter::INFO,
            1.. => LevelFilter::DEBUG,
        }
    }

    fn start_log(args: &ServeArgs) {
        let log = tracing_subscriber::fmt()
            .with_max_level(level(loudness()))
            .with_ansi(false)
            .with_target(false)
            .with_writer(std::io::stderr);
        // This fails only if the process already has a log.
        match args.log_format {
            TextOrJson::Text => log.try_init().ok(),
            TextOrJson::Json => log.json().flatten_event(true).try_init().ok(),
        };
    }
}
