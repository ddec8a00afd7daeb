//! A redirect for Varnish, one regex an edit, each over what the one before it left.
//!
//! Varnish could also look pages up under the changed address (`vcl_hash`), and keep the address of the request. Then
//! a visitor could get the page that was fetched for somebody else, with the session of that address in its links. A
//! redirect gives nobody another's page, and neither changes what reaches the backend.

use std::fmt::Write;

use undust_pages::agent::ROBOT_NAMES;

use super::{Hosts, NO_RULE, identifier, limit, status_note};
use crate::comments::Comments;
use crate::format::Effect;
use crate::regexes::{Chain, LONGEST_ADDRESS, Line, written};

/// The header that holds the address while it is changed. It never leaves Varnish.
const HEADER: &str = "req.http.undust-url";
/// The status by which `vcl_synth` knows the redirect. HTTP has none above 599.
const STATUS: u16 = 751;

/// How to read what would be redirected.
const LOG: &str = "Nothing is redirected. What would be, from and to, is in Varnish's log:\n\
    #     varnishncsa -q 'VCL_Log:undust' -F '%t %s %{VCL_Log:undust}x'";

/// The subroutines of a site.
pub(crate) fn text(site: &str, chain: &Chain, comments: &Comments, effect: Effect) -> String {
    let name = identifier(site);
    let mut text = format!("# URLs of {site} that show one page, as undust learned them.\n");
    let Some(hosts) = Hosts::of_chain(chain) else {
        return text + NO_RULE;
    };
    text += "# Include this file behind `vcl 4.1;`, before your own vcl_recv and vcl_synth.\n";
    let note = match effect {
        Effect::Logs => LOG.to_owned(),
        _ => status_note(effect, "write 301 and \"Moved Permanently\" in vcl_synth below"),
    };
    let _ = writeln!(text, "# {note}\n# {}\n", limit());
    text += if effect == Effect::Logs { "import std;\n\n" } else { "" };
    let _ = writeln!(text, "sub undust_{name} {{\n    set {HEADER} = req.url;");
    for rule in &chain.rules {
        text += &comments.behind("    # ", rule.number);
        for (place, line) in rule.lines.iter().enumerate() {
            let word = if place == 0 { "    if" } else { " elseif" };
            let (asks, change) = (asks(line, &hosts), change(line));
            let _ = write!(text, "{word} ({asks}) {{\n        {change}\n    }}");
        }
        text += "\n";
    }
    let moves = match effect {
        Effect::Logs => format!("std.log(\"undust:\" + req.url + \" \" + {HEADER});"),
        _ => format!("return (synth({STATUS}));"),
    };
    let is_robot = match effect {
        Effect::RedirectsRobots => {
            format!("\n        && req.http.User-Agent ~ \"(?i){ROBOT_NAMES}\"")
        }
        _ => String::new(),
    };
    let _ = write!(
        text,
        "    if ({HEADER} != req.url && {HEADER} ~ \"^/(?![/\\x5C])\") {{\n        {moves}\n    }}\n    unset {HEADER};\n}}\n\n\
         sub vcl_recv {{\n    unset {HEADER};\n    if (req.restarts == 0 && req.esi_level == 0 && (req.method == \"GET\" || req.method == \"HEAD\")\n        \
         && req.url ~ \"^.{{1,{LONGEST_ADDRESS}}}$\" && req.http.host ~ \"(?i)^(?:{})$\"{is_robot}) {{\n        call undust_{name};\n    }}\n}}\n",
        hosts.regex()
    );
    if effect == Effect::Logs {
        return text;
    }
    let _ = write!(
        text,
        "\nsub vcl_synth {{\n    if (resp.status == {STATUS} && {HEADER}) {{\n        set resp.status = 302;\n        \
         set resp.reason = \"Found\";\n        set resp.http.Location = {HEADER};\n        return (deliver);\n    }}\n}}\n"
    );
    text
}

/// What a regex asks of a request: of the host only where it holds on some hosts of the site.
fn asks(line: &Line, all: &Hosts) -> String {
    let own = Hosts::of_line(line);
    let host = match own == *all {
        true => String::new(),
        false => format!("req.http.host ~ \"(?i)^(?:{})$\" && ", own.regex()),
    };
    format!("{host}{HEADER} ~ \"^{}\"", line.regex)
}

fn change(line: &Line) -> String {
    let to = written(&line.written, |group| format!("\\{group}"));
    format!("set {HEADER} = regsub({HEADER}, \"^{}\", \"{to}\");", line.regex)
}
