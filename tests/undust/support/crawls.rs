//! Made-up crawls, and settings with which a network learns them at once.

/// A network that learns little, and that in milliseconds.
pub const SETTINGS: &str = "
[seq2seq]
embedding = 8
hidden = 16
batch = 8
max_steps = 60
check_every = 20
[site]
min_pages = 20
";

/// A network that learns the made-up sites to the last URL, in a second or two.
pub const LEARNS: &str = "
[seq2seq]
embedding = 16
hidden = 32
batch = 16
max_steps = 300
held_out = 0.0
learning_rate = 0.02
[site]
min_pages = 20
";

/// A line of a manifest: a page whose title and digest are one word.
pub fn line(url: &str, page: &str) -> String {
    format!("{{\"url\":\"{url}\",\"status\":200,\"title\":\"{page}\",\"digest\":\"{page}\"}}\n")
}

/// A manifest of `users` pages, each under two URLs.
pub fn crawl(host: &str, users: usize) -> String {
    let pages = |user: usize| {
        let (url, page) = (format!("http://{host}/users/{user}x"), user.to_string());
        line(&format!("{url}/name{user}"), &page) + &line(&url, &page)
    };
    (0..users).map(pages).collect()
}

/// Items, each with a link of a newsletter; lists of open tickets, each its own; and lists of
/// closed ones, which are empty while there are none.
pub fn shop(has_closed: bool) -> String {
    let page = |path: String, page: &str| line(&format!("http://s.test/{path}"), page);
    let of = |n: usize| {
        let closed = if has_closed { format!("closed {n}") } else { "nothing found".to_owned() };
        page(format!("item/{n}"), &format!("item {n}"))
            + &page(format!("item/{n}?ref=mail"), &format!("item {n}"))
            + &page(format!("list?part={n}&status=open"), &format!("open {n}"))
            + &page(format!("list?part={n}&status=closed"), &closed)
    };
    (100..140).map(of).collect()
}

/// A line of an access log in the common format.
pub fn access_log(path: &str, size: usize) -> String {
    format!("1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET {path} HTTP/1.1\" 200 {size}\n")
}
