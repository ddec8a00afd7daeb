//! The 14 digits by which archives write a time.

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
}
