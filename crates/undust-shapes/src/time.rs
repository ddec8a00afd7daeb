//! Times of requests as seconds.

/// Seconds from 1970 to a time of RFC 3339, fractions cut off; without a zone it is UTC. None if the text is no such
/// time.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let part = |from, to| number(bytes, from, to);
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let in_day = part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?;
    Some(days(year, month, day) * 86_400 + in_day - zone(text.get(19..)?))
}

fn number(bytes: &[u8], from: usize, to: usize) -> Option<i64> {
    let digits = bytes.get(from..to)?;
    let all = digits.iter().all(u8::is_ascii_digit);
    all.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

/// Seconds by which a zone, `+02:00` at the end of a time, is before UTC; 0 for `Z` and what is no zone.
fn zone(end: &str) -> i64 {
    let Some(at) = end.find(['+', '-']) else { return 0 };
    let zone = &end.as_bytes()[at..];
    let (hours, minutes) = (number(zone, 1, 3), number(zone, 4, 6));
    let offset = hours.unwrap_or(0) * 3600 + minutes.unwrap_or(0) * 60;
    if zone[0] == b'-' { -offset } else { offset }
}

/// Days from 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin with March have the leap day at their end.
    let year = if month > 2 { year } else { year - 1 };
    let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year
        - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2000-02-29T12:00:00.5Z"), Some(951_825_600));
        assert_eq!(seconds("2015-05-17T10:05:03+00:00"), Some(1_431_857_103));
        assert_eq!(seconds("2015-05-17T10:05:03+02:00"), Some(1_431_857_103 - 7200));
        assert_eq!(seconds("2015-05-17T10:05:03-0130"), Some(1_431_857_103 + 3600));
        for odd in ["", "2015", "2015-13-01T00:00:00Z", "17/May/2015:10:05:03 +0000", "é015-05-17"]
        {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }
}
