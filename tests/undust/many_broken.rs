//! Of many models that cannot be loaded the first ten are told, then a count.

use std::fs;

use crate::support::{folder_with, stderr, stdout, undust, write};

const COUNT: usize = 2000;

fn site(number: usize) -> String {
    format!("{number}.test")
}

#[test]
fn the_first_ten_are_told_and_all_are_counted() {
    let folder = folder_with::<&str>(&[]);
    let folder = folder.path();
    for number in 0..COUNT {
        fs::create_dir_all(folder.join("models").join(site(number))).expect("a folder");
        write(folder, &format!("models/{}/model.json", site(number)), "{");
    }
    let urls: Vec<String> = (0..COUNT).map(|number| format!("http://{}/x", site(number))).collect();
    let observation =
        |url: &String| format!("{{\"url\":\"{url}\",\"form\":\"{url}\",\"same\":true}}");
    write(folder, "queue", urls.join("\n"));
    write(folder, "came", urls.iter().map(observation).collect::<Vec<_>>().join("\n"));
    let explain: Vec<&str> =
        ["explain"].into_iter().chain(urls.iter().map(String::as_str)).collect();
    for (arguments, code) in [
        (&["translate", "queue"][..], 1),
        (&["diff", "models", "models", "queue"], 1),
        (&["observe", "came"], 2),
        (&explain, 1),
    ] {
        let ended = undust(folder, arguments[0]).args(&arguments[1..]).output().expect("a run");
        let described = stderr(&ended);
        assert_eq!(ended.status.code(), Some(code), "{described}");
        let name = arguments[0];
        assert_eq!(described.matches("undust: model models/").count(), 10, "{name}: {described}");
        assert_eq!(described.matches("more models cannot be loaded").count(), 1, "{name}");
        let last = described.lines().last().expect("an end");
        assert!(last.contains(&format!("{COUNT} models could not be loaded")), "{name}: {last}");
        assert!(described.lines().count() < 16, "{name}: {described}");
    }
    let table = stdout(&undust(folder, "models").output().expect("a run"));
    assert_eq!(
        table.matches(".test").count(),
        10 * 2,
        "a name, and the file in the error: {table}"
    );
    assert!(table.contains("1990 more cannot be loaded"), "{table}");
    let json =
        stdout(&undust(folder, "models").args(["--format", "json"]).output().expect("a run"));
    let listed: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(listed.len(), COUNT);
}
