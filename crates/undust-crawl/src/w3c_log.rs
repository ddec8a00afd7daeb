//! Logs in the extended format of the W3C, whose line `#Fields:` names the columns: those of IIS and of CloudFront.

use undust_pages::agent::AgentClass;
use undust_util::error::Result;

use super::access_log::{LoggedRequest, bad_line, emit};
use super::input::InputContext;
use super::source::Source;

const FIELDS: &[u8] = b"#Fields:";

/// Whether a line names the columns of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    Columns::of(line).is_some()
}

/// Reads a log. Lines before the names of the columns, and those that begin with `#`, are skipped.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut columns = None;
    context.each_line(source, |line, number, context| {
        let line = line.unwrap_or_default().trim_ascii();
        if let Some(named) = Columns::of(line) {
            columns = Some(named);
        } else if !line.starts_with(b"#") {
            return match columns.as_ref().and_then(|columns| columns.request(line)) {
                Some(request) => emit(&request.logged(), context),
                None => {
                    bad_line(number, context);
                    Ok(())
                }
            };
        }
        Ok(())
    })
}

/// The positions of the columns that are used.
struct Columns {
    count: usize,
    method: usize,
    stem: usize,
    status: usize,
    query: Option<usize>,
    host: Option<usize>,
    protocol: Option<usize>,
    port: Option<usize>,
    bytes: Option<usize>,
    date: Option<usize>,
    time: Option<usize>,
    agent: Option<usize>,
}

/// A request with the texts that its line lacks as they are.
struct Request<'l> {
    method: &'l [u8],
    host: Option<Vec<u8>>,
    target: Vec<u8>,
    status: u16,
    length: Option<u64>,
    time: Option<String>,
    agent: Option<AgentClass>,
}

impl Request<'_> {
    fn logged(&self) -> LoggedRequest<'_> {
        let Self { method, status, length, agent, .. } = *self;
        let (host, time) = (self.host.as_deref(), self.time.clone());
        LoggedRequest { method, host, target: &self.target, status, length, time, agent }
    }
}

impl Columns {
    fn of(line: &[u8]) -> Option<Self> {
        let names: Vec<String> =
            words(line.strip_prefix(FIELDS)?).map(|name| name.escape_ascii().to_string()).collect();
        let at = |name: &str| names.iter().position(|known| known.eq_ignore_ascii_case(name));
        Some(Self {
            count: names.len(),
            method: at("cs-method")?,
            stem: at("cs-uri-stem")?,
            status: at("sc-status")?,
            query: at("cs-uri-query"),
            // CloudFront calls its own host cs(Host), and the one asked for x-host-header.
            host: at("x-host-header").or_else(|| at("cs-host")).or_else(|| at("cs(Host)")),
            protocol: at("cs-protocol"),
            port: at("s-port"),
            bytes: at("sc-bytes"),
            date: at("date"),
            time: at("time"),
            agent: at("cs(User-Agent)"),
        })
    }

    /// The request of a line; none if it has not a value for each column.
    fn request<'l>(&self, line: &'l [u8]) -> Option<Request<'l>> {
        let values: Vec<&[u8]> = words(line).collect();
        if values.len() != self.count {
            return None;
        }
        let known = |at: Option<usize>| Some(values[at?]).filter(|value| *value != b"-");
        let text = |at| known(at).and_then(|value| std::str::from_utf8(value).ok());
        let mut target = values[self.stem].to_vec();
        if let Some(query) = known(self.query) {
            target.push(b'?');
            target.extend_from_slice(query);
        }
        let is_secure = text(self.protocol).is_some_and(|name| name.eq_ignore_ascii_case("https"))
            || text(self.port) == Some("443");
        let scheme: &[u8] = if is_secure { b"https://" } else { b"http://" };
        let time = text(self.date).zip(text(self.time));
        Some(Request {
            method: values[self.method],
            host: known(self.host).map(|host| [scheme, host].concat()),
            target: target.starts_with(b"/").then_some(target)?,
            status: text(Some(self.status))?.parse().ok()?,
            length: text(self.bytes).and_then(|bytes| bytes.parse().ok()),
            time: time.map(|(date, time)| format!("{date}T{time}Z")),
            agent: self.agent.map(|at| AgentClass::of(values[at])),
        })
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
