//! The learners, and the gate. Tests of more than five seconds are ignored unless they are asked for:
//! `cargo test --release --lib -- --ignored`.

use undust_testing::crawl;
use undust_util::op_counter;
use undust_util::op_counter::assert_linear;

use crate::config::Config;
use crate::method::{Method, Training};
use crate::training::TrainingSet;

/// Learns by a method from groups of URLs that show one page each.
fn learn(method: &str, groups: &[Vec<String>]) {
    let (pages, clusters) = crawl(groups);
    let mut config = Config::default();
    // Each likely rule is compared with as many as that: below it, costs may grow with the square.
    config.dustbuster.window = 50;
    // Its training takes a bounded number of long steps.
    let method: Method = method.parse().expect("a method");
    method.learn(&TrainingSet::new(&pages, &clusters), &Training::new(&config)).expect("a model");
}

fn number(n: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
}

/// Random segments of random depth, made of `words` words, each page under two URLs.
fn segments(words: u64, count: usize) -> Vec<Vec<String>> {
    let url = |n: usize| {
        let hash = number(n);
        let depth = 1 + hash % 8;
        let segments =
            (0..depth).map(|at| format!("/{:x}", number(n + (at as usize) * 7919) % words));
        format!("http://a.test{}", segments.collect::<String>())
    };
    (0..count / 2).map(|n| vec![url(2 * n), url(2 * n + 1)]).collect()
}

fn random_segments(count: usize) -> Vec<Vec<String>> {
    segments(4096, count)
}

/// Folders and their index files: in every other folder the two are other pages, so that
/// each folder needs a rule of its own.
fn folders(count: usize) -> Vec<Vec<String>> {
    let urls = |folder: usize, above: &str| {
        let place = format!("http://a.test/{above}/d{folder}/");
        let index = format!("{place}index.html");
        if folder.is_multiple_of(2) {
            vec![vec![place, index]]
        } else {
            vec![vec![place], vec![index]]
        }
    };
    let above = ["a", "b", "c", "d"];
    (0..count / 8)
        .flat_map(|folder| above.iter().flat_map(move |above| urls(folder, above)))
        .collect()
}

/// One page under all URLs.
fn one_cluster(count: usize) -> Vec<Vec<String>> {
    vec![(0..count).map(|n| format!("http://a.test/{}?s={:x}", n % 7, number(n))).collect()]
}

/// Pages of many shapes, each of few URLs. A session does not matter to half of them.
fn shapes(count: usize) -> Vec<Vec<String>> {
    let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let group = |n: usize| {
        let shape = number(n / 12);
        let path: String =
            (0..5).map(|at| format!("/{}", words[(shape >> (8 * at)) as usize % 12])).collect();
        let url = |session: usize| format!("http://a.test{path}/{n}?s={:x}", number(n + session));
        if shape >> 60 < 6 { vec![vec![url(1), url(2)]] } else { vec![vec![url(1)], vec![url(2)]] }
    };
    (0..count / 2).flat_map(group).collect()
}

/// An argument of its own for each URL.
fn arguments(count: usize) -> Vec<Vec<String>> {
    let urls =
        |n: usize| vec![format!("http://a.test/p?x={n}"), format!("http://a.test/p?x={n}&a{n}=1")];
    (0..count / 2).map(urls).collect()
}

/// Ten arguments of random names and values, three URLs a page. Each name is one of few enough for an edit
/// of it to be tested.
fn random_arguments(count: usize) -> Vec<Vec<String>> {
    let url = |n: usize| {
        let argument = |at: usize| {
            let hash = number(n * 10 + at);
            format!("k{}={}", hash % 200, (hash >> 32) % 9)
        };
        format!("http://a.test/p?{}", (0..10).map(argument).collect::<Vec<_>>().join("&"))
    };
    (0..count / 3).map(|n| (0..3).map(|at| url(3 * n + at)).collect()).collect()
}

/// Each text is that of four pages in four folders, to which URLs of any name lead: every URL meets
/// the rules of all texts.
fn crossed(count: usize) -> Vec<Vec<String>> {
    let page = |n: usize| {
        let place = |text: String| format!("http://a.test/{}/{text}", ["a", "b", "c", "d"][n % 4]);
        let names = (0..7).map(|at| place(format!("{:x}", number(8 * n + at))));
        names.chain([place(format!("t{}", n / 4))]).collect()
    };
    (0..count / 8).map(page).collect()
}

