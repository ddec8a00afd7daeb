//! The notation of key rules for people, after Koppula et al. (WSDM 2010, section 3).

use std::fmt;

use undust_url::keys::Key;

use super::{Context, KeyRule, Test, Value};

/// `k(2,-)=x.com, k_sid=*, 3 segments → k_sid=⊥`.
impl fmt::Display for KeyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → ", self.context)?;
        for (at, (key, values)) in self.transformation.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{key} := ")?;
            let joint = if matches!(key, Key::Start(_) | Key::End(_)) { "/" } else { "·" };
            for (at, value) in values.iter().enumerate() {
                write!(f, "{}{value}", if at == 0 { "" } else { joint })?;
            }
            f.write_str(if values.is_empty() { "⊥" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (key, test) in &self.keys {
            write!(f, "{separator}{key}{test}")?;
            separator = ", ";
        }
        if let Some(segments) = self.segments {
            write!(f, "{separator}{segments} segments")?;
            separator = ", ";
        }
        let others = self.arguments.iter().flatten().filter(|key| !self.keys.contains_key(key));
        for key in others {
            write!(f, "{separator}{key}=*")?;
            separator = ", ";
        }
        if self.arguments.is_some() {
            write!(f, "{separator}no other argument")?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("any URL") } else { Ok(()) }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(text) => write!(f, "={text:?}"),
            Self::Any => f.write_str("=*"),
            Self::Like(pattern) => write!(f, "~{pattern}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => write!(f, "{text:?}"),
            Self::Copy(key) => key.fmt(f),
            Self::Converted(conversion, key) => write!(f, "{conversion:?}({key})"),
        }
    }
}
