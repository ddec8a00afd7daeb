//! Redundancy elimination: of a rule and its refinement, one is enough.

use std::cmp::Reverse;

use undust_rules::dustbuster::tokens::is_border;
use undust_util::op_counter;

use super::likely::Likely;
use crate::config::DustbusterConfig;

/// A rule without its support and direction: what makes two of them the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Core<'l> {
    /// The smaller one first.
    sides: [&'l str; 2],
    at_start: bool,
    at_end: bool,
}

impl<'l> Core<'l> {
    fn new(mut sides: [&'l str; 2], at_start: bool, at_end: bool) -> Self {
        sides.sort_unstable();
        Self { sides, at_start, at_end }
    }
}

impl Likely<'_> {
    /// Whether this rule says what `other` says, in a longer context: α' = γαδ and β' = γβδ
    /// for some γ and δ, `^` and `$` being tokens of them (Bar-Yossef, Keidar, Schonfeld,
    /// WWW 2007, section 4.3). A rule refines itself.
    pub(super) fn refines(&self, other: &Likely<'_>) -> bool {
        if !self.may_refine(other) {
            return false;
        }
        let is_even = other.long.len() == other.short.len();
        self.holds(other, other.long, other.short)
            || is_even && self.holds(other, other.short, other.long)
    }

    /// A number that a rule shares with all its refinements: a sum of hashes over the bytes of one
    /// side minus the sum over the other. The context that a refinement adds to both sides
    /// cancels out.
    pub(super) fn change(&self) -> u64 {
        let sum = |text: &str| {
            let hash = |byte: u8| (u64::from(byte) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed =
                |byte: u8| hash(byte) ^ (hash(byte) >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            text.bytes().fold(0, |sum: u64, byte| sum.wrapping_add(mixed(byte)))
        };
        let change = sum(self.long).wrapping_sub(sum(self.short));
        change.min(change.wrapping_neg())
    }

    /// Every rule that this one [refines](Self::refines), itself among them: without some of the
    /// context that its sides share. As many as there are pairs of borders in that context.
    pub(super) fn refined(&self) -> impl Iterator<Item = Core<'_>> {
        let (long, short) = (self.long, self.short);
        let is_even = |at: usize, other: usize| {
            is_border(long.as_bytes(), at) && is_border(short.as_bytes(), other)
        };
        let before = common(long, short);
        let after = common_end(long, short);
        let froms = (0..=before).filter(move |&from| is_even(from, from));
        froms.flat_map(move |from| {
            let left = after.min(short.len() - from);
            let cuts = (0..=left).filter(move |cut| is_even(long.len() - cut, short.len() - cut));
            cuts.flat_map(move |cut| {
                let sides = [long, short].map(|side| &side[from..side.len() - cut]);
                let starts =
                    [false, true].into_iter().take(1 + usize::from(self.at_start && from == 0));
                starts.flat_map(move |at_start| {
                    let ends = 1 + usize::from(self.at_end && cut == 0);
                    let ends = [false, true].into_iter().take(ends);
                    ends.map(move |at_end| Core::new(sides, at_start, at_end))
                })
            })
        })
    }

    /// The rule as others refine it.
    pub(super) fn core(&self) -> Core<'_> {
        Core::new([self.long, self.short], self.at_start, self.at_end)
    }

    /// A test by numbers alone, which declines most rules before their texts are compared.
    fn may_refine(&self, other: &Likely<'_>) -> bool {
        let longer = |rule: &Likely<'_>| rule.long.len() - rule.short.len();
        longer(self) == longer(other)
            && self.long.len() >= other.long.len()
            && (self.at_start || !other.at_start)
            && (self.at_end || !other.at_end)
    }

    /// Whether `alpha` → `beta` turns this rule's long side into its short one.
    fn holds(&self, other: &Likely<'_>, alpha: &str, beta: &str) -> bool {
        op_counter::count(1);
        let (long, short) = (self.long, self.short);
        let fits = |at: usize| {
            let (before, after) = (&long[..at], &long[at + alpha.len()..]);
            let end = at + beta.len();
            (!other.at_start || at == 0)
                && (!other.at_end || after.is_empty())
                && is_border(long.as_bytes(), at + alpha.len())
                && short.len() == end + after.len()
                && short.starts_with(before)
                && short.ends_with(after)
                && short.is_char_boundary(end)
                && &short[at..end] == beta
                && is_border(short.as_bytes(), at)
                && is_border(short.as_bytes(), end)
        };
        // The two sides first differ where α and β first differ, behind γ. So γ has a known
        // length, unless α or β is a prefix of the other: then it is at most that long.
        let (shared, own) = (common(long, short), common(alpha, beta));
        let Some(last) = shared.checked_sub(own) else { return false };
        let first = if own < alpha.len().min(beta.len()) { last } else { 0 };
        (first..=last)
            .filter(|&at| is_border(long.as_bytes(), at) && long[at..].starts_with(alpha))
            .any(fits)
    }
}

