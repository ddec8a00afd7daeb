use undust_pages::agent::ROBOT_NAMES;

use super::Row;

/// A `map` of URLs, one of robots, and a limit for each of robots and all others.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let key = if with_host { "\"$host$request_uri\"" } else { "$request_uri" };
    let mut map = String::new();
    for Row { number, comment, policy } in rows {
        map += &format!("    # {comment}\n    \"~{}\" {number};\n", policy.regex);
    }
    format!(
        "# This part belongs into http {{ }}.\n\
         map {key} $undust_shape {{\n    default \"\";\n{map}}}\n\
         map $http_user_agent $undust_robot {{\n    default \"\";\n    ~*{ROBOT_NAMES} robot;\n}}\n\
         map $undust_robot$undust_shape $undust_robots_shape {{\n    default \"\";\n    ~^robot[0-9] $undust_shape;\n}}\n\
         map $undust_robot$undust_shape $undust_others_shape {{\n    default \"\";\n    ~^[0-9] $undust_shape;\n}}\n\
         {END}"
    )
}

const END: &str = "\
# Robots share one limit for each pattern, and all others one of their own, so that robots cannot use up what people
# need. Choose what the site can bear.
limit_req_zone $undust_robots_shape zone=undust_robots:1m rate=10r/m;
limit_req_zone $undust_others_shape zone=undust_others:1m rate=60r/m;

# Into server { }:
#   limit_req zone=undust_robots burst=5 nodelay; limit_req zone=undust_others burst=20 nodelay; limit_req_status 429;

# Or this instead, which limits nobody and answers robots 410:
#   if ($undust_robots_shape) { return 410; }
";
