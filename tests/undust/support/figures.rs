//! `docs/figures.json`: what was measured of methods on crawls, for the tests that hold undust to it
//! and for the documents that state it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;

use super::repository;

/// Figures by `CRAWL/METHOD/FIGURE`, where the crawl `all` stands for the mean or the sum of all.
/// A method with settings has them behind its name: `auto max_lost_share=0.01`.
pub struct Figures(BTreeMap<String, Value>);

impl Figures {
    pub fn read() -> Self {
        let text = fs::read_to_string(path()).expect("docs/figures.json can be read");
        Self(serde_json::from_str(&text).expect("docs/figures.json is a map"))
    }

    pub fn of(figures: &[(&str, Value)]) -> Self {
        Self(figures.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    pub fn write(&self) {
        let text = serde_json::to_string_pretty(&self.0).expect("JSON");
        fs::write(path(), text + "\n").expect("docs/figures.json can be written");
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub fn number(&self, name: &str) -> f64 {
        let value = self.get(name).and_then(Value::as_f64);
        value.unwrap_or_else(|| panic!("docs/figures.json has no number {name}"))
    }

    pub fn set(&mut self, name: String, value: impl Into<Value>) {
        self.0.insert(name, value.into());
    }
}

/// Whether what is measured or printed now is to be written, as snapshots do it.
pub fn accepts_anew() -> bool {
    env::var("INSTA_UPDATE").is_ok_and(|value| value == "always")
}

fn path() -> PathBuf {
    repository().join("docs/figures.json")
}
