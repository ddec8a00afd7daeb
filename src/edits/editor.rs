//! Accepted edits at work: any URL of their site in, its form out.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::edit::{Cell, Edit, Program, Text, copy};
use super::halves::Halves;
use super::literals::Literals;
use super::propose::spell;
use super::rows::MOST_PIECES;
use super::scope::scopes;
use crate::gate::dispose::Accepted;
use crate::translation::{
    Canonicalizer, Cause, Circle, How, Reason, Settling, Translation, settle,
};
use crate::url::lexicon::{Lexicon, Symbol};

/// Shapes remembered before all are forgotten.
const MEMO: usize = 1 << 14;

/// The accepted edits of a site, in the order in which they are applied.
#[derive(Debug)]
pub struct Editor {
    lexicon: Lexicon,
    literals: Literals,
    rules: Vec<Arc<Rule>>,
    /// The rules that need a symbol.
    by_symbol: FxHashMap<Symbol, Vec<u32>>,
    anywhere: Vec<u32>,
    /// What rules ask that hold where the tagger agrees.
    halves: Option<Halves>,
    memo: RwLock<FxHashMap<Box<[Symbol]>, Arc<Remembered>>>,
}

/// An accepted edit, as it is told.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// What was accepted.
    pub accepted: Accepted,
    /// Its notation.
    pub notation: String,
    /// A URL that it changed.
    pub example: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation)
    }
}

/// What becomes of a shape.
#[derive(Debug)]
struct Remembered {
    /// None where nothing does.
    program: Option<Program>,
    rules: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct File {
    lexicon: Lexicon,
    literals: Literals,
    rules: Vec<(Accepted, String)>,
}

const SETTLING: Settling =
    Settling { most_changes: 4, bounds_length: true, circle: Circle::Smallest };

impl Editor {
    /// Puts edits to work.
    pub(crate) fn new(
        lexicon: Lexicon,
        literals: Literals,
        accepted: Vec<(Accepted, String)>,
        halves: Option<Halves>,
    ) -> Self {
        let mut by_symbol: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        let mut anywhere = Vec::new();
        for (number, (rule, _)) in (0..).zip(&accepted) {
            match rule.edit.needs().into_iter().max() {
                Some(symbol) => by_symbol.entry(symbol).or_default().push(number),
                None => anywhere.push(number),
            }
        }
        let rule = |(accepted, example): (Accepted, String)| {
            let notation = spell(&accepted.edit, &lexicon, &literals);
            Arc::new(Rule { accepted, notation, example })
        };
        let rules = accepted.into_iter().map(rule).collect();
        Self { lexicon, literals, rules, by_symbol, anywhere, halves, memo: RwLock::default() }
    }

    /// As `gate.json` holds it.
    pub(crate) fn to_json(&self) -> Result<Vec<u8>, String> {
        let rule = |rule: &Arc<Rule>| (rule.accepted.clone(), rule.example.clone());
        let file = File {
            lexicon: self.lexicon.clone(),
            literals: self.literals.clone(),
            rules: self.rules.iter().map(rule).collect(),
        };
        serde_json::to_vec_pretty(&file).map_err(|error| error.to_string())
    }

    /// The editor of a `gate.json`.
    pub(crate) fn from_json(json: &[u8], halves: Option<Halves>) -> Result<Self, String> {
        let file: File = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        Ok(Self::new(file.lexicon, file.literals, file.rules, halves))
    }

    /// The rules, in order.
    pub(crate) fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(AsRef::as_ref)
    }

    /// The same without the rules in these places.
    pub(crate) fn without(self, places: &FxHashSet<usize>) -> Self {
        let kept = self.rules.iter().enumerate().filter(|(place, _)| !places.contains(place));
        let kept = kept.map(|(_, rule)| (rule.accepted.clone(), rule.example.clone())).collect();
        Self::new(self.lexicon, self.literals, kept, self.halves)
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        let halves = self.halves.as_ref().map_or(0, Halves::bytes);
        self.lexicon.bytes() + halves + self.rules.len() * 512 + MEMO * 1024
    }

    /// What the rules make of a shape.
    fn edit(&self, shape: &[Symbol]) -> Remembered {
        let mut program = copy(shape);
        let mut applied = Vec::new();
        if shape.len() > MOST_PIECES {
            return Remembered { program: None, rules: applied };
        }
        let mut rules: Vec<u32> = self.anywhere.clone();
        let mut symbols: Vec<Symbol> = shape.to_vec();
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            rules.extend(self.by_symbol.get(&symbol).into_iter().flatten());
        }
        rules.sort_unstable();
        let mut proposed: Option<Vec<Edit>> = None;
        for number in rules {
            let rule = &self.rules[number as usize].accepted;
            if let Edit::Tagged(edit) = &rule.edit {
                let proposed = proposed.get_or_insert_with(|| self.proposed(&program));
                if !proposed.contains(edit) {
                    continue;
                }
            }
            let Some(edited) = rule.edit.apply(&program) else { continue };
            let scopes = scopes(&rule.edit, &program);
            if scopes[rule.level] == rule.scope
                && !scopes.iter().any(|scope| rule.exceptions.contains(scope))
            {
                program = edited;
                proposed = None;
                applied.push(number);
            }
        }
        let program = (program != copy(shape)).then_some(program);
        Remembered { program, rules: applied }
    }

    /// What the tagger proposes for a program.
    fn proposed(&self, program: &[Cell]) -> Vec<Edit> {
        let mut literals = self.literals.clone();
        let halves = self.halves.as_ref();
        let of = |halves: &Halves| halves.propose(&[program], &self.lexicon, &mut literals).pop();
        halves.and_then(of).unwrap_or_default()
    }

    fn remembered(&self, shape: &[Symbol]) -> Arc<Remembered> {
        let memo = self.memo.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = memo.get(shape) {
            return Arc::clone(known);
        }
        drop(memo);
        let fresh = Arc::new(self.edit(shape));
        let mut memo = self.memo.write().unwrap_or_else(PoisonError::into_inner);
        if memo.len() >= MEMO {
            memo.clear();
        }
        memo.insert(shape.into(), Arc::clone(&fresh));
        fresh
    }

    fn write(&self, program: &[Cell], texts: &[&str]) -> String {
        let mut form = String::new();
        for cell in program {
            form.push_str(match cell.text {
                Text::Source(place) => texts.get(usize::from(place)).copied().unwrap_or(""),
                Text::Literal(number) => self.literals.text(number),
            });
        }
        form
    }

    fn step(&self, url: &str, cause: &mut Cause) -> Option<String> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        self.lexicon.read(url, &mut shape, &mut texts);
        let known = self.remembered(&shape);
        let form = self.write(known.program.as_ref()?, &texts);
        if form == url {
            return None;
        }
        for number in &known.rules {
            cause.push(Arc::clone(&self.rules[*number as usize]) as _);
        }
        Some(form)
    }
}

impl Canonicalizer for Editor {
    fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        match settle(url, SETTLING, |url, cause| Ok(self.step(url, cause))) {
            Some((canonical, cause)) if canonical != url => {
                Translation { canonical, how: How::Rules, cause }
            }
            Some(_) => Translation::unchanged(url, Reason::NoRule),
            None => Translation::unchanged(url, Reason::Unstable),
        }
    }
}
