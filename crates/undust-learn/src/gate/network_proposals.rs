//! What the network proposes for the programs that the gate tests.

use rustc_hash::FxHashMap;

use undust_model::edits::cross_fit::CrossFit;
use undust_model::edits::edit::Edit;
use undust_model::edits::literals::Literals;
use undust_model::edits::program::{Cell, symbols};
use undust_url::lexicon::{Lexicon, Symbol};

use crate::gate::propose::Proposals;

/// The network's proposals, remembered by symbols.
pub(crate) struct NetworkProposals<'g> {
    cross_fit: &'g CrossFit,
    lexicon: &'g Lexicon,
    literals: Literals,
    known: FxHashMap<Box<[Symbol]>, Vec<u32>>,
}

impl<'g> NetworkProposals<'g> {
    /// The proposals of networks whose phrases are all among the literals.
    pub(crate) fn new(cross_fit: &'g CrossFit, lexicon: &'g Lexicon, literals: Literals) -> Self {
        Self { cross_fit, lexicon, literals, known: FxHashMap::default() }
    }

    /// The words of the site.
    pub(crate) fn lexicon(&self) -> &'g Lexicon {
        self.lexicon
    }

    /// Asks for programs, those that are known already left out.
    pub(crate) fn ask(&mut self, programs: &[&[Cell]], proposals: &mut Proposals) {
        let mut new: FxHashMap<Box<[Symbol]>, &[Cell]> = FxHashMap::default();
        for program in programs {
            let symbols = symbols(program);
            if !self.known.contains_key(&symbols) {
                new.insert(symbols, program);
            }
        }
        let mut new: Vec<_> = new.into_iter().collect();
        new.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let asked: Vec<&[Cell]> = new.iter().map(|(_, program)| *program).collect();
        let proposed = self.cross_fit.propose(&asked, self.lexicon, &mut self.literals);
        for ((symbols, _), edits) in new.into_iter().zip(proposed) {
            let numbers = edits.iter().filter_map(|edit| proposals.by_network(edit));
            self.known.insert(symbols, numbers.collect());
        }
    }

    /// What is proposed for a program, asked for where that is not known.
    pub(crate) fn edits(&mut self, program: &[Cell], proposals: &mut Proposals) -> Vec<Edit> {
        self.ask(&[program], proposals);
        let inner = |number| match proposals.edit(number) {
            Edit::ByNetwork(edit) => Some(Edit::clone(edit)),
            _ => None,
        };
        self.of(program).into_iter().filter_map(inner).collect()
    }

    /// What is proposed for a program.
    pub(crate) fn of(&self, program: &[Cell]) -> Vec<u32> {
        self.known.get(&symbols(program)).cloned().unwrap_or_default()
    }
}
