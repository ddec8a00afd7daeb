//! What the members of a group say of the next one, whatever its class knows.

use crate::engine::spent::AccountKey;

/// Members of a group that showed one page after which it is believed that no other follows, and
/// the members in which the doubt falls to 1/e from then on. A calendar may have hundreds of empty
/// days before one that is not.
const COUNTED: (f32, f32) = (200.0, 40.0);

/// The same where what its URLs differ in looks drawn at random, such as a session: nobody names pages that way of which
/// most are one.
const DRAWN: (f32, f32) = (25.0, 4.0);

/// A skip for a large group that loses a page with a lower probability than this needs no audit.
const SETTLED: f32 = 1e-5;

/// The probability that the next member of a group differs, by its members alone, which all showed
/// one page: twice that of the rule of succession. With a budget of `b` pages, `b (n + 1) / 2` URLs
/// are skipped for `n` that are fetched, so that half of the budget is lost before a fetch shows
/// the other page, however rare that is. A page may be under endless URLs, so doubt ends.
pub(super) fn own_loss(members: u32, is_drawn: bool) -> f32 {
    let members = members as f32;
    let (endless, doubt) = if is_drawn { DRAWN } else { COUNTED };
    2.0 / (members + 1.0) * (-(members - endless).max(0.0) / doubt).exp()
}

/// Whether a skip at this price needs no audit. Each audit of an endless page may bring links to
/// more of its URLs.
pub(in crate::engine) fn is_settled(account: AccountKey, loss: f32) -> bool {
    account.group.is_some() && loss < SETTLED
}
