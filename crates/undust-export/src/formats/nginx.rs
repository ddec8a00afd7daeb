//! Maps for nginx, one a rule, each over what the one before it left, and a redirect, or a log of what would be one.
//!
//! The maps read `$request_uri`, which is what the client sent; `$uri` and `$args` are decoded and merged. Maps are
//! used because `set` encodes `&` once the address holds escapes.
//!
//! nginx evaluates a variable through at most 100 others, and takes what lies deeper for empty. A value once found is
//! kept for the request, so the last map reads some maps on the way before the last one.

use std::fmt::Write;

use undust_pages::agent::ROBOT_NAMES;

use super::{Hosts, NO_RULE, identifier, limit, status_note};
use crate::comments::Comments;
use crate::format::Effect;
use crate::regexes::{Chain, LONGEST_ADDRESS, written};

/// Maps that nginx goes through at once, below its limit of 100.
const DEEPEST: usize = 64;

/// The maps of a site, and the line for its server in comments.
pub(crate) fn text(site: &str, chain: &Chain, comments: &Comments, effect: Effect) -> String {
    let name = identifier(site);
    // The line that is pasted into the server keeps its names, however many rules the next export has.
    let last = format!("$undust_{name}_to");
    let variable = |place: usize| match place {
        place if place == chain.rules.len() => last.clone(),
        place => format!("$undust_{name}_{place}"),
    };
    let mut text = format!("# URLs of {site} that show one page, as undust learned them.\n");
    let hosts = Hosts::of_chain(chain);
    // The line that was pasted into the server needs its variables also where no rule is left.
    text += if hosts.is_some() { "" } else { NO_RULE };
    let hosts = hosts.map_or_else(String::new, |hosts| hosts.regex());
    text += "# These maps belong to the http block. In the server of the site:\n";
    text += &match effect {
        Effect::Logs => format!(
            "#     access_log /var/log/nginx/undust.log undust_{name} if=$undust_{name}_moves;\n\
             # Nothing is redirected; the log has what would be, from and to. A server with an access_log of its own no\n\
             # longer has those of the http block: repeat them there.\n\
             log_format undust_{name} '$time_iso8601 $status \"$request_uri\" \"{last}\" \"$http_user_agent\"';\n"
        ),
        _ => format!(
            "#     if ($undust_{name}_moves) {{ return 302 {last}; }}\n# {}\n",
            status_note(effect, "write 301 in that line")
        ),
    };
    let (agent, is_robot) = match effect {
        Effect::RedirectsRobots => (" $http_user_agent", format!(" .*(?i:{ROBOT_NAMES})")),
        _ => ("", "$".to_owned()),
    };
    let _ = write!(
        text,
        "# {}\n\n# The address as it was sent; nothing else is redirected than GET and HEAD.\n\
         map \"$request_method $http_host $request_uri{agent}\" {} {{\n    default \"\";\n    \
         \"~^(?:GET|HEAD) (?i:{hosts}) (/\\S{{0,{}}}){is_robot}\" $1;\n}}\n",
        limit(),
        variable(0),
        LONGEST_ADDRESS - 1
    );
    let mut before = variable(0);
    for (place, rule) in (1..).zip(&chain.rules) {
        text += &comments.behind("# ", rule.number);
        let _ = writeln!(text, "map {before} {} {{\n    default {before};", variable(place));
        for line in &rule.lines {
            let to = written(&line.written, |group| format!("${group}"));
            let _ = writeln!(text, "    \"~^{}\" \"{to}\";", line.regex);
        }
        text += "}\n";
        before = variable(place);
    }
    let on_the_way: String = (DEEPEST..chain.rules.len())
        .step_by(DEEPEST)
        .map(|place| format!("$undust_{name}_{place} "))
        .collect();
    let skipped = "\\S* ".repeat(on_the_way.matches(' ').count());
    let _ = writeln!(
        text,
        "\nmap \"{on_the_way}$request_uri {last}\" $undust_{name}_moves {{\n    default 0;\n    \
         \"~^{skipped}(\\S+) (?!\\1$)/(?![/\\x5C])\" 1;\n}}"
    );
    text
}
