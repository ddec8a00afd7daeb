//! What `undust evaluate` says of crawls.

use serde_json::Value;

use crate::support::{Figures, json_lines, succeed, undust, write};

/// Of each crawl the figures of each method, as `--json` has them.
pub(super) struct Evaluated(Vec<Value>);

impl Evaluated {
    /// Evaluates methods on crawls with these options and variables. Crawls that cannot be split so are
    /// left out.
    fn with(
        crawls: &[String],
        methods: &[&str],
        options: &[(String, &str)],
        variables: &[(String, &str)],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = write(folder.path(), "train.toml", "");
        let mut evaluate = undust(folder.path(), "evaluate");
        evaluate.args(crawls).envs(variables.iter().cloned());
        evaluate.args(options.iter().flat_map(|(name, value)| [name, *value]));
        evaluate.args(["--methods", &methods.join(","), "--json", "-", "--config"]).arg(config);
        Self(json_lines(&succeed(&mut evaluate).0))
    }

    /// Evaluates methods on crawls by default.
    pub(super) fn of(crawls: &[String], methods: &[&str]) -> Self {
        let evaluated = Self::with(crawls, methods, &[], &[]);
        assert_eq!(evaluated.0.len(), crawls.len());
        evaluated
    }

    /// Evaluates a method with its settings and options behind it, `auto max_lost_share=0.01`, and the
    /// baseline to which savings are compared.
    pub(super) fn of_run(crawls: &[String], run: &str) -> Self {
        let mut parts = run.split(' ');
        let method = parts.next().unwrap_or_default();
        let settings = parts.map(|setting| setting.split_once('=').expect("NAME=VALUE"));
        let (options, settings): (Vec<_>, Vec<_>) =
            settings.partition(|(name, _)| ["split", "hold-out", "seed"].contains(name));
        let option = |(name, value)| (format!("--{name}"), value);
        let variable =
            |(name, value): (&str, _)| (format!("UNDUST_GATE_{}", name.to_uppercase()), value);
        let options: Vec<_> = options.into_iter().map(option).collect();
        let variables: Vec<_> = settings.into_iter().map(variable).collect();
        Self::with(crawls, &["keep-all", method], &options, &variables)
    }

    /// All draws of a part that is held out at random, together.
    pub(super) fn of_draws(crawls: &[String], run: &str, draws: u32) -> Self {
        let draw = |seed| Self::of_run(crawls, &format!("{run} seed={seed}")).0;
        Self((1..=draws).flat_map(draw).collect())
    }

    /// The name of a crawl's file without its endings.
    fn name(crawl: &Value) -> &str {
        let path = crawl["crawl"].as_str().expect("a path");
        let file = path.rsplit('/').next().expect("a name");
        file.strip_suffix(".jsonl.gz").expect("a manifest")
    }

    pub(super) fn crawls(&self) -> Vec<&str> {
        self.0.iter().map(Self::name).collect()
    }

    fn method<'a>(crawl: &'a Value, method: &str) -> &'a Value {
        let methods = crawl["methods"].as_array().expect("methods");
        methods.iter().find(|found| found["name"] == method).expect(method)
    }

    /// One figure of one method, crawl by crawl.
    pub(super) fn figures(&self, method: &str, figure: &str) -> Vec<f64> {
        let of = |crawl| Self::method(crawl, method)[figure].as_f64().expect(figure);
        self.0.iter().map(of).collect()
    }

    pub(super) fn sum(&self, method: &str, figure: &str) -> f64 {
        self.figures(method, figure).iter().sum()
    }

    pub(super) fn mean(&self, method: &str, figure: &str) -> f64 {
        self.sum(method, figure) / self.0.len() as f64
    }

    fn clusters(&self) -> Vec<u64> {
        self.0.iter().map(|crawl| crawl["test_clusters"].as_u64().expect("clusters")).collect()
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
        set("clusters", self.clusters().iter().sum::<u64>().into());
        set("crawls above 1 %", above.into());
    }

    /// Puts what methods gave on each crawl.
    pub(super) fn write_crawls(&self, methods: &[&str], figures: &mut Figures) {
        figures.set("all/redundant".to_owned(), self.sum("keep-all", "redundant") as u64);
        for ((name, crawl), clusters) in self.crawls().iter().zip(&self.0).zip(self.clusters()) {
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
                    set("regret", regret(crawl).into());
                }
            }
        }
    }
}

/// Fetches that the best method of rules saves beyond `auto`, of those that lose no more than it.
fn regret(crawl: &Value) -> u64 {
    let of = |method: &str, figure: &str| {
        Evaluated::method(crawl, method)[figure].as_u64().expect(figure)
    };
    let (most_lost, left) = (of("auto", "lost"), of("auto", "redundant"));
    let others = ["rewrite", "tree", "dustbuster", "duster", "miqps", "slots"].into_iter();
    let as_safe = others.filter(|method| of(method, "lost") <= most_lost);
    as_safe.map(|method| left.saturating_sub(of(method, "redundant"))).max().unwrap_or(0)
}

/// More digits would differ from processor to processor.
fn rounded(figure: f64) -> Value {
    ((figure * 1e6).round() / 1e6).into()
}

fn interval(bounds: &Value) -> Value {
    let bound = |at: usize| bounds[at].as_f64().expect("a bound");
    format!("{:.3}–{:.3}", bound(0), bound(1)).into()
}
