use undust_pages::agent::ROBOT_NAMES;

use super::Row;

/// An `acl` for the URLs, one for robots, and a table that counts the requests of robots.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let mut text = "# Into the frontend:\n".to_owned();
    let url = if with_host { "var(txn.undust_url)" } else { "pathq" };
    if with_host {
        text += "http-request set-var-fmt(txn.undust_url) %[req.hdr(host),lower]%[pathq]\n";
    }
    for Row { comment, policy, .. } in rows {
        text += &format!("# {comment}\nacl undust_shape {url} -m reg '{}'\n", policy.regex);
    }
    text + &format!("acl undust_robot req.hdr(user-agent) -m reg -i '{ROBOT_NAMES}'\n{END}")
}

const END: &str = "\
# Ten requests a minute by all robots together are let through; choose what the site can bear.
http-request track-sc2 int(1) table undust_shapes if undust_shape undust_robot
http-request deny deny_status 429 if undust_shape undust_robot { sc2_http_req_rate(undust_shapes) gt 10 }

# Beside the frontend:
backend undust_shapes
    stick-table type integer size 10 expire 2m store http_req_rate(1m)
";