/// The number of bytes of the common prefix.
fn common(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// The number of bytes of the common suffix.
fn common_end(one: &str, other: &str) -> usize {
    let ends = one.bytes().rev().zip(other.bytes().rev());
    ends.take_while(|(one, other)| one == other).count()
}

/// Sorts rules by support and eliminates the redundant ones (Bar-Yossef, Keidar, Schonfeld, WWW
/// 2007, Figure 3): of two rules within `window` places of each other and of nearly the same
/// support, the one that the other refines. The remaining rules have the longest context in
/// which their support holds.
///
/// The paper leaves the order among rules of equal support open. Here rules with the same
/// difference between their sides are neighbours, the longest first, so that a window finds
/// them however many rules have that support.
///
/// O(r · window) comparisons of numbers for r rules.
pub(super) fn eliminate<'l>(
    mut rules: Vec<Likely<'l>>,
    settings: &DustbusterConfig,
) -> Vec<Likely<'l>> {
    rules.sort_by_cached_key(order);
    let changes: Vec<u64> = rules.iter().map(Likely::change).collect();
    let mut is_kept = vec![true; rules.len()];
    for at in 0..rules.len() {
        if is_kept[at] {
            compare(&rules, &changes, at, &mut is_kept, settings);
        }
    }
    let mut kept = is_kept.into_iter();
    rules.retain(|_| kept.next().unwrap_or(false));
    rules
}

