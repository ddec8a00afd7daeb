//! What is kept of the crawl that edits were learned from, in addition to the edits: it changes no
//! answer, and explains them.

use xxhash_rust::xxh3::xxh3_64;

use undust_url::lexicon::{Lexicon, Symbol};

use super::pattern::exact;
use super::refused::RefusedEdit;

/// The shapes of the crawl, and what the gate refused.
#[derive(Debug, Clone, Default)]
pub struct GateRecord {
    /// The [hash](shape_hash) of every shape of the crawl, ascending.
    shapes: Vec<u64>,
    /// What the gate refused, the most widely proposed first.
    pub refused: Vec<RefusedEdit>,
}

impl GateRecord {
    /// A record of the shapes with these hashes.
    pub fn of(shapes: impl Iterator<Item = u64>) -> Self {
        let mut shapes: Vec<u64> = shapes.collect();
        shapes.sort_unstable();
        shapes.dedup();
        Self { shapes, refused: Vec::new() }
    }

    /// The hashes of the shapes, ascending.
    pub fn shapes(&self) -> &[u64] {
        &self.shapes
    }

    /// Whether the crawl had this shape; none if the model does not record shapes.
    pub fn has(&self, shape: &[Symbol], lexicon: &Lexicon) -> Option<bool> {
        let is_listed = || self.shapes.binary_search(&shape_hash(shape, lexicon)).is_ok();
        (!self.shapes.is_empty()).then(is_listed)
    }
}

/// A shape as a number: the XXH3 of its spelling. Models store such numbers.
pub fn shape_hash(shape: &[Symbol], lexicon: &Lexicon) -> u64 {
    xxh3_64(exact(shape, lexicon).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved models hold such numbers, which must mean the same as long as they are read.
    #[test]
    fn shapes_have_the_hashes_that_they_had() {
        let lexicon = serde_json::json!({"words": ["a.test", "http", "story"], "names": ["story"]});
        let lexicon: Lexicon = serde_json::from_value(lexicon).expect("a lexicon");
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        for (url, hash) in [
            ("", 0x2d06_8005_38d3_94c2),
            ("http://a.test/story/1234?story=story&x=Y#", 0x4199_74d5_5799_15d6),
            ("http://a.test/", 0x073c_6767_50e5_0cfa),
        ] {
            lexicon.read(url, &mut shape, &mut texts);
            assert_eq!(shape_hash(&shape, &lexicon), hash, "{url}");
        }
        lexicon.read("http://a.test/story?story", &mut shape, &mut texts);
        assert_eq!(exact(&shape, &lexicon), "{http}://{a.test}/{story}?{?story}");
    }
}
