//! Connections: how many, for how long, and how they end.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use undust_model::registry::Registry;

use super::guarded::Guarded;
use super::options::ServiceOptions;
use super::routes::router;
use super::state::Service;
use super::watch::watch;
use crate::error::{Error, Result, ServiceReason};

/// Bytes of a request's headers, its URL included: a URL of 32 KiB with every byte escaped, which
/// is as long as an address may be.
const HEAD: usize = 1 << 17;

/// Connections too many that are answered at once; more are closed without a word.
const MOST_REFUSALS: usize = 64;

/// Answers requests until `shutdown` ends; then ends what is being answered, within
/// [`ServiceLimits::drain_time`](super::ServiceLimits::drain_time), and takes no more. What happens is reported to
/// [`tracing`].
///
/// # Errors
///
/// The listener has no address, which is where its socket is gone; or others can reach it, and it has no
/// token.
pub async fn serve(
    listener: TcpListener,
    registry: Arc<Registry>,
    options: ServiceOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<()> {
    let address = listener.local_addr().map_err(Error::io("listen on", "a socket"))?;
    if options.token.is_none() && !address.ip().to_canonical().is_loopback() {
        return Err(ServiceReason::NoToken { address }.into());
    }
    let service = Arc::new(Service::new(Arc::clone(&registry), options));
    let watching = tokio::spawn(watch(registry));
    let open = GracefulShutdown::new();
    tracing::info!("listening on http://{address}");
    accept(&listener, &service, &open, shutdown).await;
    drop(listener);
    service.stop();
    tracing::info!(connections = open.count(), "stopping after the requests in progress");
    if timeout(service.limits().drain_time, open.shutdown()).await.is_err() {
        tracing::warn!("some connections took too long and were closed");
    }
    watching.abort();
    tracing::info!("stopped");
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    service: &Arc<Service>,
    open: &GracefulShutdown,
    shutdown: impl Future<Output = ()>,
) {
    let router = router(service);
    let room = Arc::new(Semaphore::new(service.limits().connections));
    let refusals = Arc::new(Semaphore::new(MOST_REFUSALS));
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => return,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many open files, as a rule: some will be closed.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        match Arc::clone(&room).try_acquire_owned() {
            Ok(place) => {
                let connection = Connection::new(service, place);
                tokio::spawn(connection.run(stream, router.clone(), open.watcher()));
            }
            Err(_) => {
                service.counted.refused_connections.inc();
                if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(refuse(stream, place));
                }
            }
        }
    }
}

/// A connection, which takes a place until it is dropped.
struct Connection {
    service: Arc<Service>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(service: &Arc<Service>, place: OwnedSemaphorePermit) -> Self {
        service.counted.connections.inc();
        Self { service: Arc::clone(service), _place: place }
    }

    async fn run(self, stream: TcpStream, router: Router, watcher: Watcher) {
        let service = &self.service;
        // An answer is written at once; there is nothing to wait for.
        stream.set_nodelay(true).ok();
        let local = stream.local_addr().map(|local| local.ip()).ok();
        let stream = TokioIo::new(Guarded::new(stream, service.limits().idle_time));
        let respond = service_fn(|request| service.respond(router.clone(), request, local));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(service.limits().header_time)
            .max_buf_size(HEAD)
            .serve_connection(stream, respond);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection broke off");
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.service.counted.connections.dec();
    }
}

/// Says that there are too many connections, to a client who has a second to hear it.
async fn refuse(mut stream: TcpStream, place: OwnedSemaphorePermit) {
    const BODY: &str = "{\"error\":\"too many connections: try again\"}";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
         retry-after: 1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    let described = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // Closed with bytes unread, a socket takes its last words back.
        let mut unread = [0; 4096];
        while stream.read(&mut unread).await? > 0 {}
        std::io::Result::Ok(())
    };
    // A client that does not read gets no answer.
    let _ = timeout(Duration::from_secs(1), described).await;
    drop(place);
}
