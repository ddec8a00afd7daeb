//! What is reported of the edits that were refused.

use super::*;

#[test]
fn what_loses_pages_in_a_narrower_scope_is_told_of_that_too() {
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(other("list/#.html", "page=2", 100..120));
    groups.extend(other("topic/#", "page=2", 100..130));
    let refused = refused(&gated(&groups, &Config::default()));
    for described in [
        "drop ?page anywhere of 50: 50/50/50 0.9738, too many pages would be lost",
        "drop ?page on pages with the same ending and the same names in the query \
         of 20: 20/20/20 0.9442, too many pages would be lost",
        "drop ?page on pages with the same ending and the same names in the query \
         of 30: 30/30/30 0.9619, too many pages would be lost",
    ] {
        assert!(refused.contains(&described.to_owned()), "{refused:#?}");
    }
}
