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
//! directory of the model, which holds the name. So start-up and memory do not depend on the number of models, and a
//! reader of object storage needs three ranges for a look-up and one for each file.
//!
//! All numbers are little-endian. Each slot, bucket, directory and file has an XXH3 of its own: damage costs the
//! models that it hits. A pack is never changed where a reader may read: a new generation is written behind the old
//! one, and then the older of the two slots says where its index is. A process that ends before leaves the old
//! generation, and those that have it open keep it.
//!
//! Files are stored as they are: serving knows no decompression.
//!
//! [`Pack`] and [`PackedModel`] read, [`PackWriter`] writes; [`pack()`] and [`unpack`] turn folders into packs and back.

mod directory;
mod layout;
mod live;
mod packing;
mod read_at;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use self::live::{LivePack, check_writable};
pub use self::packing::{Packing, pack, unpack};
pub use self::reader::{Pack, PackedModel};
pub use self::writer::PackWriter;
