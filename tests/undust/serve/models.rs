//! Models that change while they are asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::server::{Server, until};

const PRINT: &str = "/v1/translate?url=http://b.test/story/7/print";

/// Puts a file in the place of another at once.
fn replace(path: &Path, bytes: &[u8]) {
    let new = PathBuf::from(format!("{}.new", path.display()));
    fs::write(&new, bytes).expect("a file is written");
    fs::rename(new, path).expect("a file is moved");
}

/// Rules with which a print view is its story's form, and none with which it is its own.
fn both(server: &Server) -> [Vec<u8>; 2] {
    let rules = fs::read(server.place("b.test", "rules.json")).expect("rules");
    [rules, br#"{"method":"tree","rules":[]}"#.to_vec()]
}

/// Clients ask without a pause; every answer is whole, of one model, and of the new one within a
/// second, more often than not: the clients and other tests take the processor, too.
#[test]
fn a_replaced_model_is_served_within_a_second_and_no_request_is_lost_or_mixed() {
    let server = Server::start(&[]);
    let path = server.place("b.test", "rules.json");
    let both = both(&server);
    let batch: String = (0..2000).map(|n| format!("http://b.test/story/{n}/print\n")).collect();
    let changed = batch.replace("/print", "");
    let json = serde_json::to_vec(&batch.lines().collect::<Vec<_>>()).expect("JSON");
    let (is_over, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let ask = |turn: usize| {
            let mut connection = server.connect();
            let lines = |text: &str| assert!(text == batch || text == changed, "mixed or lost");
            while !is_over.load(Ordering::Relaxed) {
                match turn {
                    0 => {
                        let form = connection.ask("GET", PRINT, &[], b"").text();
                        let known = ["http://b.test/story/7", "http://b.test/story/7/print"];
                        assert!(known.contains(&form.as_str()), "{form}");
                    }
                    1 => lines(
                        &connection.ask("POST", "/v1/translate", &[], batch.as_bytes()).text(),
                    ),
                    _ => {
                        let kind = ["content-type: application/json"];
                        let described =
                            connection.ask("POST", "/v1/translate", &kind, &json).json();
                        let forms = described.as_array().expect("a list").iter();
                        let forms = forms.filter_map(|described| described["canonical"].as_str());
                        lines(&forms.flat_map(|form| [form, "\n"]).collect::<String>());
                    }
                }
                asked.fetch_add(1, Ordering::Relaxed);
            }
        };
        let clients: Vec<_> = (0..3).map(|turn| scope.spawn(move || ask(turn))).collect();
        let mut times = Vec::new();
        for turn in 0..7 {
            replace(&path, &both[(turn + 1) % 2]);
            let expected = ["http://b.test/story/7/print", "http://b.test/story/7"][turn % 2];
            times.push(until(|| server.get(PRINT).text() == expected));
        }
        times.sort();
        assert!(times[times.len() / 2] < Duration::from_secs(1), "{times:?}");
        for turn in 0..20 {
            replace(&path, &both[turn % 2]);
            thread::sleep(Duration::from_millis(100));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().for_each(|client| client.join().expect("no request is lost"));
    });
    assert!(asked.load(Ordering::Relaxed) > 100);
    assert_eq!(server.metric("undust_http_responses_total{class=\"5xx\"}"), 0);
}

/// The old one stays, a metric says so, and the log once; a whole one is served again.
#[test]
fn a_broken_model_does_not_take_the_place_of_a_whole_one() {
    let server = Server::start(&[]);
    let form = || server.get(PRINT).text();
    assert_eq!(form(), "http://b.test/story/7");
    let path = server.place("b.test", "model.json");
    let whole = fs::read(&path).expect("a model");
    replace(&path, b"{\"format\": 3, broken");
    let begin = Instant::now();
    until(|| {
        assert_eq!(form(), "http://b.test/story/7");
        server.metric("undust_models_broken") == 1
    });
    assert_eq!(server.metric("undust_models_loaded"), 1);
    let site = server.get("/v1/sites/b.test").json();
    assert!(
        site["error"]
            .as_str()
            .expect("a sentence")
            .contains("cannot be read as a model description")
    );
    assert_eq!(site["loaded"], true);
    until(|| server.log().contains("served=\"the one before\""));
    replace(&path, &whole);
    until(|| {
        assert_eq!(form(), "http://b.test/story/7");
        server.metric("undust_models_broken") == 0
    });
    assert_eq!(server.metric("undust_urls_total{outcome=\"fallback\"}"), 0);
    let described = server.log().matches("cannot be read as a model description").count();
    assert_eq!(described, 1, "reported once in {:?}", begin.elapsed());
}

/// One that was never whole is counted, and its URLs come back as they came.
#[test]
fn a_model_that_was_never_whole_is_told() {
    let server = Server::start(&[]);
    replace(&server.place("b.test", "rules.json"), b"no JSON");
    assert_eq!(server.get(PRINT).text(), "http://b.test/story/7/print");
    assert_eq!(server.get_json(PRINT)["reason"], "broken model");
    assert_eq!(server.metric("undust_models_broken"), 1);
    assert_eq!(server.metric("undust_urls_total{outcome=\"fallback\"}"), 2);
    let explained = server.get_json(&PRINT.replace("translate", "explain"));
    assert!(explained["error"].as_str().expect("a sentence").contains("rules.json"));
}

/// A site that is trained while the service runs is found, and one that is taken away is gone.
#[test]
fn sites_come_and_go() {
    let server = Server::start(&[]);
    let (here, away) = (server.folder.path().join("b.test"), server.folder.path().join(".away"));
    fs::rename(&here, &away).expect("moved");
    assert_eq!(server.get_json(PRINT)["reason"], "no model");
    assert_eq!(
        server.get("/v1/sites").json()["sites"],
        serde_json::json!(["a.test", "c.test", "d.test", "e.test"])
    );
    fs::rename(&away, &here).expect("moved");
    until(|| server.get(PRINT).text() == "http://b.test/story/7");
}

/// Of many broken models the log names the first ten, and counts the rest.
#[test]
fn many_broken_models_are_counted_in_the_log() {
    let server = Server::start(&[]);
    let root = server.place("b.test", "model.json");
    let root = root.parent().and_then(Path::parent).expect("the folder of the models");
    let urls: Vec<String> =
        (0..500).map(|number| format!("http://{number}.broken.test/\n")).collect();
    for number in 0..500 {
        let place = root.join(format!("{number}.broken.test"));
        fs::create_dir(&place).expect("a folder");
        fs::write(place.join("model.json"), "{").expect("a file");
    }
    let mut connection = server.connect();
    connection.ask("POST", "/v1/translate", &[], urls.concat().as_bytes());
    until(|| server.log().contains("more models cannot be loaded, 500 in all"));
    let named = server.log().matches("cannot be read as a model description").count();
    assert_eq!(named, 10, "{}", server.log());
}
