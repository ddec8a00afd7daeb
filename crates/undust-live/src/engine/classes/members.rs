//! What the members of a group say of the next one, whatever its class knows.

use crate::engine::spent::AccountKey;

/// Members of a group that showed one page after which it is believed that no other follows, and
/// the members in which the doubt falls to 1/e from then on.
const ENDLESS: f32 = 200.0;
const DOUBT: f32 = 40.0;

/// A skip for a large group that loses a page with a lower probability than this needs no audit.
const SETTLED: f32 = 1e-5;

/// The probability that the next member of a group differs, by its members alone, which all showed
/// one page: twice that of the rule of succession. With a budget of `b` pages, `b (n + 1) / 2` URLs
/// are skipped for `n` that are fetched, so that half of the budget is lost before a fetch shows
/// the other page, however rare that is. A page may be under endless URLs, so doubt ends.
pub(super) fn own_loss(members: u32) -> f32 {
    let members = members as f32;
    2.0 / (members + 1.0) * (-(members - ENDLESS).max(0.0) / DOUBT).exp()
}

/// Whether a skip at this price needs no audit. Each audit of an endless page may bring links to
/// more of its URLs.
pub(in crate::engine) fn is_settled(account: AccountKey, loss: f32) -> bool {
    account.group.is_some() && loss < SETTLED
}
