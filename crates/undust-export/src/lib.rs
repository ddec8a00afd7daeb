//! What a model knows, as rules for programs that know nothing of models.
//!
//! | module | what it gives |
//! |---|---|
//! | `regexes` | accepted edits as regexes that PCRE and Java read alike, and what a chain of them does |
//! | `alike` | URLs that a cache takes for one by the names of their arguments |
//! | `names`, `wildcards` | dropped arguments, for tools that know names alone, or names and wildcards |
//! | `check` | the coverage of an export, and rules left out because they change a URL otherwise than the model |
//! | `comments` | the comment on a rule: its evidence and an example |
//! | `members` | arguments that mean something to those who are logged in |
//! | `formats` | a file a format |
//!
//! Two laws hold for every export. A format whose consumer fetches or redirects gets only edits whose forms the
//! crawl saw answer ([`Format::is_fetched`]); others, which compare, get all. And a rule by which the consumer would
//! change a tried URL otherwise than the model is left out and reported.

#![forbid(unsafe_code)]

mod alike;
mod applied;
mod check;
mod comments;
mod format;
mod formats;
mod hostile;
mod members;
mod mutated;
mod names;
mod redirects;
mod regexes;
#[cfg(test)]
mod tests;
mod unsaid;
mod wildcards;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::editor::{Editor, ServedEdit};
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_url::site::{SiteBy, site_of};

pub use self::check::{Coverage, Missing};
pub use self::format::Format;
pub use self::redirects::CrawledUrl;
pub use self::unsaid::Unsaid;

use self::applied::Consumer;
use self::check::{Check, Tried};
use self::comments::Comments;
use self::names::{NameList, dropped_name};
use self::regexes::place::{Place, leads_to};
use self::regexes::{Chain, Translator};
use self::wildcards::Wildcards;

/// An export, and how much of the model it says.
#[derive(Debug)]
#[non_exhaustive]
pub struct Export {
    /// The rules in the words of the consumer.
    pub text: String,
    /// What the consumer does of what the model does.
    pub coverage: Coverage,
    /// Edits of the model.
    pub edits: usize,
    /// Edits that it has rules for.
    pub exported: usize,
    /// Edits that are left out.
    pub left_out: Vec<LeftOut>,
    /// Edits by which visitors who are logged in are redirected to something else than they asked for. Empty for formats
    /// that visitors do not meet.
    pub members: Vec<TakenFromMembers>,
}

/// An edit whose rule drops or changes arguments that mean something to those who are logged in. The crawl was not, so
/// nothing that it counted speaks against the edit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenFromMembers {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its notation.
    pub notation: String,
    /// The arguments, and what they are for, in a clause.
    pub what: String,
}

/// An edit that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its notation.
    pub notation: String,
    /// Why.
    pub why: Unsaid,
}

/// Why nothing can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The model has no edits.
    #[error(
        "the model has no edits to export, for it is of another method; train it with --method auto or slots"
    )]
    NoEdits,
}

/// The model as rules of a format, tried on `urls`; URLs of other sites are passed over. Where they are those of a crawl,
/// with its redirects, no rule leads with these in a circle.
///
/// # Errors
///
/// The model is none of edits.
pub fn export(
    model: &SiteModel,
    format: Format,
    urls: impl IntoIterator<Item = impl Into<CrawledUrl>>,
) -> Result<Export, ExportError> {
    let (Model::Edits(editor), Some(conventions)) = (&model.model, model.conventions.as_deref())
    else {
        return Err(ExportError::NoEdits);
    };
    let job = Job { model, editor, format, check: Check::new(model, editor, of_site(model, urls)) };
    let translator = Translator::new(&model.site, editor, conventions, &job.check.urls);
    Ok(match format.rules() {
        Format::Dud => job.by_wildcards(&translator, conventions.argument_names().collect()),
        Format::Anubis | Format::CleanParam | Format::Names | Format::NoVarySearch => {
            job.by_names()
        }
        Format::Csv | Format::Json => job.as_table(&translator),
        _ => job.by_regexes(&translator),
    })
}

/// The URLs of the model's site.
fn of_site(
    model: &SiteModel,
    urls: impl IntoIterator<Item = impl Into<CrawledUrl>>,
) -> Vec<CrawledUrl> {
    let is_of_site = |crawled: &CrawledUrl| {
        let site = site_of(&crawled.url, SiteBy::Host);
        site.is_some_and(|site| {
            site == *model.site
                || site.strip_suffix(&*model.site).is_some_and(|front| front.ends_with('.'))
        })
    };
    urls.into_iter().map(Into::into).filter(is_of_site).collect()
}

/// An export in the making.
struct Job<'m> {
    model: &'m SiteModel,
    editor: &'m Editor,
    format: Format,
    check: Check<'m>,
}

