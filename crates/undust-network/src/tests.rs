//! Networks that burn trains, and what serving makes of them: saved, loaded, decoded, judged.

mod decode;
mod evaluate;
mod models;
mod translator;
