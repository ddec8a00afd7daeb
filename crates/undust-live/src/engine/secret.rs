//! The secret of a state: what an author of pages would have to know to foresee what is drawn, or
//! to make hashes of URLs meet.
//!
//! All that depends on it goes through SipHash, a function whose values tell nothing of other
//! values to whoever lacks the key (Aumasson and Bernstein, INDOCRYPT 2012): an author sees which
//! of his URLs were fetched, and learns nothing of which of his next ones will be.

use std::fmt;
use std::hash::Hasher;
use std::io;

use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use siphasher::sip::{SipHasher13, SipHasher24};

use undust_util::error::{Error, Result};

/// The secret of a state. The default one is known to all, so it is for tests of parts.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Secret([u8; 16]);

impl Secret {
    /// One that nobody knows, from the operating system.
    ///
    /// # Errors
    ///
    /// The system has no random numbers to give.
    pub(super) fn drawn() -> Result<Self> {
        let mut key = [0; 16];
        let drawn = SysRng.try_fill_bytes(&mut key).map_err(io::Error::other);
        drawn.map_err(Error::io("read", "the system's random numbers"))?;
        Ok(Self(key))
    }

    /// That of a replay, whose figures are to be the same each time.
    pub(super) fn of_seed(seed: u64) -> Self {
        Self((u128::from(seed) << 64 | u128::from(!seed)).to_le_bytes())
    }

    /// Hashes bytes to the key of a table.
    pub(super) fn hasher(&self) -> SipHasher13 {
        SipHasher13::new_with_key(&self.0)
    }

    /// The hash of a text, as the key of a table.
    pub(super) fn hash(&self, text: &str) -> u64 {
        self.hasher().hash(text.as_bytes())
    }

    /// The hash of a number.
    pub(super) fn hash_number(&self, number: u64) -> u64 {
        self.hasher().hash(&number.to_le_bytes())
    }

    /// A number between 0 and 1 for this purpose, number and text: all of them as if drawn at random.
    pub(super) fn draw(&self, purpose: &str, number: u64, text: &str) -> f64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write(purpose.as_bytes());
        hasher.write_u8(0);
        hasher.write(&number.to_le_bytes());
        hasher.write(text.as_bytes());
        // The bits that a float holds, so that 1 is never drawn.
        (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// It is nobody's business.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:032x}", u128::from_be_bytes(self.0)))
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
        let key = u128::from_str_radix(&text, 16).map_err(serde::de::Error::custom)?;
        Ok(Self(key.to_be_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_kept_and_never_shown() {
        let secret = Secret::drawn().expect("random numbers");
        let json = serde_json::to_string(&secret).expect("JSON");
        assert_eq!(serde_json::from_str::<Secret>(&json).expect("a secret"), secret);
        assert_eq!((json.len(), format!("{secret:?}").as_str()), (34, "Secret"));
        assert_ne!(secret, Secret::drawn().expect("random numbers"));
    }

    /// The values stay: states outlive versions of the program and of its dependencies.
    #[test]
    fn what_is_drawn_depends_on_all_of_it_and_stays() {
        let secret = Secret::of_seed(17);
        let drawn = secret.draw("audit", 1, "http://a.test/");
        let others = [
            secret.draw("probe", 1, "http://a.test/"),
            secret.draw("audit", 2, "http://a.test/"),
            secret.draw("audit", 1, "http://a.test/1"),
            Secret::of_seed(1).draw("audit", 1, "http://a.test/"),
        ];
        assert!(others.iter().all(|other| other.to_bits() != drawn.to_bits()));
        let known = [format!("{drawn:.6}"), format!("{:016x}", secret.hash("http://a.test/"))];
        assert_eq!(known, ["0.873630", "ac642d3e7c4b0c64"]);
    }
}
