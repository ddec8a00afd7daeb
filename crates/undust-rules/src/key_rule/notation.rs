//! The notation of key rules for people, after Koppula et al. (WSDM 2010, section 3).

use std::fmt;

use undust_url::keys::Key;

use super::{Context, KeyRule, Test, Value};

/// `k(2,-)=x.com, k_sid=*, 3 segments → k_sid=⊥`.
impl fmt::Display for KeyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let change = |(key, values): (&Key, &Vec<Value>)| {
            let joint = if matches!(key, Key::Start(_) | Key::End(_)) { "/" } else { "·" };
            let written: Vec<String> = values.iter().map(ToString::to_string).collect();
            let nothing = if values.is_empty() { "⊥" } else { "" };
            format!("{key} := {}{nothing}", written.join(joint))
        };
        let changes: Vec<String> = self.transformation.iter().map(change).collect();
        write!(f, "{} → {}", self.context, changes.join(", "))
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.keys.iter().map(|(key, test)| format!("{key}{test}"));
        let segments = self.segments.map(|segments| format!("{segments} segments"));
        let others = self.arguments.iter().flatten().filter(|key| !self.keys.contains_key(key));
        let others = others.map(|key| format!("{key}=*"));
        let no_other = self.arguments.as_ref().map(|_| "no other argument".to_owned());
        let all: Vec<String> = keys.chain(segments).chain(others).chain(no_other).collect();
        match &*all.join(", ") {
            "" => f.write_str("any URL"),
            all => f.write_str(all),
        }
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
