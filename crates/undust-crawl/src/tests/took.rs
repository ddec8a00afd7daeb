//! How long a server took, as each log says it.

use super::read_with;
use crate::options::ReadOptions;

const AGENT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";

/// Each log says the time in a unit and under a name of its own.
#[test]
fn how_long_an_answer_took() {
    let json = |fields: &str| {
        format!(
            r#"{{"host":"a.test","method":"GET","path":"/x","status":200,"remote_addr":"1.2.3.4",{fields}}}"#
        )
    };
    let combined = |rest: &str| {
        format!(
            "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 9 \"-\" \"{AGENT}\"{rest}"
        )
    };
    let w3c = |took: &str| {
        format!(
            "#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip sc-status time-taken\n\
             2026-01-02 03:04:05 GET /x - 1.2.3.4 200 {took}"
        )
    };
    let storage = format!(
        "79a59 bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57427F3 REST.GET.OBJECT x \"GET /x HTTP/1.1\" 200 - 113 - 7 - \
         \"-\" \"{AGENT}\" - s9lzHYrFp76Z= SigV4 ECDHE AuthHeader a.test - - -"
    );
    let haproxy = "Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 \
         10/0/30/69/+109 200 2750 - - ---- 1/1/1/1/0 0/0 \"GET /x HTTP/1.1\"";
    let balancer = format!(
        "https 2018-07-02T22:23:00.186641Z app/x/50dc 10.0.0.9:2817 - 0.001 0.050 -1 200 200 34 366 \
         \"GET https://a.test:443/x HTTP/2.0\" \"{AGENT}\" - - arn:aws:x"
    );
    let options = ReadOptions { host: Some("a.test".into()), ..ReadOptions::default() };
    for (log, took) in [
        (combined(" 0.012"), Some(12_000)),
        (combined(" 4711"), Some(4711)),
        (combined(""), None),
        (json(r#""request_time":"0.012""#), Some(12_000)),
        (json(r#""duration":12000000,"OriginDuration":11000000"#), Some(11_000)),
        (json(r#""logger":"http.log.access.log0","duration":0.012"#), Some(12_000)),
        // Milliseconds, or anything else.
        (json(r#""duration":12.5"#), None),
        (json(r#""OriginResponseDurationMs":12"#), Some(12_000)),
        (w3c("31"), Some(31_000)),
        (w3c("0.031"), Some(31_000)),
        (storage, Some(7_000)),
        (haproxy.to_owned(), Some(109_000)),
        (balancer, Some(51_000)),
    ] {
        let (responses, report) =
            read_with(format!("{log}\n").as_bytes(), &options).expect("a log");
        assert_eq!(responses.len(), 1, "{log}: {report}");
        assert_eq!(responses[0].took, took, "{log}");
    }
}
