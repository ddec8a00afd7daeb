//! Access logs whose lines are JSON: those of Caddy, and of nginx with names like its variables.

use serde::Deserialize;
use serde_json::Value;

use undust_pages::agent::AgentClass;
use undust_util::error::Result;

use super::access_log::{LoggedRequest, bad_line, emit};
use super::input::InputContext;
use super::source::Source;

/// Whether a line could be one of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    Line::of(line).is_some()
}

/// Reads a log.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    context.each_line(source, |line, number, context| {
        let line = line.and_then(Line::of);
        let Some(request) = line.as_ref().and_then(Line::request) else {
            bad_line(number, context);
            return Ok(());
        };
        emit(&request, context)
    })
}

#[derive(Deserialize)]
struct Line {
    /// Caddy has the request in an object, nginx as a text.
    request: Option<Value>,
    #[serde(alias = "request_method")]
    method: Option<String>,
    #[serde(alias = "uri")]
    request_uri: Option<String>,
    #[serde(alias = "http_host", alias = "server_name")]
    host: Option<String>,
    #[serde(alias = "response_code")]
    status: Value,
    #[serde(alias = "body_bytes_sent", alias = "bytes_sent")]
    size: Option<Value>,
    #[serde(alias = "time_iso8601")]
    time: Option<String>,
    // Not one field with an alias: a line may have both, and of any type.
    user_agent: Option<Value>,
    http_user_agent: Option<Value>,
}

impl Line {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        if !line.starts_with(b"{") {
            return None;
        }
        let line: Self = serde_json::from_slice(line).ok()?;
        (line.target().is_some() && line.status().is_some()).then_some(line)
    }

    fn part(&self, name: &str) -> Option<&str> {
        self.request.as_ref()?.get(name)?.as_str()
    }

    /// Method and target.
    fn target(&self) -> Option<(&[u8], &[u8])> {
        if let Some(Value::String(request)) = &self.request {
            return super::access_log::request(request.as_bytes());
        }
        let method = self.part("method").or(self.method.as_deref())?;
        let target = self.part("uri").or(self.request_uri.as_deref())?;
        target.starts_with('/').then_some((method.as_bytes(), target.as_bytes()))
    }

    fn status(&self) -> Option<u16> {
        number(&self.status).and_then(|status| status.try_into().ok())
    }

    /// Caddy has the request's headers, each a list of values.
    fn agent(&self) -> Option<&str> {
        let headers = self.request.as_ref().and_then(|request| request.get("headers"));
        let listed = headers.and_then(|headers| headers.get("User-Agent")?.get(0)?.as_str());
        listed
            .or_else(|| self.user_agent.as_ref()?.as_str())
            .or_else(|| self.http_user_agent.as_ref()?.as_str())
    }

    fn request(&self) -> Option<LoggedRequest<'_>> {
        let (method, target) = self.target()?;
        let host = self.part("host").or(self.host.as_deref());
        Some(LoggedRequest {
            method,
            host: host.map(str::as_bytes),
            target,
            status: self.status()?,
            length: self.size.as_ref().and_then(number),
            time: self.time.clone(),
            agent: self.agent().map(|agent| AgentClass::of(agent.as_bytes())),
        })
    }
}

/// Programs write numbers as numbers or as strings.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
