//! What is wrong with a saved edit, and where.

use std::fmt;

/// What makes no sense in a file: where, why, and what to do.
#[derive(Debug)]
pub(crate) struct Wrong {
    path: String,
    reason: String,
}

impl Wrong {
    /// In a field of this name.
    pub(super) fn within(self, name: &str) -> Self {
        let mark = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{name}{mark}{}", self.path), ..self }
    }

    /// In the entry of this number of a list.
    pub(super) fn at(self, place: usize) -> Self {
        self.within(&format!("[{place}]"))
    }
}

impl From<String> for Wrong {
    fn from(reason: String) -> Self {
        Self { path: String::new(), reason }
    }
}

impl From<&str> for Wrong {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.path {
            "" => f.write_str(&self.reason),
            path => write!(f, "{path}: {}", self.reason),
        }
    }
}

/// The entries of a list called `name`, each read.
pub(super) fn each<S, T>(
    name: &str,
    entries: Vec<S>,
    mut read: impl FnMut(S) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let read = |(place, entry)| read(entry).map_err(|wrong| wrong.at(place).within(name));
    entries.into_iter().enumerate().map(read).collect()
}

/// What is wrong with a field is wrong there.
pub(super) fn in_field<T>(field: &str, result: Result<T, Wrong>) -> Result<T, Wrong> {
    result.map_err(|wrong| wrong.within(field))
}
