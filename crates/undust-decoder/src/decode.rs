//! Greedy decoding without burn: the translator's hot path where a template is new.
//!
//! Half of the arithmetic becomes a look-up, because a site's vocabulary is small: the input
//! half of the gates, `embedding·Wx + bx`, is made once for every symbol when a model is
//! loaded. What is left are one matrix product a step and layer, and the gates. The templates of
//! a site begin alike, and a beginning that several share is read once.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::template::{ARGUMENTS, EOS, GO, PAD, TemplateSymbol, UNK, Vocabulary};
use undust_util::simd::widest;

use super::matrix::{Matrix, add_product, tanh};
use super::translator_weights::{LayerWeights, TranslatorSizes, TranslatorWeights};

/// How a network decodes, and which of its answers count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecodingOptions {
    /// Longest source in tokens.
    pub max_source: usize,
    /// Longest target in tokens.
    pub max_target: usize,
    /// Whether decoding may name only arguments that the source has.
    pub mask_arguments: bool,
    /// Whether an answer that would be translated again is refused.
    pub idempotent: bool,
    /// Whether slashes are thrown away before all, as in the paper.
    pub drop_slashes: bool,
}

/// The weights of a network, made ready to decode with.
#[derive(Debug, Clone)]
pub struct Decoder {
    weights: TranslatorWeights,
    /// By layer, encoder and decoder: `embedding·Wx + bx`, `[vocabulary, 3·hidden]`.
    tables: [Matrix; 2],
}

/// One GRU layer, ready to step.
struct DecoderLayer<'d> {
    table: &'d Matrix,
    weights: LayerWeights<'d>,
}

/// Templates decoded at once: enough for the weights to be fetched seldom, and few enough for
/// the states to stay in the second-level cache.
const BATCH: usize = 512;
/// Rows are added up to a multiple of this, so that a template decoded alone passes through
/// the same arithmetic as in company, and gets the same answer.
const ROWS: usize = 16;

impl Decoder {
    /// Makes the tables that decoding needs.
    pub fn new(weights: TranslatorWeights) -> Self {
        let table = |layer: LayerWeights<'_>| {
            let mut table = Matrix::zeros(weights.shape().vocabulary, layer.input.columns);
            table.fill_rows(layer.input_bias);
            add_product(weights.embedding(), layer.input, &mut table);
            table
        };
        let tables = [table(weights.encoder()), table(weights.decoder())];
        Self { weights, tables }
    }

    /// The weights that it decodes with.
    pub(crate) fn weights(&self) -> &TranslatorWeights {
        &self.weights
    }

    fn encoder(&self) -> DecoderLayer<'_> {
        DecoderLayer { table: &self.tables[0], weights: self.weights.encoder() }
    }

    fn decoder(&self) -> DecoderLayer<'_> {
        DecoderLayer { table: &self.tables[1], weights: self.weights.decoder() }
    }

    /// The greedy translation of each source template, without `[EOS]`; nothing where no end
    /// was reached. No target is longer than twice its source and five. Ties go to the lowest
    /// symbol. The answer for a template does not depend on the others. Cost: templates × length
    /// × hidden².
    pub fn decode(
        &self,
        sources: &[&[TemplateSymbol]],
        options: &DecodingOptions,
    ) -> Vec<Option<Vec<TemplateSymbol>>> {
        let mut order: Vec<usize> = (0..sources.len()).collect();
        order.sort_by_key(|index| (sources[*index].len(), sources[*index]));
        let mut decoded = vec![None; sources.len()];
        for chunk in order.chunks(BATCH) {
            let batch: Vec<_> = chunk.iter().map(|index| sources[*index]).collect();
            let states = self.encode(&batch);
            for (index, target) in chunk.iter().zip(self.generate(&batch, states, options)) {
                decoded[*index] = target;
            }
        }
        decoded
    }

    /// The last state of each source, sorted by length from the shortest.
    fn encode(&self, sources: &[&[TemplateSymbol]]) -> Matrix {
        let hidden = self.weights.shape().hidden;
        let mut last = Matrix::zeros(sources.len().next_multiple_of(ROWS), hidden);
        let mut states = Matrix::zeros(ROWS, hidden);
        let encoder = self.encoder();
        let mut read = vec![0; sources.len()];
        let longest = sources.last().map_or(0, |source| source.len());
        for time in 0..longest {
            let steps = branch(sources, time, &mut read);
            states = encoder.branch(&steps, &states);
            for row in ending(sources, time + 1) {
                last.row_mut(row).copy_from_slice(states.row(read[row]));
            }
        }
        last
    }

    fn generate(
        &self,
        sources: &[&[TemplateSymbol]],
        mut states: Matrix,
        options: &DecodingOptions,
    ) -> Vec<Option<Vec<TemplateSymbol>>> {
        let TranslatorSizes { vocabulary, hidden, .. } = self.weights.shape();
        let mut gates = Matrix::zeros(states.rows, 3 * hidden);
        let mut scores = Matrix::zeros(states.rows, vocabulary);
        let decoder = self.decoder();
        let mut rows: Vec<PartialTarget> =
            sources.iter().map(|source| PartialTarget::new(source, options)).collect();
        while rows.iter().any(PartialTarget::is_open) {
            let symbols = rows.iter().map(|row| row.is_open().then_some(row.last));
            decoder.step(symbols, &mut states, &mut gates);
            scores.fill_rows(self.weights.output_bias());
            add_product(&states, self.weights.output(), &mut scores);
            for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.is_open()) {
                row.say(scores.row(index));
            }
        }
        rows.into_iter().map(PartialTarget::finish).collect()
    }
}

