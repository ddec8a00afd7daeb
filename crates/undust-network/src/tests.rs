//! TODO(doc): tests.

#[cfg(test)]
mod decode;
#[cfg(test)]
mod evaluate;
#[cfg(test)]
mod models;
#[cfg(test)]
mod translator;
