//! A service that passes URLs on all the same, and takes what came back.

use serde_json::{Value, json};

use super::server::{Answer, Server, until};

const PRINT: &str = "/v1/translate?url=http://b.test/story/7/print";

fn observe(server: &Server, kind: &str, body: &str) -> Answer {
    let kind = format!("content-type: {kind}");
    server.connect().ask("POST", "/v1/observe", &[&kind], body.as_bytes())
}

fn line(story: u32, same: bool) -> Value {
    let form = format!("http://b.test/story/{story}");
    json!({"url": format!("{form}/print"), "form": form, "same": same})
}

#[test]
fn what_is_drawn_is_answered_as_it_came() {
    let server = Server::start(&["--exploration", "1"]);
    assert_eq!(server.get(PRINT).text(), "http://b.test/story/7/print");
    let described = server.get_json(PRINT);
    assert_eq!(
        (&described["canonical"], &described["form"]),
        (&described["url"], &json!("http://b.test/story/7"))
    );
    assert_eq!((&described["explored"], &described["how"]), (&json!(true), &json!("rules")));
    let lines = "http://b.test/story/8/print\nhttp://b.test/story/8\n";
    assert_eq!(server.post("text/plain", lines.as_bytes()).text(), lines);
    let list = server.post("application/json", br#"["http://b.test/story/9/print"]"#).json();
    assert_eq!(list[0]["explored"], true);
    assert_eq!(server.metric("undust_explored_total"), 4);
    assert_eq!(server.metric("undust_urls_total{outcome=\"changed\"}"), 0);
    assert_eq!(server.metric("undust_urls_total{outcome=\"same\"}"), 5);
}

/// Disagreements switch a rule off at once; the others go on.
#[test]
fn what_comes_back_switches_a_rule_off() {
    let server = Server::start(&["--exploration", "0"]);
    let is_printed = || server.get(PRINT).text() == "http://b.test/story/7/print";
    let list = json!([line(1, true), line(2, false), line(3, false)]).to_string();
    let observed = observe(&server, "application/json", &list).json();
    assert_eq!((&observed["counted"], &observed["conflicts"]), (&json!(3), &json!(2)));
    let operation = &observed["operations"][0];
    assert_eq!((&operation["status"], &operation["disagreed"]), (&json!("open"), &json!(2)));
    assert!(!is_printed());

    let lines: String = (4..6).map(|story| format!("{}\n", line(story, false))).collect();
    let observed = observe(&server, "application/x-ndjson", &lines).json();
    assert_eq!(observed["operations"][0]["status"], "off", "{observed}");
    until(is_printed);
    assert_eq!(server.metric("undust_rule_conflicts_total"), 4);
    assert!(server.log().contains("switched off: "), "{}", server.log());
    let explained = server.get_json(&PRINT.replace("translate", "explain"));
    assert_eq!(explained["switched_off"][0]["disagreed"], 4);

    // It is counted no more, and all of it is kept.
    let observed = observe(&server, "application/x-ndjson", &lines).json();
    assert_eq!((&observed["counted"], &observed["passed_over"]), (&json!(0), &json!(2)));
    let kept = std::fs::read(server.place("b.test", "trials.json")).expect("the counts");
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    let counts = (&kept["operations"][0]["agreed"], &kept["operations"][0]["disagreed"]);
    assert_eq!(counts, (&json!(1), &json!(4)));
}

/// Two at once lose nothing of one another.
#[test]
fn all_that_comes_back_at_once_is_counted() {
    let server = Server::start(&["--exploration", "0"]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let server = &server;
            scope.spawn(move || {
                for story in 0..25 {
                    let body = line(100 * thread + story, true).to_string();
                    assert_eq!(observe(server, "application/x-ndjson", &body).status, 200);
                }
            });
        }
    });
    let observed = observe(&server, "application/x-ndjson", &line(7, true).to_string()).json();
    assert_eq!(observed["operations"][0]["agreed"], 101);
}
