//! undust as its users meet it: the program run as a process, and the library's public interface.
//!
//! All modules are one program, so that one link serves them all. `support` is what they share.
//! What needs a process of its own is in `tests/counted.rs`.

mod cases;
mod cluster;
mod corpus;
mod crashes;
#[cfg(feature = "network")]
mod devices;
mod docs;
mod drift;
mod evaluate;
mod explain;
mod explore;
mod export;
mod figures;
mod formats;
mod habits;
mod help;
mod hostile;
mod ingest;
mod inputs;
mod kill;
mod label_check;
mod labels;
mod live;
mod live_input;
mod live_pipe;
mod live_state;
mod many_broken;
mod memory;
mod mistakes;
mod mistyped;
mod pack;
mod pipe;
mod replacing;
mod report;
mod rules;
mod same_server;
#[cfg(feature = "serve")]
mod serve;
mod shapes;
mod show;
#[cfg(unix)]
mod standard;
mod support;
mod tables;
#[path = "../targets/mod.rs"]
mod targets;
mod terminal;
mod train;
mod translate;
mod validate;
