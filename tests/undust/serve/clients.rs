//! The clients in `examples/clients/`.

use std::process::Command;

use super::server::Server;
use crate::support::repository;

/// The requests that the Node client makes of links; nothing where there is no Node.
fn requests(service: &str, token: &str) -> Option<serde_json::Value> {
    let client = repository().join("examples/clients/crawlee.mjs");
    let script = "
        const { undust } = await import(process.argv[1]);
        const keyed = undust(process.argv[2], process.argv[3]);
        const links = ['http://b.test/story/7/print', 'http://b.test/story/7', 'http://x.test/'];
        console.log(JSON.stringify(await keyed(links)));";
    let mut node = Command::new("node");
    let client = format!("file://{}", client.display());
    node.args(["--input-type=module", "-e", script, &client, service, token]);
    let output = match node.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        output => output.expect("Node runs"),
    };
    let described = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{described}");
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn crawlee_keys_requests_by_their_forms() {
    let server = Server::start(&[]);
    let expected = serde_json::json!([
        {"url": "http://b.test/story/7/print", "uniqueKey": "http://b.test/story/7"},
        {"url": "http://b.test/story/7", "uniqueKey": "http://b.test/story/7"},
        {"url": "http://x.test/", "uniqueKey": "http://x.test/"},
    ]);
    let Some(keyed) = requests(&format!("http://{}", server.address), "") else {
        eprintln!("skipped: no node on this machine");
        return;
    };
    assert_eq!(keyed, expected);
    // Nobody listens at port 9.
    let alone = requests("http://127.0.0.1:9", "token").expect("Node was here");
    assert!(alone.as_array().expect("a list").iter().all(|one| one["url"] == one["uniqueKey"]));
}