/// Compares a rule with those after it. Most are declined by their `changes`, without comparing
/// strings: they can neither refine the rule nor be refined by it.
fn compare(
    rules: &[Likely<'_>],
    changes: &[u64],
    at: usize,
    is_kept: &mut [bool],
    settings: &DustbusterConfig,
) {
    let rule = &rules[at];
    let relative = settings.max_relative_difference * f64::from(rule.support);
    let most = relative.max(settings.max_absolute_difference as f64);
    let is_near = |other: &Likely<'_>| f64::from(rule.support - other.support) <= most;
    let end = rules.len().min(at.saturating_add(settings.window).saturating_add(1));
    for next in (at + 1..end).filter(|&next| changes[next] == changes[at]) {
        op_counter::count(1);
        if !is_near(&rules[next]) {
            break;
        }
        if !is_kept[next] {
            continue;
        }
        if rule.refines(&rules[next]) {
            is_kept[next] = false;
        } else if rules[next].refines(rule) {
            is_kept[at] = false;
            break;
        }
    }
}

/// Most support first; then by the difference between the sides; then the longest context first.
fn order<'l>(rule: &Likely<'l>) -> impl Ord + use<'l> {
    let (long, short) = (rule.long, rule.short);
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum::<usize>()
    };
    let before = common(&mut long.chars().zip(short.chars()));
    let (one, other) = (&long[before..], &short[before..]);
    let after = common(&mut one.chars().rev().zip(other.chars().rev()));
    let core = (&one[..one.len() - after], &other[..other.len() - after]);
    let length = (long.len(), rule.at_start, rule.at_end);
    (Reverse(rule.support), core, Reverse(length), long)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::learners::dustbuster::cuts::Substring;

    fn rule(long: &'static str, short: &'static str, support: u32) -> Likely<'static> {
        let bare = |text: &'static str| text.trim_start_matches('^').trim_end_matches('$');
        Likely {
            long: bare(long),
            short: bare(short),
            at_start: long.starts_with('^'),
            at_end: long.ends_with('$'),
            support,
            places: [Substring { url: 0, start: 0, end: 0 }; 2],
        }
    }

    fn refines(one: (&'static str, &'static str), other: (&'static str, &'static str)) -> bool {
        rule(one.0, one.1, 1).refines(&rule(other.0, other.1, 1))
    }

    #[test]
    fn a_longer_context_refines() {
        assert!(refines(("/index.html$", "/$"), ("index.html", "")));
        assert!(refines(("/index.html$", "/$"), ("/index.html", "/")));
        assert!(!refines(("/index.html", "/"), ("/index.html$", "/$")));
        assert!(refines(("^http://x.com/b", "^http://x.com/a"), ("/b", "/a")));
        assert!(!refines(("/index.html$", "/$"), ("index.htm$", "$")));
        assert!(!refines(("/myindex.html", "/my"), ("index.html", "")), "no whole tokens");
        assert!(refines(("a/b", "c/b"), ("a", "c")));
        assert!(refines(("a/b", "c/b"), ("c", "a")), "pairs have no direction");
    }

    #[test]
    fn overlapping_places_are_looked_at() {
        assert!(refines(("x/x/x/y", "x/y"), ("x/x/y", "y")));
        assert!(refines(("..", "."), (".", "")));
    }

    #[test]
    fn of_equal_support_the_longest_context_remains() {
        let rules = vec![
            rule("index.html", "", 100),
            rule("/index.html", "/", 100),
            rule("/index.html$", "/$", 98),
            rule("/a/index.html$", "/a/$", 40),
        ];
        let kept = eliminate(rules.clone(), &DustbusterConfig::default());
        assert_eq!(kept, [rules[2], rules[3]]);
    }

    proptest! {
        #[test]
        fn a_longer_context_refines_and_changes_the_same(
            long in "[ab/]{1,4}", short in "[ab/]{0,4}", before in "[ab/]{0,3}", after in "[ab/]{0,3}"
        ) {
            prop_assume!((long.len(), &long) > (short.len(), &short));
            let (before, after) = (format!("{before}/"), format!("/{after}"));
            let sides = [&long, &short].map(|side| format!("{before}{side}{after}"));
            let likely = |long, short| Likely { long, short, ..rule("", "", 1) };
            let (general, refined) = (likely(&long, &short), likely(&sides[0], &sides[1]));
            prop_assert!(refined.refines(&general));
            prop_assert!(!general.refines(&refined));
            prop_assert_eq!(refined.change(), general.change());
        }
    }

    proptest! {
        #[test]
        fn what_a_rule_refines_is_listed(
            own in ("[ab/]{1,6}", "[ab/]{0,6}", any::<bool>(), any::<bool>()),
            other in ("[ab/]{1,3}", "[ab/]{0,3}", any::<bool>(), any::<bool>()),
            around in prop::option::of(("[ab/]{0,3}", "[ab/]{0,3}")),
        ) {
            let likely = |(long, short, at_start, at_end): &'_ (String, String, bool, bool)| {
                let mut sides = [long.clone(), short.clone()];
                sides.sort_by_key(|side| std::cmp::Reverse((side.len(), side.clone())));
                (sides, *at_start, *at_end)
            };
            let (others, at_start, at_end) = likely(&other);
            prop_assume!(others[0] != others[1]);
            let general = Likely { long: &others[0], short: &others[1], at_start, at_end, ..rule("", "", 1) };
            let (mut owns, at_start, at_end) = likely(&own);
            if let Some((before, after)) = around {
                owns = others.clone().map(|side| format!("{before}{side}{after}"));
            }
            prop_assume!(owns[0] != owns[1]);
            let refined = Likely { long: &owns[0], short: &owns[1], at_start, at_end, ..rule("", "", 1) };
            let is_listed = refined.refined().any(|core| core == general.core());
            prop_assert_eq!(is_listed, refined.refines(&general), "{:?} {:?}", refined, general);
        }
    }

    #[test]
    fn differing_support_keeps_both() {
        let rules = vec![rule("b", "a", 20), rule("/b", "/a", 19), rule("/b/", "/a/", 17)];
        let kept = eliminate(rules.clone(), &DustbusterConfig::default());
        assert_eq!(kept, [rules[1], rules[2]]);
        let strict = DustbusterConfig {
            max_absolute_difference: 0,
            max_relative_difference: 0.0,
            ..DustbusterConfig::default()
        };
        assert_eq!(eliminate(rules.clone(), &strict), rules);
    }

    #[test]
    fn a_window_of_one_finds_a_neighbour() {
        let settings = DustbusterConfig { window: 1, ..DustbusterConfig::default() };
        let rules =
            vec![rule("c", "a", 9), rule("b", "a", 9), rule("/b", "/a", 9), rule("/c", "/a", 9)];
        assert_eq!(eliminate(rules.clone(), &settings), [rules[2], rules[3]]);
    }
}
