//! Canonisation: one pass over all rules, in order.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use undust_util::op_counter;

use super::substitution::Substitution;
use undust_edits::translation::Endless;

/// The most applications of a rule in a row, the paper's MA. More than two changed nothing in its
/// experiments.
const MAX_APPLICATIONS: usize = 10;

/// Bytes of texts up to which the fastest automaton is built. Of few texts that is one whose building is quadratic
/// in a text that repeats itself, such as a name of 70,000 `a`.
const SHORT: usize = 1 << 12;

/// Rules in the order in which they are applied (Bar-Yossef, Keidar, Schonfeld, WWW 2007,
/// Figure 6), with an automaton over the texts that they look for. A URL without any of these
/// costs one scan, however many rules there are.
#[derive(Debug, Clone)]
pub(crate) struct Substitutions {
    rules: Vec<Substitution>,
    /// None if it cannot be built; then all rules are tried on every URL.
    automaton: Option<AhoCorasick>,
    /// The rule of each of the automaton's patterns.
    rule_of: Vec<usize>,
    /// The rules that look for an empty text.
    always: Vec<usize>,
}

impl Substitutions {
    /// Linear in the length of the rules.
    pub(crate) fn new(rules: Vec<Substitution>) -> Self {
        let (always, rule_of): (Vec<usize>, Vec<usize>) =
            (0..rules.len()).partition(|&rule| rules[rule].needs().is_empty());
        let automaton = automaton(rule_of.iter().map(|&rule| rules[rule].needs()));
        Self { rules, automaton, rule_of, always }
    }

    /// The image of `url` after one pass over the rules; nothing if it is `url` again. Each rule
    /// in its turn is applied up to 10 times, each time at the first possible place. `applied`
    /// receives the place of each rule that is used.
    ///
    /// One scan, and another for each application of a rule.
    ///
    /// # Errors
    ///
    /// [`Endless`] if the URL grows beyond `longest` bytes on the way.
    pub(crate) fn pass(
        &self,
        url: &str,
        longest: usize,
        applied: &mut dyn FnMut(usize),
    ) -> Result<Option<String>, Endless> {
        let mut form: Option<String> = None;
        let mut from = 0;
        loop {
            let now = form.as_deref().unwrap_or(url);
            let mut possible = self.possible(now, from).into_iter();
            let image = possible.find_map(|rule| Some((rule, self.rules[rule].apply(now)?)));
            let Some((rule, image)) = image else { break };
            applied(rule);
            form = Some(self.repeat(rule, image, longest)?);
            from = rule + 1;
        }
        Ok(form.filter(|form| form != url))
    }

    fn repeat(&self, rule: usize, first: String, longest: usize) -> Result<String, Endless> {
        let mut form = first;
        for _ in 1..MAX_APPLICATIONS {
            if form.len() > longest {
                return Err(Endless);
            }
            match self.rules[rule].apply(&form) {
                Some(image) => form = image,
                None => break,
            }
        }
        if form.len() > longest { Err(Endless) } else { Ok(form) }
    }

    /// The rules, from rule `from` on, whose text occurs in `url`.
    fn possible(&self, url: &str, from: usize) -> Vec<usize> {
        let Some(automaton) = &self.automaton else {
            return (from..self.rules.len()).collect();
        };
        let found = automaton.find_overlapping_iter(url).map(|found| found.pattern().as_usize());
        let mut rules: Vec<usize> = found
            .map(|pattern| self.rule_of[pattern])
            .chain(self.always.iter().copied())
            .filter(|&rule| rule >= from)
            .collect();
        op_counter::count(1 + rules.len());
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

/// An automaton over these texts, built in time linear in their length.
fn automaton<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Option<AhoCorasick> {
    let is_long = texts.clone().map(str::len).sum::<usize>() > SHORT;
    let kind = is_long.then_some(AhoCorasickKind::ContiguousNFA);
    AhoCorasick::builder().kind(kind).build(texts).ok()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::dustbuster::parameter::Parameter;
    use crate::dustbuster::text_substitution::TextSubstitution;
    use crate::dustbuster::text_substitution::tests::text;
    use crate::set::PASSES;
    use undust_edits::translation::Cause;
    use undust_edits::translation::{longest_form, to_fixpoint};

    /// Rules at work as a set of rules applies them.
    struct Settled(Substitutions);

    impl Settled {
        fn new(rules: Vec<Substitution>) -> Self {
            Self(Substitutions::new(rules))
        }

        fn canonical<'u>(&self, url: &'u str) -> Cow<'u, str> {
            let longest = longest_form(url);
            let step = |url: &str, _: &mut Cause| self.0.pass(url, longest, &mut |_| {});
            to_fixpoint(url, PASSES, step).map_or(Cow::Borrowed(url), |(form, _)| form)
        }
    }

