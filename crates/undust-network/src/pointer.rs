//! The pointer network of a site, or of many, from its training set to its weights.

pub(crate) mod alignment;
pub(crate) mod batch;
pub(crate) mod examples;
pub(crate) mod network;
pub(crate) mod phrases;
pub(crate) mod samples;
pub(crate) mod train;