/// Topics of one page and of several, each under a name of its own that says which, and a post: every
/// name could be one whose values name a page.
fn names(count: usize) -> Vec<Vec<String>> {
    let topic = |n: usize| {
        let name = format!("n{}", n % (count / 40).max(1));
        let url = |post: usize| format!("http://a.test/view?{name}={n}&p={post}");
        let urls = [format!("http://a.test/view?{name}={n}"), url(1), url(2), url(3)];
        match n % 2 {
            0 => vec![urls.to_vec()],
            _ => urls.into_iter().map(|url| vec![url]).collect(),
        }
    };
    (0..count / 4).flat_map(topic).collect()
}

/// Up to six of twelve words, in any order, of a page of six URLs. `url` writes them for a page.
fn few_words(count: usize, url: impl Fn(usize, &[String]) -> String) -> Vec<Vec<String>> {
    let words = |seed: usize| {
        let mut words: Vec<usize> = (0..12).collect();
        words.sort_by_key(|word| number(seed * 12 + word));
        words.truncate(number(seed) as usize % 7);
        words.into_iter().map(|word| format!("w{word}")).collect::<Vec<_>>()
    };
    (0..count / 6).map(|n| (0..6).map(|at| url(n, &words(6 * n + at))).collect()).collect()
}

fn few_arguments(words: &[String]) -> String {
    words.iter().map(|word| format!("{word}={word}")).collect::<Vec<_>>().join("&")
}

fn arguments_of_few_words(count: usize) -> Vec<Vec<String>> {
    few_words(count, |n, words| format!("http://a.test/{n}?{}", few_arguments(words)))
}

fn arguments_before_a_number(count: usize) -> Vec<Vec<String>> {
    few_words(count, |n, words| format!("http://a.test/p?{}&id={n}", few_arguments(words)))
}

fn sorted_arguments(count: usize) -> Vec<Vec<String>> {
    few_words(count, |n, words| {
        let mut words = words.to_vec();
        words.sort_unstable();
        format!("http://a.test/{n}?{}", few_arguments(&words))
    })
}

fn names_of_few_words(count: usize) -> Vec<Vec<String>> {
    few_words(count, |n, words| format!("http://a.test/{n}?{}", words.join("&")))
}

fn paths_of_few_words(count: usize) -> Vec<Vec<String>> {
    few_words(count, |n, words| format!("http://a.test/{n}/{}", words.join("/")))
}

/// Up to seven parameters of twelve names and four values, six URLs a page.
fn parameters_in_the_path(count: usize) -> Vec<Vec<String>> {
    let url = |n: usize, seed: usize| {
        let parameter = |at: usize| {
            let hash = number(seed * 8 + at);
            format!(";p{}={}", hash % 12, (hash >> 32) % 4)
        };
        let parameters: String = (0..number(seed) as usize % 8).map(parameter).collect();
        format!("http://a.test/x{n}{parameters}")
    };
    (0..count / 6).map(|n| (0..6).map(|at| url(n, 6 * n + at)).collect()).collect()
}

/// One segment of up to twenty numbers with dots between them, four URLs a page.
fn many_pieces(count: usize) -> Vec<Vec<String>> {
    let url = |n: usize, seed: usize| {
        let piece = |at: usize| format!("{}.", number(seed * 20 + at) % 50);
        let pieces: String = (0..=number(seed) as usize % 20).map(piece).collect();
        format!("http://a.test/{pieces}-{n}.html")
    };
    (0..count / 4).map(|n| (0..4).map(|at| url(n, 4 * n + at)).collect()).collect()
}

/// Up to thirty segments of two words, ten URLs a page.
fn two_words(count: usize) -> Vec<Vec<String>> {
    let url = |n: usize, seed: usize| {
        let word = |at: usize| if number(seed * 30 + at) % 5 < 3 { "a" } else { "b" };
        let words: Vec<&str> = (0..number(seed) as usize % 30).map(word).collect();
        format!("http://a.test/{n}/{}", words.join("/"))
    };
    (0..count / 10).map(|n| (0..10).map(|at| url(n, 10 * n + at)).collect()).collect()
}

/// Pages that are named in four ways, two of them by one of sixty names of arguments: every rule is for
/// every URL. With more names it takes more URLs until a URL meets as many rules as it pays for.
fn aliases(count: usize) -> Vec<Vec<String>> {
    let page = |n: usize| {
        let name = n % 60;
        let ways = ["v?id#=", "v/", "v?x#=", "v/#/"];
        let url = |way: &str| format!("http://a.test/{}{n}", way.replace('#', &name.to_string()));
        ways.map(url).to_vec()
    };
    (0..count / 4).map(page).collect()
}

