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
    let folders = ["men", "women", "kids", "sale", "new"];
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
    let pair = ["men", "women"];
    assert!(merges(&shop(pair, 40), pair));
}
