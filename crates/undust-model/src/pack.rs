//! A pack: the models of many sites in one file, read as a folder of models is.
//!
//! ```text
//! header        magic, version, and two slots that say where the index is        192 bytes
//! models        one after another: a directory, then the files it names
//! index         buckets of 4,096 bytes: where the directory of each model is
//! models, index of the next generation, and so on
//! ```
//!
//! Opening reads the header alone. A look-up reads one bucket, which the hash of the site's name decides, and the
//! directory of the model, which holds the name. So start-up and memory do not depend on the number of models. In
//! object storage ([`ReadAt`]) the first bytes of the files come with the directory: a small model takes two ranges.
//!
//! All numbers are little-endian. Each slot, bucket, directory and file has an XXH3 of its own: damage costs the
//! models that it hits. A pack is never changed where a reader may read: a new generation is written behind the old
//! one, and then the older of the two slots says where its index is. A process that ends before leaves the old
//! generation, and those that have it open keep it.
//!
//! Files are stored as they are: serving knows no decompression.
//!
//! A [`Registry`](crate::registry::Registry) reads them, [`PackWriter`] writes them; [`packing`](crate::packing) turns
//! folders into packs and back.

mod directory;
mod health;
mod layout;
mod live;
mod packed_model;
mod read_at;
mod reader;
mod stored;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use self::live::{LivePack, check_writable};
pub(crate) use self::packed_model::PackedModel;
pub use self::read_at::ReadAt;
pub(crate) use self::reader::Pack;
pub(crate) use self::stored::StoredPack;
pub use self::writer::PackWriter;
