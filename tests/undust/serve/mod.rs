//! `undust serve` as a whole program, asked over real sockets.

mod answers;
mod clients;
mod description;
mod explore;
mod hostile;
mod live;
mod models;
mod server;
mod strangers;
