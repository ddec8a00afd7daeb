//! The clients in `examples/clients/`.

use std::process::Command;

use super::server::Server;
use crate::support::repository;

const LINKS: &str = "
    const { undust } = await import(process.argv[1]);
    const keyed = undust(process.argv[2], process.argv[3]);
    const links = ['http://b.test/story/7/print', 'http://b.test/story/7', 'http://x.test/'];
    console.log(JSON.stringify(await keyed(links)));";

/// What a script prints that imports a client for Node; nothing where there is no Node.
fn node(client: &str, script: &str, arguments: &[&str]) -> Option<serde_json::Value> {
    let client = repository().join("examples/clients").join(client);
    let client = format!("file://{}", client.display());
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", script, &client]).args(arguments);
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
    let Some(keyed) = node("crawlee.mjs", LINKS, &[&format!("http://{}", server.address), ""])
    else {
        eprintln!("skipped: no node on this machine");
        return;
    };
    assert_eq!(keyed, expected);
    // Nobody listens at port 9.
    let alone =
        node("crawlee.mjs", LINKS, &["http://127.0.0.1:9", "token"]).expect("Node was here");
    assert!(alone.as_array().expect("a list").iter().all(|one| one["url"] == one["uniqueKey"]));
}

/// A queue that Crawlee would read, with a page fetched under two URLs, a redirect and a POST.
const CRAWL: &str = "
    const { undustLive } = await import(process.argv[1]);
    const live = undustLive(process.argv[2]);
    const urls = [], handled = [], fetched = [];
    for (let n = 0; n < 150; n++) urls.push(`http://a.test/s/${n}`, `http://a.test/s/${n}?from=${n}`);
    const requests = urls.map((url) => ({ url }));
    requests.push({ url: urls[0], method: 'POST' }, { url: 'http://a.test/old', loadedUrl: 'http://a.test/new' });
    const queue = live.queue({
        fetchNextRequest: async () => requests.shift() ?? null,
        markRequestHandled: async (request) => { handled.push(request.url); },
    });
    for (let request; (request = await queue.fetchNextRequest());) {
        fetched.push(request.url);
        const story = request.url.split('/').pop().split('?')[0];
        await live.saw(request, 200, `<title>${story}</title>The story of the number ${story}`);
    }
    console.log(JSON.stringify({ fetched, handled }));";

#[test]
fn crawlee_skips_requests_whose_page_was_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().to_str().expect("a path");
    let server = Server::start(&["--live", state, "--risk", "0.05"]);
    let Some(crawl) = node("crawlee-live.mjs", CRAWL, &[&format!("http://{}", server.address)])
    else {
        eprintln!("skipped: no node on this machine");
        return;
    };
    let count = |list: &str| crawl[list].as_array().expect("a list").len() as u64;
    assert_eq!(count("fetched") + count("handled"), 302, "{crawl}");
    assert!((90..150).contains(&count("handled")), "{crawl}");
    let stats = server.get_json("/v1/live/stats")["sites"]["a.test"].clone();
    assert_eq!((&stats["skipped"], &stats["distinct"]), (&count("handled").into(), &151.into()));
}
