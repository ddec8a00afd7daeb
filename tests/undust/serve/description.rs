//! `/openapi.json` held to the answers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::server::{Answer, Server};
use crate::support::repository;

/// What is wrong with a value by a schema; the part of JSON Schema that the description uses.
fn fault(all: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = all.pointer(name.trim_start_matches('#'));
        return fault(all, schema.unwrap_or_else(|| panic!("no {name}")), value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices.iter().filter(|one| fault(all, one, value).is_none()).count();
        return (fitting != 1).then(|| format!("{fitting} of {schema} fit {value}"));
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => vec![one.as_str().unwrap_or_else(|| panic!("no type: {schema}"))],
    };
    let is = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("a type {other}"),
    };
    let is_listed = schema["enum"].as_array().is_none_or(|listed| listed.contains(value));
    if !types.iter().any(is) || !is_listed {
        return Some(format!("{value} is not of {schema}"));
    }
    if value.as_i64().zip(schema["minimum"].as_i64()).is_some_and(|(value, least)| value < least) {
        return Some(format!("{value} is too small for {schema}"));
    }
    let items = value.as_array().into_iter().flatten();
    if let Some(fault) = items.filter_map(|item| fault(all, &schema["items"], item)).next() {
        return Some(fault);
    }
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if value.get(name).is_none() {
            return Some(format!("{value} has no {name}"));
        }
    }
    value.as_object().into_iter().flatten().find_map(|(name, value)| {
        match schema["properties"].get(name) {
            Some(schema) => fault(all, schema, value),
            None if schema["additionalProperties"] == false => Some(format!("{name} is unknown")),
            None if schema["additionalProperties"].is_object() => {
                fault(all, &schema["additionalProperties"], value)
            }
            None => None,
        }
    })
}

/// Holds an answer to what the description says of this operation.
fn check(all: &Value, operation: &Value, answer: &Answer) {
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{} is not described: {}", answer.status, answer.text());
    let kind = answer.head.lines().find_map(|line| line.strip_prefix("content-type: "));
    let kind = kind.and_then(|kind| kind.split(';').next()).expect("a type");
    let schema = &response["content"][kind]["schema"];
    assert!(schema.is_object(), "{kind} is not described for {}", answer.status);
    let values = match kind {
        "application/json" => vec![answer.json()],
        "application/jsonl" => {
            answer.text().lines().map(|line| line.parse().expect("JSON")).collect()
        }
        _ => vec![Value::String(answer.text())],
    };
    for value in values {
        assert_eq!(fault(all, schema, &value), None);
    }
}

/// A JSON body or two for an operation that takes one, good and bad.
const BODIES: [(&str, &str); 14] = [
    ("application/json", "[\"http://b.test/story/7/print\", \"x\", \"http://a.test/users/1x/a\"]"),
    ("application/json", "{\"urls\": [\"http://c.test/story/7/print\", \"http://x.test/\"]}"),
    ("application/json", "[]"),
    ("application/json", "no JSON"),
    ("text/plain", "http://b.test/story/7/print\nx\n"),
    ("image/png", ""),
    (
        "application/json",
        r#"[{"url":"http://b.test/story/7/print","form":"http://b.test/story/7","same":true}]"#,
    ),
    ("text/plain", "{\"url\": \"x\", \"form\": \"y\", \"same\": false}\n"),
    ("text/plain", "{\"url\": \"http://a.test/\", \"status\": 200, \"title\": \"t\"}\n"),
    ("application/json", "{\"saw\": \"http://a.test/\", \"status\": 404}"),
    ("text/plain", ""),
    ("application/x-ndjson", "http://b.test/story/7/print\n\"x\"\n"),
    ("application/x-ndjson", "{\"url\": \"x\", \"form\": \"y\", \"same\": false}\n"),
    ("application/x-ndjson", "{\"url\": \"http://a.test/\", \"status\": 200, \"title\": \"t\"}\n"),
];

#[test]
fn every_path_is_described_and_every_answer_fits() {
    let state = tempfile::tempdir().expect("a folder");
    let state = state.path().to_str().expect("a path");
    let server = Server::start(&["--exploration", "1", "--live", state]);
    let all = server.get("/openapi.json").json();
    let mut asked = 0;
    for (path, methods) in all["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let mut at = path.clone();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                if let Some(example) = parameter["example"].as_str() {
                    let in_path = format!("{{{name}}}");
                    at = match at.contains(&in_path) {
                        true => at.replace(&in_path, example),
                        false => format!("{at}?{name}={example}"),
                    };
                }
            }
            let method = method.to_uppercase();
            let bodies: &[_] = if method == "POST" { &BODIES } else { &[("text/plain", "")] };
            for accept in ["text/plain", "application/json", "application/jsonl"] {
                for (kind, body) in bodies {
                    let headers = [format!("accept: {accept}"), format!("content-type: {kind}")];
                    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
                    let answer = server.connect().ask(&method, &at, &headers, body.as_bytes());
                    check(&all, operation, &answer);
                    asked += 1;
                }
            }
            // Without what it asks for it is a fault that is described, too.
            let bare = path.replace("{site}", "x.test");
            let answer = server.connect().ask(&method, &bare, &[], b"");
            check(&all, operation, &answer);
            let other = if method == "POST" { "PUT" } else { "DELETE" };
            server.connect().ask(other, &at, &[], b"").failure(405);
        }
    }
    assert!(asked > 40, "{asked}");
    // One without a model, and some for networks; one network leaves its URL as it is.
    let of_networks = [
        "http://a.test/users/1x/a",
        "http://e.test/old.php?p=x%26a=7777",
        "http://e.test/users/1x",
    ];
    for path in ["http://x.test/"].into_iter().chain(of_networks) {
        for what in ["translate", "explain"] {
            let headers = ["accept: application/json"];
            let at = format!("/v1/{what}?url={path}");
            let answer = server.connect().ask("GET", &at, &headers, b"");
            check(&all, &all["paths"][format!("/v1/{what}")]["get"], &answer);
        }
    }
}

/// A service that neither explores nor decides in the crawl takes no word for what came back.
#[test]
fn what_came_back_is_for_services_that_ask_for_it() {
    let server = Server::start(&[]);
    let all = server.get("/openapi.json").json();
    for path in ["observe", "live/decide", "live/saw", "live/begin-crawl"] {
        let path = format!("/v1/{path}");
        for (kind, body) in BODIES {
            let headers = [format!("content-type: {kind}")];
            let answer = server.connect().ask("POST", &path, &[&headers[0]], body.as_bytes());
            check(&all, &all["paths"][&path]["post"], &answer);
            answer.failure(403);
        }
    }
    server.get("/v1/live/stats").failure(403);
    assert!(!server.place("b.test", "trials.json").exists());
}

/// Each route of the router's source is in the description, and the other way round.
#[test]
fn no_route_is_missing() {
    let read = |file| {
        std::fs::read_to_string(repository().join("crates/undust-serve/src").join(file))
            .expect(file)
    };
    let source = read("routes.rs");
    let routes = source.split(".route(").skip(1);
    let named = routes.map(|route| match route.strip_prefix('"') {
        Some(path) => path.split('"').next().expect("a path"),
        None => "/healthz",
    });
    let all: Value = read("openapi.json").parse().expect("JSON");
    let described = all["paths"].as_object().expect("paths").keys().map(String::as_str);
    assert_eq!(named.collect::<BTreeSet<_>>(), described.collect::<BTreeSet<_>>());
}
