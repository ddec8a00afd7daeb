//! The ways in which archives and logs write a time.

use super::access_log;

/// Whether a text begins in this shape, where `0` stands for any digit, `a` for any letter, and `+` for either sign.
pub(super) fn begins_like(text: &[u8], shape: &[u8]) -> bool {
    let is_like = |(byte, like): (&u8, &u8)| match like {
        b'0' => byte.is_ascii_digit(),
        b'a' => byte.is_ascii_alphabetic(),
        b'+' => matches!(byte, b'+' | b'-'),
        mark => byte == mark,
    };
    text.len() >= shape.len() && text.iter().zip(shape).all(is_like)
}

/// `20140127171200` as RFC 3339, in UTC. Missing digits stand for the beginning of the year, month,
/// day, hour or minute; digits after the 14th are ignored. `None` if the text is not such a time.
pub(super) fn rfc3339(digits: &str) -> Option<String> {
    let is_stamp = (4..=18).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_stamp {
        return None;
    }
    let mut full = digits.get(..digits.len().min(14))?.to_owned();
    full.push_str("00000101000000".get(full.len()..)?);
    let part = |from: usize| full.get(from..from + 2);
    let (year, month, day) = (full.get(..4)?, part(4)?, part(6)?);
    let is_date = ("01"..="12").contains(&month) && ("01"..="31").contains(&day);
    is_date.then_some(())?;
    Some(format!("{year}-{month}-{day}T{}:{}:{}Z", part(8)?, part(10)?, part(12)?))
}

/// A time of a log as RFC 3339: what is so already, a server's `17/May/2015:10:05:03 +0000`, the 14 digits of an
/// archive, or the seconds since 1970 in their own unit, thousandths, millionths or billionths. Any other text stays as
/// it is.
pub(super) fn of_log(text: &str) -> String {
    let text = text.trim();
    let (whole, _) = text.split_once('.').unwrap_or((text, ""));
    let known = match whole.parse::<i64>() {
        Ok(_) if whole.len() == 14 => rfc3339(whole),
        Ok(number) => since_1970(number, whole.len()),
        Err(_) => access_log::time(text.trim_matches(['[', ']']).as_bytes()),
    };
    known.unwrap_or_else(|| text.to_owned())
}

/// The number of digits gives the unit: seconds of our time have ten.
fn since_1970(number: i64, digits: usize) -> Option<String> {
    let in_second = match digits {
        ..=11 => 1,
        12..=14 => 1_000,
        15..=17 => 1_000_000,
        _ => 1_000_000_000,
    };
    let seconds = u64::try_from(number / in_second).ok()?;
    let (year, month, day) = date(seconds / 86_400);
    let of_day = seconds % 86_400;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Year, month and day, this many days after the first of 1970. Years begin in March here, so that the leap day is the
/// last of a year; 400 of them have 146,097 days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps() {
        assert_eq!(rfc3339("20140127171200").as_deref(), Some("2014-01-27T17:12:00Z"));
        assert_eq!(rfc3339("201401271712001234").as_deref(), Some("2014-01-27T17:12:00Z"));
        assert_eq!(rfc3339("2014").as_deref(), Some("2014-01-01T00:00:00Z"));
        for odd in ["", "201", "2014-01-27", "20141327171200", "x0140127171200"] {
            assert_eq!(rfc3339(odd), None, "{odd}");
        }
    }

    #[test]
    fn times_of_logs() {
        for (text, expected) in [
            ("2025-01-22T12:06:14+08:00", "2025-01-22T12:06:14+08:00"),
            ("17/May/2015:10:05:03 +0000", "2015-05-17T10:05:03+00:00"),
            ("[17/May/2015:10:05:03 +0000]", "2015-05-17T10:05:03+00:00"),
            ("1740000000000000000", "2025-02-19T21:20:00Z"),
            ("1740000000000", "2025-02-19T21:20:00Z"),
            ("1740000000.123", "2025-02-19T21:20:00Z"),
            ("951782400", "2000-02-29T00:00:00Z"),
            ("0", "1970-01-01T00:00:00Z"),
            ("20140127171200", "2014-01-27T17:12:00Z"),
            ("yesterday", "yesterday"),
            ("-5", "-5"),
        ] {
            assert_eq!(of_log(text), expected, "{text}");
        }
    }
}