/// A generator of groups of a number of URLs.
type Shape = (&'static str, fn(usize) -> Vec<Vec<String>>);

const SHAPES: [Shape; 6] = [
    ("random segments", random_segments),
    ("folders", folders),
    ("one cluster", one_cluster),
    ("shapes", shapes),
    ("arguments", arguments),
    ("crossed", crossed),
];

/// The same words in many orders and subsets: every two URLs of a page suggest a rule, which applies to
/// many URLs of other pages, where nothing is known of its images.
const FEW_WORDS: [Shape; 5] = [
    ("arguments of few words", arguments_of_few_words),
    ("arguments before a number", arguments_before_a_number),
    ("sorted arguments", sorted_arguments),
    ("names of few words", names_of_few_words),
    ("paths of few words", paths_of_few_words),
];

/// What a method finds hard in these, and from how many URLs on.
const MANY_PIECES: [(&str, Shape, usize); 5] = [
    ("dustbuster", ("parameters in the path", parameters_in_the_path), 6000),
    ("dustbuster", ("two words", two_words), 6000),
    ("tree", ("many pieces", many_pieces), 3000),
    ("rewrite", ("two words", two_words), 6000),
    // Of fewer the gate accepts nothing, for want of evidence: the first edit that it tests at length takes
    // six times the steps of all before.
    ("slots", ("many pieces", many_pieces), 12_000),
];

fn costs_on_every_shape(method: &str, small: usize) {
    for (name, shape) in SHAPES {
        assert_linear(small, &format!("{method}, {name}"), |count| learn(method, &shape(count)));
    }
}

#[test]
fn rewrite() {
    costs_on_every_shape("rewrite", 1000);
}

/// A URL pays for a bounded number of rules (`learners::measure`). Until it meets as many, its work
/// grows with them: soon with few words, late with many.
#[test]
fn tree() {
    costs_on_every_shape("tree", 1000);
    for (words, count) in [(64, 1000), (256, 1000), (512, 1000), (4096, 2000), (65_536, 4000)] {
        let name = format!("tree, {words} words");
        assert_linear(count, &name, |count| learn("tree", &segments(words, count)));
    }
}

/// Candidates that share all words, and differ in optional parts.
#[test]
fn duster() {
    costs_on_every_shape("duster", 1000);
    assert_linear(6000, "duster, aliases", |count| learn("duster", &aliases(count)));
}

#[test]
fn dustbuster() {
    costs_on_every_shape("dustbuster", 2000);
}

/// A URL pays for a bounded number of trials (`learners::dustbuster::trials`).
#[test]
#[ignore = "takes long"]
fn dustbuster_on_few_words() {
    for (name, shape) in FEW_WORDS {
        assert_linear(5000, &format!("dustbuster, {name}"), |count| {
            learn("dustbuster", &shape(count));
        });
    }
}

/// Their URLs are long, and alike.
#[test]
#[ignore = "takes long"]
fn learners_on_many_pieces() {
    for (method, (name, shape), count) in MANY_PIECES {
        assert_linear(count, &format!("{method}, {name}"), |count| learn(method, &shape(count)));
    }
}

#[test]
fn slots_and_edits_through_the_gate() {
    costs_on_every_shape("slots", 1000);
}

/// What the learners propose, tested.
#[test]
#[ignore = "takes long"]
fn every_rule_learner_through_the_gate() {
    costs_on_every_shape("auto", 1000);
}

/// Every pair of URLs of a page suggests edits, and each edit changes most URLs: a URL pays for a bounded
/// number of them (`gate::budget`).
#[test]
#[ignore = "takes long"]
fn edits_on_few_words() {
    for (words, count) in [(16, 1000), (64, 1000), (256, 2000)] {
        let name = format!("auto, {words} words");
        assert_linear(count, &name, |count| learn("auto", &segments(words, count)));
    }
}

/// Hardly two URLs have one shape.
#[test]
#[ignore = "takes long"]
fn arguments_of_random_names() {
    assert_linear(300, "slots, random arguments", |count| {
        learn("slots", &random_arguments(count));
    });
}

/// One edit holds for hundreds of names, each apart from the others: it is accepted as often.
#[test]
fn an_edit_that_is_accepted_in_hundreds_of_scopes() {
    for method in ["slots", "auto"] {
        assert_linear(4000, &format!("{method}, names"), |count| learn(method, &names(count)));
    }
}

/// All URLs of a cluster lead to one: there are no pairs of each with each. This is what both networks
/// are trained on.
#[test]
fn pairs_of_a_cluster() {
    costs_on_groups("pairs", |set| op_counter::count(set.pairs().count()));
}

/// Does something with growing sets of URLs of every shape.
fn costs_on_groups(name: &str, each: impl Fn(&TrainingSet<'_>) + Sync) {
    for (shape, groups) in SHAPES {
        assert_linear(1000, &format!("{name}, {shape}"), |count| {
            let (pages, clusters) = crawl(&groups(count));
            each(&TrainingSet::new(&pages, &clusters));
        });
    }
}
