//! Why a state, the store of clusters that live with the crawl, cannot be used.

pub(crate) use undust_util::error::{Error, Reason, Result, Subject};

/// Why a state cannot be opened, made or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateReason {
    /// A file is where the folder of a state should be.
    #[error("is a file; a folder is expected")]
    NotAFolder,
    /// It would be a folder whose name is the address, with its secret.
    #[error("is an address; a state is a folder of this machine")]
    Elsewhere,
    /// The folder has no state, and none is to be made.
    #[error("holds no clusters yet; give it a crawl first")]
    NoClusters,
    /// The file is something else.
    #[error("is not a state of undust, and stays as it is; name another folder")]
    NotAState,
    /// A link is where a file of the state should be.
    #[error(
        "is a link, which is not followed; name the folder that has the files of the state themselves"
    )]
    Link,
    /// A finished part of the journal and the lines that it was made of do not agree.
    #[error(
        "has other lines than live.jsonl, and both stay as they are; move the one that is not of this state away"
    )]
    OtherPart,
    /// The tables have another format.
    #[error("was made by another version of undust; make it again from its crawls")]
    OtherVersion,
    /// Another process has the state open. It can be opened later.
    #[error(
        "is in use by another process; nothing was changed; try again when that process has ended"
    )]
    InUse,
    /// No number is left for a new URL.
    #[error("is full: it has 4 billion URLs")]
    Full,
    /// A row does not read as what its table holds.
    #[error("is damaged: a row of it cannot be read; make it again from its crawls")]
    DamagedRow,
    /// A count would become negative.
    #[error("is damaged: a count is wrong; make it again from its crawls")]
    WrongCount,
    /// The database finds its own file damaged.
    #[error("is damaged ({detail}); make it again from its crawls")]
    Damaged {
        /// What the database says.
        detail: String,
    },
    /// A file of the journal is not as it was written, or of another place in it.
    #[error(
        "is damaged ({detail}); restore all files of the state from one copy, or name another folder"
    )]
    DamagedJournal {
        /// What is wrong with it.
        detail: String,
    },
    /// The journal is gone, and something that was made of it is there.
    #[error(
        "was made of live.jsonl, which is missing; restore all files of the state from one copy, or name another \
         folder"
    )]
    NoJournal,
    /// What was made of the journal has lines that are not in it.
    #[error(
        "was made of lines that live.jsonl does not have; restore all files of the state from one copy, or move \
         this one away to go on without those lines"
    )]
    OtherLines,
    /// The clusters have responses that are not in the journal.
    #[error(
        "has lines that live.jsonl does not have; restore all files of the state from one copy, or move this one \
         away to have it made again from the journal"
    )]
    OtherJournal,
    /// The database is damaged, and the journal of a crawl has what was in it.
    #[error("is damaged ({detail}); move it away to have it made again from the journal")]
    DamagedClusters {
        /// What is wrong with it.
        detail: String,
    },
    /// The file does not begin as the database writes it.
    #[error("is damaged, or not a state of undust")]
    DamagedOrForeign,
    /// The database fails in a way that has no variant here.
    #[error("{detail}")]
    Database {
        /// What the database says.
        detail: String,
    },
    /// The state was made with another number of bits.
    #[error(
        "was made with fingerprints that differ in at most {bits} bits; use the same options, or \
         make a new state"
    )]
    OtherBits {
        /// Bits in which fingerprints of near-duplicates may differ, in the state.
        bits: u32,
    },
    /// The state was made with another rule for titles.
    #[error(
        "was made with {} under different titles; use the same options, or make a new state",
        if *title { "no duplicates" } else { "duplicates" }
    )]
    OtherTitles {
        /// Whether near-duplicates have the same title, in the state.
        title: bool,
    },
    /// The state was made with another order of canonical URLs.
    #[error(
        "was made with the order of canonical URLs {order} {countries:?}; use the same options, \
         or make a new state"
    )]
    OtherOrder {
        /// The criteria of the state, as a list.
        order: String,
        /// The countries of the state.
        countries: Vec<String>,
    },
}

impl StateReason {
    /// What is damaged of the clusters, if that is why.
    pub(crate) fn damage(&self) -> Option<String> {
        match self {
            Self::DamagedRow => Some("a row of it cannot be read".to_owned()),
            Self::WrongCount => Some("a count is wrong".to_owned()),
            Self::DamagedOrForeign => {
                Some("it does not begin as the database writes it".to_owned())
            }
            Self::Damaged { detail } => Some(detail.clone()),
            _ => None,
        }
    }
}

impl Reason for StateReason {
    const SUBJECT: Subject = Subject::State;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_said_in_words() {
        let sentence = "was made with no duplicates under different titles; use the same options, \
                        or make a new state";
        assert_eq!(StateReason::OtherTitles { title: true }.to_string(), sentence);
    }
}
