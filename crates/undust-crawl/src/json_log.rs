//! Access logs whose lines are JSON: those of Caddy, and of nginx with names like its variables.

use serde_json::{Map, Value};

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

/// A line. Of the names that programs use for one thing it may have several.
struct Line(Map<String, Value>);

impl Line {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        if !line.starts_with(b"{") {
            return None;
        }
        let line = Self(serde_json::from_slice(line).ok()?);
        (line.target().is_some() && line.status().is_some()).then_some(line)
    }

    fn text(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.0.get(*name)?.as_str())
    }

    fn number(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| number(self.0.get(*name)?))
    }

    /// A part of the request, which Caddy has in an object.
    fn part(&self, name: &str) -> Option<&Value> {
        self.0.get("request")?.get(name)
    }

    /// Method and target. nginx has the first line of the request.
    fn target(&self) -> Option<(&[u8], &[u8])> {
        if let Some(Value::String(request)) = self.0.get("request") {
            return super::access_log::request(request.as_bytes());
        }
        let part = |name: &str| self.part(name).and_then(Value::as_str);
        let method = part("method").or_else(|| self.text(&["method", "request_method"]))?;
        let target = part("uri").or_else(|| self.text(&["uri", "request_uri"]))?;
        target.starts_with('/').then_some((method.as_bytes(), target.as_bytes()))
    }

    fn status(&self) -> Option<u16> {
        self.number(&["status", "response_code"])?.try_into().ok()
    }

    /// Caddy has the request's headers, each a list of values.
    fn agent(&self) -> Option<&str> {
        let listed = self.part("headers").and_then(|headers| headers.get("User-Agent")?.get(0));
        let listed = listed.and_then(Value::as_str);
        listed.or_else(|| self.text(&["http_user_agent", "user_agent"]))
    }

    fn request(&self) -> Option<LoggedRequest<'_>> {
        let (method, target) = self.target()?;
        let host = self.part("host").and_then(Value::as_str);
        let host = host.or_else(|| self.text(&["http_host", "host", "server_name"]));
        Some(LoggedRequest {
            method,
            host: host.map(str::as_bytes),
            target,
            status: self.status()?,
            length: self.number(&["size", "body_bytes_sent", "bytes_sent"]),
            time: self.text(&["time", "time_iso8601"]).map(str::to_owned),
            agent: self.agent().map(|agent| AgentClass::of(agent.as_bytes())),
        })
    }
}

/// Programs write numbers as numbers or as strings.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
