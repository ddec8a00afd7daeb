//! How long a server took to answer, as its log says. Logs differ in the unit.

use super::access_log::raw_quoted;
use super::fields::{Field, Unit};
use super::item::Item;
use super::lines::words;

/// Units in the order in which they are looked for: the likeliest to be the time of the server is first.
const UNITS: [Unit; 5] =
    [Unit::Seconds, Unit::Milliseconds, Unit::Nanoseconds, Unit::SecondsIfBroken, Unit::OfCaddy];
/// What Caddy calls the log of requests.
const CADDY: &str = "http.log.access";

/// Microseconds that a record says; none if it has no such field, or no number there.
pub(super) fn of_item(item: &mut Item) -> Option<u64> {
    let is_of_caddy = item.peek(Field::Logger).is_some_and(|logger| logger.starts_with(CADDY));
    UNITS.into_iter().find_map(|unit| {
        let text = item.said(Field::Took(unit))?;
        match unit {
            Unit::OfCaddy if !is_of_caddy => None,
            unit => microseconds(&text, unit),
        }
    })
}

/// Microseconds that the rest of a line in the common or combined format says, from the referrer on:
/// `rt=0.012` or `0.012`, as nginx writes `$request_time`; `12ms`, as Traefik does; or one whole number, Apache's `%D`.
pub(super) fn of_line(rest: &[u8]) -> Option<u64> {
    let (_, rest) = raw_quoted(rest)?;
    let (_, rest) = raw_quoted(rest)?;
    let words = words(rest).filter_map(|word| std::str::from_utf8(word).ok());
    let bare: Vec<&str> = words.filter(|word| !word.starts_with('"')).collect();
    let of_nginx = bare.iter().find_map(|word| {
        let named = word.strip_prefix("rt=").or_else(|| word.strip_prefix("request_time="));
        let (whole, thousandths) = named.unwrap_or(word).split_once('.')?;
        let is_time = are_digits(whole) && thousandths.len() == 3 && are_digits(thousandths);
        is_time.then_some(named.unwrap_or(word))
    });
    if let Some(seconds) = of_nginx {
        return microseconds(seconds, Unit::Seconds);
    }
    match (bare.last()?.strip_suffix("ms"), bare.as_slice()) {
        (Some(milliseconds), _) => microseconds(milliseconds, Unit::Milliseconds),
        (None, [one]) if are_digits(one) => one.parse().ok(),
        _ => None,
    }
}

/// Whether a text is a number without a sign.
pub(super) fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number in microseconds; none if it is negative, as where nobody answered. Google writes `0.1s`.
pub(super) fn microseconds(text: &str, unit: Unit) -> Option<u64> {
    let text = text.trim();
    let per_unit = match unit {
        Unit::SecondsIfBroken if !text.contains('.') => 1e3,
        Unit::Seconds | Unit::SecondsIfBroken | Unit::OfCaddy => 1e6,
        Unit::Milliseconds => 1e3,
        Unit::Nanoseconds => 1e-3,
    };
    let number: f64 = text.strip_suffix('s').unwrap_or(text).parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number * per_unit).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_it_behind_the_agent() {
        let of =
            |rest: &str| of_line(format!("\"-\" \"Mozilla/5.0 (x; \\\" 9.999)\"{rest}").as_bytes());
        for (rest, expected) in [
            ("", None),
            (" 0.012", Some(12_000)),
            (" \"1.2.3.4\" 1.250 1.249 .", Some(1_250_000)),
            (" rt=0.003 uct=\"0.000\" urt=\"0.003\"", Some(3_000)),
            (" host=a.test request_time=0.003", Some(3_000)),
            (" 7 \"router\" \"http://10.0.0.1:80\" 12ms", Some(12_000)),
            (" 4711", Some(4711)),
            // Apache's %I and %O, and words of one's own.
            (" 512 4711", None),
            (" 1.2.3.4", None),
            (" word", None),
            (" 99999999999999999999999", None),
        ] {
            assert_eq!(of(rest), expected, "{rest}");
        }
        assert_eq!(of_line(b""), None);
    }

    #[test]
    fn units() {
        for (text, unit, expected) in [
            ("0.5", Unit::Seconds, Some(500_000)),
            ("0.25s", Unit::Seconds, Some(250_000)),
            ("[02/Jan/2026:03:04:05 +0000]", Unit::Seconds, None),
            ("-1", Unit::Seconds, None),
            ("NaN", Unit::Seconds, None),
            ("31", Unit::SecondsIfBroken, Some(31_000)),
            ("0.031", Unit::SecondsIfBroken, Some(31_000)),
            ("1500", Unit::Nanoseconds, Some(2)),
            ("1.5e-05", Unit::OfCaddy, Some(15)),
        ] {
            assert_eq!(microseconds(text, unit), expected, "{text} {unit:?}");
        }
    }
}
