//! Rules for Apache's mod_rewrite: a variable holds the address, each edit changes it, and the last rule redirects.
//!
//! The address is taken from the line of the request. What `RewriteRule` matches is decoded, and slashes in it are
//! merged. A new address is put together in a condition: the flag that sets a variable would be cut at a comma. The
//! redirect writes the `?` itself: Apache refuses one that comes out of a group (403).

use std::fmt::Write;

use undust_pages::agent::ROBOT_NAMES;

use super::{Hosts, NO_RULE, limit, status_note};
use crate::comments::Comments;
use crate::format::Effect;
use crate::regexes::{Chain, Line, Written};

/// Whether the address that came out is another than was asked for, and stays on the site.
const MOVES: &str = "RewriteCond \"%{ENV:undust}\" \"^/(?![/\\x5C])\"\n\
    RewriteCond \"%{THE_REQUEST} %{ENV:undust}\" \"!^\\S+ (\\S+) \\S+ \\1$\"\n";

/// How to log what would be redirected. Rules of a folder send the request round again, with the variables renamed.
const LOG: &str = "# Nothing is redirected. Write into the <VirtualHost>, too, for a log of what would be, from and to:\n\
    #     CustomLog ${APACHE_LOG_DIR}/undust.log \"%t %>s \\\"%r\\\" \\\"%<{undust}e\\\" \\\"%{User-Agent}i\\\"\" \
    \"expr=-n reqenv('undust_moves') || -n reqenv('REDIRECT_undust_moves')\"\n";

/// The rules of a site.
pub(crate) fn text(site: &str, chain: &Chain, comments: &Comments, effect: Effect) -> String {
    let mut text = format!("# URLs of {site} that show one page, as undust learned them.\n");
    let Some(hosts) = Hosts::of_chain(chain) else {
        return text + NO_RULE;
    };
    text += "# Include this file in the <VirtualHost> of the site, outside of <Directory>.\n";
    text += &match effect {
        Effect::Logs => LOG.to_owned(),
        _ => format!("# {}\n", status_note(effect, "write R=301 in the two last rules")),
    };
    let _ = writeln!(text, "# {}", limit());
    text += "RewriteEngine On\n\n# The address as it was sent; nothing else is redirected than GET and HEAD.\n";
    text += "RewriteRule ^ - [E=!undust]\n";
    let _ = writeln!(text, "RewriteCond \"%{{HTTP_HOST}}\" \"^(?:{})$\" [NC]", hosts.regex());
    if effect == Effect::RedirectsRobots {
        let _ = writeln!(text, "RewriteCond \"%{{HTTP_USER_AGENT}}\" \"{ROBOT_NAMES}\" [NC]");
    }
    text += "RewriteCond \"%{THE_REQUEST}\" \"^(?:GET|HEAD) (/\\S*) HTTP/\"\n";
    text += "RewriteRule ^ - [E=undust:%1]\n\n";
    for rule in &chain.rules {
        text += &comments.behind("# ", rule.number);
        for (line, left) in rule.lines.iter().zip((0..rule.lines.len()).rev()) {
            let own = Hosts::of_line(line);
            if own != hosts {
                let regex = own.regex();
                let _ = writeln!(text, "RewriteCond \"%{{HTTP_HOST}}\" \"^(?:{regex})$\" [NC]");
            }
            // The first of an edit's regexes that matches is applied.
            let skip = if left == 0 { String::new() } else { format!(",S={left}") };
            let _ = write!(
                text,
                "RewriteCond \"%{{ENV:undust}}\" \"^{}\"\nRewriteCond \"{}\" \"^(.*)$\"\nRewriteRule ^ - [E=undust:%1{skip}]\n",
                line.regex,
                put_together(line)
            );
        }
    }
    if effect == Effect::Logs {
        let _ = writeln!(text, "\n{MOVES}RewriteRule ^ - [E=undust_moves:1]");
        return text;
    }
    for (address, target) in
        [(r"^([^?]*)\?(.*)$", "%1?%2 [R=302,L,NE]"), (r"^([^?]*)$", "%1 [R=302,L,NE,QSD]")]
    {
        let _ = writeln!(
            text,
            "\n{MOVES}RewriteCond \"%{{ENV:undust}}\" \"{address}\"\nRewriteRule ^ {target}"
        );
    }
    text
}

/// What is written, where `%` and `$` have a meaning.
fn put_together(line: &Line) -> String {
    let part = |part: &Written| match part {
        Written::Group(number) => format!("%{number}"),
        Written::Text(text) => text.replace('%', "\\%").replace('$', "\\$"),
    };
    line.written.iter().map(part).collect()
}