/// Why what an edit makes may not be fetched.
fn unfetchable(evidence: &EditEvidence) -> Option<Unsaid> {
    let may_be = evidence.may_be_fetched();
    let (Some(may_be), Some(forms)) = (may_be, evidence.forms) else {
        return Some(Unsaid::AnswersUnknown);
    };
    match evidence.redirected.unwrap_or_default() {
        _ if may_be => None,
        0 => Some(Unsaid::SeldomAnswers(evidence.answered.unwrap_or_default(), forms)),
        redirected => Some(Unsaid::Redirects(redirected, forms)),
    }
}

/// Most kinds of paths on which a rule is said not to hold.
const MOST_KINDS: usize = 6;

/// Edits that cannot be said, by number.
type Left = Vec<(usize, Unsaid)>;

impl<'m> Job<'m> {
    /// The edits that the format may have, by number, and the others.
    fn candidates(&self) -> (Vec<(usize, &'m AcceptedEdit)>, Left) {
        let (mut kept, mut left) = (Vec::new(), Vec::new());
        for (number, edit) in (1..).zip(self.editor.rules()) {
            let evidence = &edit.accepted.evidence;
            match self.format.is_fetched().then(|| unfetchable(evidence)).flatten() {
                Some(why) => left.push((number, why)),
                None => kept.push((number, &edit.accepted)),
            }
        }
        (kept, left)
    }

    /// The edit of a number.
    fn served(&self, number: usize) -> Option<&'m ServedEdit> {
        self.editor.rules().nth(number.checked_sub(1)?)
    }

    fn notation(&self, number: usize) -> String {
        self.served(number).map_or(String::new(), |edit| edit.notation.clone())
    }

    fn hosts(&self) -> Vec<String> {
        let site = &self.model.site;
        vec![site.to_string(), format!("www.{site}")]
    }

    /// Edits as regexes that are tried; those that cannot be said.
    ///
    /// An edit may count on one before it that cannot be said. If its rule fails, it is tried again on URLs without
    /// the arguments that such edits ask for. One that sends clients to URLs that redirect is tried again on other kinds
    /// of paths.
    fn chain(&self, translator: &Translator<'_>) -> (Chain, Left) {
        let (candidates, refused) = self.candidates();
        let (mut narrower, mut lacking) = (BTreeMap::new(), BTreeSet::new());
        let mut knows_detours = !self.format.is_fetched();
        loop {
            let mut left = refused.clone();
            let mut rules = Vec::new();
            for (number, edit) in &candidates {
                let narrower = narrower.get(number).map_or("", String::as_str);
                let (format, site) = (self.format.rules(), &self.model.site);
                match translator.rule(*number, edit, narrower) {
                    Ok(rule) if !formats::can_say_where(format, site, &rule) => {
                        left.push((*number, Unsaid::SomeHosts));
                    }
                    Ok(rule) if self.format.applies_each_line() => {
                        rules.push((*number, rule.by_line().map(Rc::new).collect()));
                    }
                    Ok(rule) => rules.push((*number, vec![Rc::new(rule)])),
                    Err(why) => left.push((*number, why)),
                }
            }
            let edit = |number: usize| self.served(number).map(|edit| &edit.accepted);
            let leads_to = |later, earlier| {
                let edits = edit(later).zip(edit(earlier));
                edits.is_some_and(|(later, earlier)| leads_to(translator.site(), later, earlier))
            };
            let mut chain = translator.chain(&rules, leads_to);
            if !knows_detours {
                knows_detours = true;
                narrower = self.other_paths(&chain);
                if !narrower.is_empty() {
                    continue;
                }
            }
            // Without a rule no more URLs are changed.
            let tried = self.check.tried(&chain, Tried::All);
            let failed = self.leave_out_wrong(&mut chain, &tried);
            let unsaid = left.iter().chain(&failed).map(|(number, _)| *number);
            let dropped: BTreeSet<String> =
                unsaid.flat_map(|number| translator.names(edit(number))).collect();
            let may_hold = |number: &usize| !lacking.contains(number) && !dropped.is_empty();
            let again: Vec<usize> =
                failed.iter().map(|(number, _)| *number).filter(may_hold).collect();
            if again.is_empty() {
                left.extend(failed);
                return (chain, left);
            }
            for number in again {
                let own = translator.names(edit(number));
                let others = dropped.iter().filter(|name| !own.contains(name));
                let lacks = others.map(|name| format!("(?!.*[?&;]{name}(?![^=&;]))"));
                *narrower.entry(number).or_default() += &lacks.collect::<String>();
                lacking.insert(number);
            }
        }
    }

    /// By rule that sends clients to URLs which redirect: lookaheads for other kinds of paths than theirs, if these are
    /// few.
    fn other_paths(&self, chain: &Chain) -> BTreeMap<usize, String> {
        let Check { urls, redirects, .. } = &self.check;
        let mut kinds: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for (rule, kind) in urls.iter().filter_map(|url| redirects.sent_on(chain, url)) {
            kinds.entry(rule).or_default().insert(kind);
        }
        let few = kinds.into_iter().filter(|(_, kinds)| kinds.len() <= MOST_KINDS);
        let lookahead = |kinds: BTreeSet<String>| {
            format!("(?!(?:{})(?:\\?|$))", kinds.into_iter().collect::<Vec<_>>().join("|"))
        };
        few.map(|(number, kinds)| (number, lookahead(kinds))).collect()
    }

