//! Digests of pages in one notation.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use sha1::{Digest, Sha1};

/// A digest from an archive or a crawler. SHA-1 occurs in base 32 or hex, with or without its name;
/// the result is always hex. Digests of other kinds stay as they are. `None` for `-`.
pub(super) fn normal(claimed: &str) -> Option<String> {
    let claimed = claimed.trim();
    let (is_sha1, value) = match claimed.split_once(':') {
        Some((name, value)) if name.eq_ignore_ascii_case("sha1") => (true, value),
        _ => (false, claimed),
    };
    let is_hex = value.len() == 40 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex {
        return Some(value.to_ascii_lowercase());
    }
    let bytes = if is_sha1 || value.len() == 32 { base32(value) } else { None };
    match bytes.filter(|bytes| is_sha1 || bytes.len() == 20 && !value.contains(char::is_lowercase))
    {
        Some(bytes) => Some(HEXLOWER.encode(&bytes)),
        None if is_sha1 => None,
        None => Some(claimed.to_owned()).filter(|claimed| !matches!(claimed.as_str(), "" | "-")),
    }
}

/// RFC 4648 base 32, with padding or without.
fn base32(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').to_ascii_uppercase();
    BASE32_NOPAD.decode(letters.as_bytes()).ok()
}

/// SHA-1 of a body, in hex.
pub(super) fn sha1(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha1::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_to_write_it() {
        let hex = Some("d8828a8bf1463b14dd23cd15797145c37b9a52ed".to_owned());
        for same in [
            "sha1:3CBIVC7RIY5RJXJDZUKXS4KFYN5ZUUXN",
            "3CBIVC7RIY5RJXJDZUKXS4KFYN5ZUUXN",
            "SHA1:D8828A8BF1463B14DD23CD15797145C37B9A52ED",
            " d8828a8bf1463b14dd23cd15797145c37b9a52ed",
        ] {
            assert_eq!(normal(same), hex, "{same}");
        }
        // MD5 in hex has 32 letters, too.
        let md5 = "d41d8cd98f00b204e9800998ecf8427e";
        assert_eq!(normal(md5).as_deref(), Some(md5));
        assert_eq!(normal("sha256:ABC").as_deref(), Some("sha256:ABC"));
        assert_eq!((normal("-"), normal(""), normal("sha1:!")), (None, None, None));
        assert_eq!(normal("sha1:ABC"), None, "three letters are no whole number of bytes");
    }
}