/// One symbol more after a beginning, which is a row of the states.
type Branch = (usize, TemplateSymbol);

/// The distinct beginnings of `time + 1` symbols, each with the one that it goes on from;
/// `read` names the beginning of each source before and after.
fn branch(sources: &[&[TemplateSymbol]], time: usize, read: &mut [usize]) -> Vec<Branch> {
    let mut rows: FxHashMap<Branch, usize> = FxHashMap::default();
    let mut branches = Vec::new();
    for (source, read) in sources.iter().zip(read) {
        let Some(symbol) = source.get(time) else { continue };
        let branch = (*read, *symbol);
        *read = *rows.entry(branch).or_insert_with(|| {
            branches.push(branch);
            branches.len() - 1
        });
    }
    branches
}

/// Sources of this length; they stand together, being sorted.
fn ending(sources: &[&[TemplateSymbol]], length: usize) -> std::ops::Range<usize> {
    let shorter = |length: usize| sources.partition_point(|source| source.len() < length);
    shorter(length)..shorter(length + 1)
}

impl DecoderLayer<'_> {
    /// The states after each branch.
    fn branch(&self, branches: &[Branch], states: &Matrix) -> Matrix {
        let mut next = Matrix::zeros(branches.len().next_multiple_of(ROWS), states.columns);
        for (row, (from, _)) in branches.iter().enumerate() {
            next.row_mut(row).copy_from_slice(states.row(*from));
        }
        let mut gates = Matrix::zeros(next.rows, 3 * states.columns);
        let symbols = branches.iter().map(|(_, symbol)| Some(*symbol));
        self.step(symbols, &mut next, &mut gates);
        next
    }

    /// One step of every row that has a symbol; the states of the others stay.
    fn step(
        &self,
        symbols: impl Iterator<Item = Option<TemplateSymbol>>,
        states: &mut Matrix,
        gates: &mut Matrix,
    ) {
        gates.fill_rows(self.weights.hidden_bias);
        add_product(states, self.weights.hidden, gates);
        for (row, symbol) in symbols.enumerate() {
            if let Some(symbol) = symbol {
                let (state, hidden) = (states.row_mut(row), gates.row(row));
                widest(|| update(state, hidden, self.table.row(symbol as usize)));
            }
        }
    }
}

/// The gates of one row: `state` becomes the next state.
#[inline(always)]
fn update(state: &mut [f32], hidden: &[f32], input: &[f32]) {
    let units = state.len();
    let (h_r, h_z, h_n) = thirds(hidden, units);
    let (x_r, x_z, x_n) = thirds(input, units);
    for unit in 0..units {
        let reset = sigmoid(x_r[unit] + h_r[unit]);
        let update = sigmoid(x_z[unit] + h_z[unit]);
        let candidate = tanh(x_n[unit] + reset * h_n[unit]);
        state[unit] = candidate + update * (state[unit] - candidate);
    }
}

#[inline(always)]
fn thirds(gates: &[f32], units: usize) -> (&[f32], &[f32], &[f32]) {
    let (reset, rest) = gates.split_at(units);
    let (update, candidate) = rest.split_at(units);
    (reset, update, &candidate[..units])
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * x)
}

/// A target in the making: which symbols greedy decoding may say next, and when it ends.
pub struct PartialTarget {
    said: Vec<TemplateSymbol>,
    last: TemplateSymbol,
    most: usize,
    /// Placeholders that may be named.
    arguments: usize,
}

impl PartialTarget {
    /// Nothing is said yet.
    pub fn new(source: &[TemplateSymbol], options: &DecodingOptions) -> Self {
        let present = source.iter().filter_map(|symbol| Vocabulary::argument_number(*symbol)).max();
        Self {
            said: Vec::new(),
            last: GO,
            most: options.max_target.min(2 * source.len() + 5),
            arguments: if options.mask_arguments { present.unwrap_or(0) } else { ARGUMENTS },
        }
    }

    /// The symbols said so far.
    pub fn said(&self) -> &[TemplateSymbol] {
        &self.said
    }

    /// Whether a symbol is still to be said.
    pub fn is_open(&self) -> bool {
        self.last != EOS && self.said.len() <= self.most
    }

    fn may_say(&self, symbol: TemplateSymbol) -> bool {
        let known =
            Vocabulary::argument_number(symbol).is_none_or(|number| number <= self.arguments);
        known && !matches!(symbol, PAD | GO | UNK)
    }

    /// Says the symbol with the highest score among those that may be said; of equals, the first.
    pub fn say(&mut self, scores: &[f32]) {
        let allowed = (0..).zip(scores).filter(|(symbol, _)| self.may_say(*symbol));
        let best = allowed.fold((EOS, f32::NEG_INFINITY), |best, (symbol, score)| {
            if *score > best.1 { (symbol, *score) } else { best }
        });
        self.last = best.0;
        self.said.push(best.0);
    }

    /// What was said, without `[EOS]`; nothing where that was not reached.
    pub fn finish(mut self) -> Option<Vec<TemplateSymbol>> {
        (self.said.pop() == Some(EOS)).then_some(self.said)
    }
}