    /// Leaves out rules until none goes another way than the model, or sends a client round.
    fn leave_out_wrong(&self, chain: &mut Chain, tried: &[&str]) -> Left {
        let mut left: Left = Vec::new();
        loop {
            let before = left.len();
            let endless = chain.settle(tried);
            left.extend(endless.into_iter().map(|number| (number, Unsaid::Endless)));
            left.extend(self.check.leave_out_conflicts(chain, tried));
            if self.format.is_fetched() {
                left.extend(self.check.leave_out_detours(chain, tried));
                left.extend(self.check.leave_out_unanswered(chain));
            }
            if left.len() == before {
                return left;
            }
        }
    }

    fn by_regexes(&self, translator: &Translator<'_>) -> Export {
        let (chain, left) = self.chain(translator);
        let site = &self.model.site;
        let comments = self.comments(&chain);
        let effect = self.format.effect();
        let text = match self.format.rules() {
            Format::Apache => formats::apache::text(site, &chain, &comments, effect),
            Format::Vcl => formats::vcl::text(site, &chain, &comments, effect),
            Format::Nutch => formats::nutch::text(&chain, &comments),
            Format::Stormcrawler => formats::stormcrawler::text(&chain),
            Format::Heritrix => formats::heritrix::text(&chain, &comments),
            _ => formats::nginx::text(site, &chain, &comments, effect),
        };
        self.finished(text, &chain, &comments, left)
    }

    fn by_wildcards(&self, translator: &Translator<'_>, mut known: Vec<&str>) -> Export {
        let (candidates, mut left) = self.candidates();
        let mut all = Wildcards::default();
        known.sort_unstable();
        for (number, edit) in candidates {
            let globs = || Place::of(translator.site(), edit)?.globs();
            match dropped_name(self.editor, edit).and_then(|name| Ok((name, globs()?))) {
                Ok((name, globs)) => {
                    let rules = wildcards::rules(number, &name, &globs, &self.hosts(), &known);
                    if rules.is_empty() {
                        left.push((number, Unsaid::Nowhere));
                    }
                    all.rules.extend(rules);
                }
                Err(why) => left.push((number, why)),
            }
        }
        let tried = self.check.tried(&all, Tried::Hostile);
        left.extend(self.check.leave_out_conflicts(&mut all, &tried));
        let text = formats::dud::text(&all);
        self.finished(text, &all, &Comments::default(), left)
    }

    fn by_names(&self) -> Export {
        let (candidates, mut left) = self.candidates();
        let has_prefixes = self.format != Format::Names;
        let (mut list, more) = NameList::new(self.editor, &candidates, has_prefixes, self.hosts());
        left.extend(more);
        let tried = self.check.tried(&list, Tried::GivenUrls);
        left.extend(self.check.leave_out_conflicts(&mut list, &tried));
        if self.format.rules() == Format::NoVarySearch {
            left.extend(formats::no_vary_search::leave_out_unwritable(&mut list));
            left.extend(alike::leave_out_mixed(self.model, &mut list, &self.check.urls));
        }
        let comments = self.comments(&list);
        let text = match self.format {
            Format::CleanParam => formats::clean_param::text(&list, &comments),
            Format::Anubis => formats::anubis::text(&self.model.site, &list, &comments),
            Format::Names => formats::names::text(&list),
            format => formats::no_vary_search::text(format, &self.model.site, &list, &comments),
        };
        self.finished(text, &list, &comments, left)
    }

    /// All edits with their evidence, and the regexes of those that can be said.
    fn as_table(&self, translator: &Translator<'_>) -> Export {
        let (chain, left) = self.chain(translator);
        let left_out = self.left_out(left.clone());
        let text = match self.format {
            Format::Csv => formats::csv::text(self.editor),
            _ => formats::json::text(&self.model.site, self.editor, &chain, &left_out),
        };
        self.finished(text, &chain, &Comments::default(), left)
    }

    fn comments(&self, consumer: &dyn Consumer) -> Comments {
        Comments::new(self.editor, consumer, &self.check, self.format)
    }

    fn left_out(&self, mut left: Left) -> Vec<LeftOut> {
        left.sort_by_key(|(number, _)| *number);
        let of = |(number, why)| LeftOut { number, notation: self.notation(number), why };
        left.into_iter().map(of).collect()
    }

    fn finished(
        &self,
        text: String,
        consumer: &dyn Consumer,
        comments: &Comments,
        left: Left,
    ) -> Export {
        let taken = comments.taken().map(|(number, taken)| TakenFromMembers {
            number,
            notation: self.notation(number),
            what: comments::warning(taken),
        });
        Export {
            text,
            coverage: self.check.coverage(consumer),
            edits: self.editor.rules().len(),
            exported: consumer.numbers().len(),
            left_out: self.left_out(left),
            members: taken.collect(),
        }
    }
}
