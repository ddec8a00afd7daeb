//! What `undust evaluate` says of crawls.

use serde_json::Value;

use crate::support::{Figures, json_lines, succeed, undust, write};

/// Of each crawl the figures of each method, as `--json` has them.
pub(super) struct Evaluated {
    crawls: Vec<&'static str>,
    found: Vec<Value>,
}

impl Evaluated {
    /// Evaluates methods on crawls with the default settings and these variables.
    pub(super) fn of(
        crawls: &[(&'static str, String)],
        methods: &[&str],
        variables: &[(String, String)],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = write(folder.path(), "train.toml", "");
        let mut evaluate = undust(folder.path(), "evaluate");
        evaluate.args(crawls.iter().map(|(_, path)| path)).envs(variables.iter().cloned());
        evaluate.args(["--methods", &methods.join(","), "--json", "-", "--config"]).arg(config);
        let found = json_lines(&succeed(&mut evaluate).0);
        assert_eq!(found.len(), crawls.len());
        Self { crawls: crawls.iter().map(|(name, _)| *name).collect(), found }
    }

    /// The same of a method with its settings behind it: `auto max_lost_share=0.01`. With the baseline,
    /// to which savings are compared.
    pub(super) fn of_run(crawls: &[(&'static str, String)], run: &str) -> Self {
        let mut parts = run.split(' ');
        let method = parts.next().unwrap_or_default();
        let variable = |setting: &str| {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            let section = if name == "seed" { "" } else { "GATE_" };
            (format!("UNDUST_{section}{}", name.to_uppercase()), value.to_owned())
        };
        Self::of(crawls, &["keep-all", method], &parts.map(variable).collect::<Vec<_>>())
    }

    pub(super) fn crawls(&self) -> &[&'static str] {
        &self.crawls
    }

    fn method<'a>(crawl: &'a Value, method: &str) -> &'a Value {
        let methods = crawl["methods"].as_array().expect("methods");
        methods.iter().find(|found| found["name"] == method).expect(method)
    }

    /// One figure of one method, crawl by crawl.
    pub(super) fn figures(&self, method: &str, figure: &str) -> Vec<f64> {
        let of = |crawl| Self::method(crawl, method)[figure].as_f64().expect(figure);
        self.found.iter().map(of).collect()
    }

    pub(super) fn sum(&self, method: &str, figure: &str) -> f64 {
        self.figures(method, figure).iter().sum()
    }

    pub(super) fn mean(&self, method: &str, figure: &str) -> f64 {
        self.sum(method, figure) / self.found.len() as f64
    }

    fn clusters(&self) -> Vec<u64> {
        self.found.iter().map(|crawl| crawl["test_clusters"].as_u64().expect("clusters")).collect()
    }

    /// Puts what a run gave on all crawls together.
    pub(super) fn write(&self, method: &str, run: &str, figures: &mut Figures) {
        let redundant = self.sum("keep-all", "redundant");
        let lost = self.figures(method, "lost");
        let is_above = |(lost, clusters): &(&f64, u64)| **lost > 0.01 * *clusters as f64;
        let above = lost.iter().zip(self.clusters()).filter(is_above).count();
        let mut set =
            |figure: &str, value: Value| figures.set(format!("all/{run}/{figure}"), value);
        set("f1", rounded(self.mean(method, "f1")));
        set("saved", ((redundant - self.sum(method, "redundant")) as i64).into());
        set("lost", (self.sum(method, "lost") as u64).into());
        set("crawls above 1 %", above.into());
    }

    /// Puts what methods gave on each crawl.
    pub(super) fn write_crawls(&self, methods: &[&str], figures: &mut Figures) {
        figures.set("all/redundant".to_owned(), self.sum("keep-all", "redundant") as u64);
        figures.set("all/clusters".to_owned(), self.clusters().iter().sum::<u64>());
        for ((name, crawl), clusters) in self.crawls.iter().zip(&self.found).zip(self.clusters()) {
            figures.set(format!("{name}/clusters"), clusters);
            for method in methods {
                let found = Self::method(crawl, method);
                let mut set = |figure: &str, value: Value| {
                    figures.set(format!("{name}/{method}/{figure}"), value)
                };
                set("f1", rounded(found["f1"].as_f64().expect("F1")));
                set("lost", found["lost"].clone());
                if *method == "auto" {
                    set("interval", interval(&found["intervals"]["f1"]));
                }
            }
        }
    }
}

/// More digits would differ from processor to processor.
fn rounded(figure: f64) -> Value {
    ((figure * 1e6).round() / 1e6).into()
}

fn interval(bounds: &Value) -> Value {
    let bound = |at: usize| bounds[at].as_f64().expect("a bound");
    format!("{:.3}–{:.3}", bound(0), bound(1)).into()
}
