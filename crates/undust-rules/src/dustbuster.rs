//! DustBuster's rules (Bar-Yossef, Keidar, Schonfeld, WWW 2007): a URL comes in, and goes out with one text
//! replaced by another ([`text_substitution`]), a parameter left out or set ([`parameter`]), until no
//! [`substitution`] applies (`canonize`). [`tokens`] cuts URLs where these texts may begin and end.

pub(crate) mod canonize;
pub mod parameter;
pub mod substitution;
pub mod text_substitution;
pub mod tokens;
