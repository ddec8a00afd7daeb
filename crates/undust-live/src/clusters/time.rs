//! Capture times.

/// Seconds since 1970 of a time as RFC 3339 writes it, fractions dropped; none for any other text.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to).filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?;
        digits.parse().ok()
    };
    let marks = [(4, "-"), (7, "-"), (13, ":"), (16, ":")];
    if marks.iter().any(|&(at, mark)| text.get(at..at + 1) != Some(mark)) {
        return None;
    }
    if !matches!(text.get(10..11)?, "T" | "t" | " ") {
        return None;
    }
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = text.get(19..)?;
    let zone = match zone.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => zone,
    };
    Some(days * 86_400 + hour * 3600 + minute * 60 + second - offset(zone)?)
}

/// Seconds that a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match zone.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let two = |part: &str| -> Option<i64> {
        let is_number = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| part.parse().ok()).flatten()
    };
    Some(sign * (two(hours)? * 3600 + two(minutes)? * 60))
}

/// Days since 1970 of a date of the Gregorian calendar; years begin in March, so that the day that
/// not every year has is the last one.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leap_days + day_of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_seconds() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-02T00:00:01Z", 86_401),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T12:30:15Z", 951_827_415),
            ("2000-02-29T13:30:15.987+01:00", 951_827_415),
            ("2000-02-29 07:00:15-05:30", 951_827_415),
            ("2026-11-21T23:05:37z", 1_795_302_337),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        let none = ["", "2000", "2000-02-29", "2000-02-29T12:30:15", "2000-13-29T12:30:15Z"];
        let odd = ["2000-02-29T12:30:15+1:00", "2000-02-29T25:30:15Z", "20000-2-29T12:30:15Z"];
        for text in none.iter().chain(&odd) {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_time_or_none(text in ".{0,30}") {
            seconds(&text);
        }
    }
}
