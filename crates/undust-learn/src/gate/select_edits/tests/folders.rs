//! Products that stand in two folders of a shop, and products that only share their names.

use undust_model::translation::Rewriter;

use super::*;

/// A shop that shows so many products in two folders. In its others, products of one name are different.
fn shop(pair: [&str; 2], shared: usize) -> Editor {
    let in_folder = |folder: &str, n| url(&format!("shop/{folder}/item-#"), n);
    let mut groups: Vec<Vec<String>> =
        (100..100 + shared).map(|n| pair.map(|folder| in_folder(folder, n)).into()).collect();
    for (place, folder) in pair.into_iter().enumerate() {
        let own = 200 + 100 * place;
        groups.extend((own..own + 60).map(|n| vec![in_folder(folder, n)]));
    }
    for folder in ["garden", "office", "kitchen"] {
        groups.extend((400..440).map(|n| vec![in_folder(folder, n)]));
    }
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    learn(&set, &Proposers::ALL, &Config::default(), &()).expect("a model")
}

/// Whether the products of a name that the crawl does not have get one form.
fn merges(editor: &Editor, folders: [&str; 2]) -> bool {
    let [one, other] = folders.map(|folder| {
        editor.rewritten(&format!("http://a.test/shop/{folder}/item-777")).into_owned()
    });
    one == other
}

/// Of many pairs of folders, some agree in a few products by chance.
#[test]
fn a_few_products_in_two_folders_do_not_make_them_one() {
    let folders = ["men", "women", "kids", "sale", "new", "1.0"];
    for (place, folder) in folders.into_iter().enumerate() {
        for other in &folders[place + 1..] {
            for shared in 3..10 {
                let pair = [folder, *other];
                let editor = shop(pair, shared);
                assert!(!merges(&editor, pair), "{pair:?} {shared}: {:?}", accepted(&editor));
            }
        }
    }
}

#[test]
fn many_do() {
    for pair in [["men", "women"], ["1.0", "latest"]] {
        assert!(merges(&shop(pair, 40), pair));
    }
}

/// The last page of a few topics is the second; of others it is not.
#[test]
fn the_last_page_of_a_few_topics_is_none_in_particular() {
    let page = |n: usize, of: &str| format!("http://a.test/topic/{n}x/{of}");
    let of_two = |n: usize| [vec![page(n, "1")], vec![page(n, "2"), page(n, "last")]];
    let last_is_second = |topics: std::ops::Range<usize>| {
        let others = (300..360).map(|n| vec![page(n, "1")]);
        let groups: Vec<_> = topics.flat_map(of_two).chain(others).collect();
        let (pages, clusters) = crawl(&groups);
        let set = TrainingSet::new(&pages, &clusters);
        let editor = learn(&set, &Proposers::ALL, &Config::default(), &()).expect("a model");
        editor.rewritten(&page(777, "2")) == editor.rewritten(&page(777, "last"))
    };
    assert!(!last_is_second(100..110));
    assert!(last_is_second(100..150));
}
