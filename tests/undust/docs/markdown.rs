//! What of a Markdown document is tested.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Links, places that links may name, and console blocks.
#[derive(Default)]
pub(super) struct Document {
    pub(super) links: Vec<Link>,
    pub(super) anchors: BTreeSet<String>,
    pub(super) blocks: Vec<Block>,
}

pub(super) struct Link {
    pub(super) line: usize,
    pub(super) target: String,
}

/// A block of code with the language `console`.
pub(super) struct Block {
    pub(super) line: usize,
    pub(super) text: String,
    /// Why it is not run.
    pub(super) reason: Option<String>,
}

impl Document {
    pub(super) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self::parse(&text)
    }

    fn parse(text: &str) -> Self {
        let mut document = Self::default();
        let mut seen = HashMap::new();
        let (mut heading, mut reason, mut in_block) = (None::<String>, None, false);
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = 1 + text[..range.start].matches('\n').count();
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default(), &mut seen);
                    document.anchors.insert(anchor);
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(Link { line, target: dest_url.to_string() });
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                    if &*language == "console" =>
                {
                    in_block = true;
                    let reason = reason.take();
                    document.blocks.push(Block { line, text: String::new(), reason });
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Html(html) => reason = not_run(&html),
                Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
                Event::Text(some) if in_block => {
                    document.blocks.last_mut().expect("a block").text.push_str(&some);
                }
                Event::Text(some) | Event::Code(some) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&some));
                }
                _ => reason = None,
            }
        }
        document
    }
}

/// The reason in a comment that gives one.
fn not_run(html: &str) -> Option<String> {
    let comment = html.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(comment.trim().strip_prefix("not run:")?.trim().to_owned())
}

/// The name that GitHub gives a heading: small letters, digits, hyphens and underscores, a hyphen
/// for each space, and a number for the second heading of the same name.
fn anchor(heading: &str, seen: &mut HashMap<String, usize>) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let name: String = heading.to_lowercase().chars().filter(kept).collect();
    let name = name.trim().replace(' ', "-");
    let times = seen.entry(name.clone()).or_insert(0);
    *times += 1;
    match *times {
        1 => name,
        times => format!("{name}-{}", times - 1),
    }
}

#[test]
fn a_document_is_read_as_it_is_shown() {
    let document = Document::parse(
        "# `a` and B: c, d-e\n\n[to](x.md#y) `[no](link)`\n\n## Twice\n## Twice\n\n\
         <!-- not run: needs the moon -->\n```console\n$ fly\n```\n\nText.\n\n\
         - ```console\n  $ undust\n  ```\n\n```sh\n[no](link)\n```\n",
    );
    assert_eq!(document.anchors, ["a-and-b-c-d-e", "twice", "twice-1"].map(String::from).into());
    let links: Vec<_> = document.links.iter().map(|link| (link.line, &*link.target)).collect();
    assert_eq!(links, [(3, "x.md#y")]);
    let block = |block: &Block| (block.line, block.text.clone(), block.reason.clone());
    let expected = [
        (9, "$ fly\n".to_owned(), Some("needs the moon".to_owned())),
        (15, "$ undust\n".to_owned(), None),
    ];
    assert_eq!(document.blocks.iter().map(block).collect::<Vec<_>>(), expected);
}
