//! The pointer network of a site, from its training set to its weights.

pub(crate) mod batch;
pub(crate) mod examples;
pub(crate) mod network;
pub(crate) mod train;