    fn rules(texts: &[(&str, &str)]) -> Settled {
        let rule = |(from, to): &(&str, &str)| Substitution::Text(text(from, to));
        Settled::new(texts.iter().map(rule).collect())
    }

    /// The other kind takes 70,000² steps.
    #[test]
    fn of_long_texts_no_table_is_built() {
        let kind = |texts: &[String]| {
            automaton(texts.iter().map(String::as_str)).expect("an automaton").kind()
        };
        assert_eq!(kind(&["a".repeat(70_000)]), AhoCorasickKind::ContiguousNFA);
        assert_eq!(kind(&["sid".to_owned()]), AhoCorasickKind::DFA);
    }

    #[test]
    fn rules_are_applied_in_order_and_again() {
        let set = rules(&[("/index.html$", "/$"), ("//", "/"), ("story?id=", "story_")]);
        assert_eq!(set.canonical("http://x.com/a//b///index.html"), "http://x.com/a/b/");
        assert_eq!(set.canonical("http://x.com/story?id=7"), "http://x.com/story_7");
        assert!(matches!(set.canonical("http://x.com/a"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_later_rule_may_let_an_earlier_one_apply() {
        let set = rules(&[("/a/", "/b/"), ("/c/", "/a/")]);
        assert_eq!(set.canonical("/c/1"), "/b/1");
        let parameter = Substitution::Parameter(Parameter { name: "s".into(), value: None });
        let rule = Substitution::Text(text("/index.html$", "/$"));
        assert_eq!(Settled::new(vec![rule, parameter]).canonical("/index.html?s=1"), "/");
    }

    #[test]
    fn loops_and_growth_give_the_url_back() {
        assert_eq!(rules(&[("$", "/$")]).canonical("/a"), "/a");
        assert_eq!(rules(&[("a", "a/a/a/a/a/a/a")]).canonical("/a"), "/a");
        let swap = rules(&[("b", "a"), ("c", "b"), ("a", "c")]);
        assert_eq!(swap.canonical("/a"), "/a");
    }

    fn any_rule() -> impl Strategy<Value = Substitution> {
        let text = ("[ab/]{0,3}", "[ab/]{0,4}", any::<(bool, bool)>());
        let text = text.prop_map(|(from, to, (at_start, at_end))| {
            Substitution::Text(TextSubstitution { from, to, at_start, at_end })
        });
        let parameter = ("[ab]", proptest::option::of("[ab]"))
            .prop_map(|(name, value)| Substitution::Parameter(Parameter { name, value }));
        prop_oneof![4 => text, 1 => parameter]
    }

    proptest! {
        #[test]
        fn the_form_of_a_form_is_itself(
            rules in proptest::collection::vec(any_rule(), 0..6), url in "(a://a|)[ab/?=&]{0,12}"
        ) {
            let set = Settled::new(rules);
            let form = set.canonical(&url).into_owned();
            prop_assert!(form.len() <= 2 * url.len() + 64);
            prop_assert_eq!(set.canonical(&form), form.as_str());
        }

        #[test]
        fn without_rules_nothing_changes(url in any::<String>()) {
            prop_assert_eq!(Settled::new(Vec::new()).canonical(&url), url.as_str());
        }

        #[test]
        fn the_automaton_misses_no_rule(
            rules in proptest::collection::vec(any_rule(), 0..6), url in "[ab/?=&]{0,12}"
        ) {
            let set = Settled::new(rules);
            let plain = Settled(Substitutions { automaton: None, ..set.0.clone() });
            prop_assert_eq!(set.canonical(&url), plain.canonical(&url));
        }
    }

    #[test]
    fn a_form_may_be_as_long_as_the_longest_and_no_longer() {
        let rules = Substitutions::new(vec![Substitution::Text(text("/$", "//$"))]);
        let repeated = |longest| rules.repeat(0, "/".to_owned(), longest).ok();
        assert_eq!(repeated(MAX_APPLICATIONS), Some("/".repeat(MAX_APPLICATIONS)));
        assert_eq!(repeated(MAX_APPLICATIONS - 1), None);
    }
}
