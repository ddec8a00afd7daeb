//! Arguments that mean something to those who are logged in. A crawl that is not logged in sees the same page with them
//! and without, so a model learns to drop them; a redirect that does takes them from members, too.

use undust_url::query::query_span;

/// Words of one kind, in lower case, with white space between them.
struct Kind {
    /// What they are, for people.
    what: &'static str,
    /// Names of arguments.
    names: &'static str,
    /// Values of arguments, and segments of paths.
    values: &'static str,
}

/// All kinds.
const KINDS: [Kind; 4] = [
    Kind {
        what: "leads members to what they have not read",
        names: "first-unread firstunread first_unread unread new newpost getnewpost getnewcomment \
                topicseen boardseen",
        values: "first-unread firstunread first_unread unread newpost getnewpost getnewcomment",
    },
    Kind {
        what: "is what a reply answers",
        names: "replytocom replyto reply_to reply-to in_reply_to reply quote",
        values: "reply quote",
    },
    Kind {
        what: "is of a log-in link, or leads back from it",
        names: "login logout signin returnto returntoquery return_to return_url returnurl \
                redirect_to redirect_url redirect_uri came_from back_url backurl destination next",
        values: "login logout signin",
    },
    Kind {
        what: "is a session of those whose browsers keep no cookies",
        names: "sid phpsessid jsessionid sessionid session_id oscsid zenid",
        values: "",
    },
];

/// Whether a list has a word.
fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// An argument, or a segment of a path, that means something to members.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MemberArgument {
    /// It as it is written: `replytocom`, `view=getnewpost`, `/unread`.
    pub written: String,
    /// What it does for members, as a clause.
    pub what: &'static str,
}

/// What an argument of this name means to members.
pub(crate) fn by_name(name: &str) -> Option<MemberArgument> {
    let written = name.to_ascii_lowercase();
    let kind = KINDS.iter().find(|kind| has(kind.names, &written))?;
    Some(MemberArgument { written, what: kind.what })
}

/// What an argument, `name=value`, means to members.
fn by_argument(argument: &str) -> Option<MemberArgument> {
    let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
    // Simple Machines writes `topic=12.new`.
    let is_new = || value.ends_with(".new").then_some(KINDS[0].what);
    by_name(name).or_else(|| {
        let what = by_value(value).or_else(is_new)?;
        // The rest of such a value is another one in each URL.
        let value = value.rfind(".new").map_or(value, |at| &value[at..]);
        Some(MemberArgument { written: format!("{name}={value}").to_ascii_lowercase(), what })
    })
}

/// What a value, or a segment of a path, means to members.
fn by_value(value: &str) -> Option<&'static str> {
    let value = value.to_ascii_lowercase();
    KINDS.iter().find(|kind| has(kind.values, &value)).map(|kind| kind.what)
}

/// What `before` has that means something to members, and `after`, which a rule makes of it, lacks.
pub(crate) fn taken(before: &str, after: &str) -> Vec<MemberArgument> {
    let (path, query) = parts(before);
    let (path_after, query_after) = parts(after);
    let is_mark = |mark: char| matches!(mark, '&' | ';');
    let arguments = query.split(is_mark).filter_map(|argument| {
        let meant = by_argument(argument)?;
        (!query_after.split(is_mark).any(|other| other == argument)).then_some(meant)
    });
    let segments = path.split('/').filter_map(|segment| {
        let what = by_value(segment)?;
        let is_kept = path_after.split('/').any(|other| other == segment);
        let written = format!("/{}", segment.to_ascii_lowercase());
        (!is_kept).then_some(MemberArgument { written, what })
    });
    arguments.chain(segments).collect()
}

/// A URL up to its query, and its query.
fn parts(url: &str) -> (&str, &str) {
    query_span(url).map_or((url, ""), |(start, end)| (&url[..start - 1], &url[start..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(before: &str, after: &str) -> Vec<String> {
        taken(before, after).into_iter().map(|one| one.written).collect()
    }

    /// Every word of the list, wherever it stands in a query of others.
    #[test]
    fn what_a_rule_takes_from_members_is_seen() {
        for name in KINDS.iter().flat_map(|kind| kind.names.split_ascii_whitespace()) {
            for query in ["NAME=1", "NAME", "NAME=", "a=1&NAME=2", "NAME=2&a=1", "a=1;NAME;b=2"] {
                let query = query.replace("NAME", name);
                let before = format!("http://a.test/t/1?{query}");
                assert_eq!(written(&before, "http://a.test/t/1?a=1&b=2"), [name], "{before}");
                assert!(taken(&before, &before).is_empty(), "{before}");
                assert!(taken(&before, &format!("http://a.test/t-1?z=1&{query}")).is_empty());
            }
        }
        for value in KINDS.iter().flat_map(|kind| kind.values.split_ascii_whitespace()) {
            let argument = format!("view={value}");
            let before = format!("http://a.test/t/1?{argument}&a=1");
            assert_eq!(written(&before, "http://a.test/t/1?a=1"), [argument]);
            assert_eq!(written(&before, "http://a.test/t/1?a=1&view=x").len(), 1);
            let before = format!("http://a.test/t/1/{value}");
            assert_eq!(written(&before, "http://a.test/t/1/"), [format!("/{value}")]);
        }
        let topic = ["http://a.test/?topic=12.new", "http://a.test/?topic=12.0"];
        assert_eq!(written(topic[0], topic[1]), ["topic=.new"]);
    }

    #[test]
    fn other_arguments_are_everybodys() {
        for query in ["sort=new", "renew=1", "q=unread+mail", "utm_source=a", "news=1", "replies=2"]
        {
            let before = format!("http://a.test/unread-mail?{query}");
            assert!(taken(&before, "http://a.test/").is_empty(), "{before}");
        }
    }
}
