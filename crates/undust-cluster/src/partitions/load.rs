//! What partitions cost: how evenly the work is spread, and what is never sent or compared.

use std::sync::atomic::{AtomicU64, Ordering};

use undust_pages::lengths::WordLengths;

use super::Partitions;

/// The work of one partition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Pages that live there.
    pub pages: u64,
    /// Pages that are sent there to be compared, those that live there included.
    pub visitors: u64,
}

impl Load {
    /// Comparisons of every visitor with every page that lives there.
    pub fn comparisons(&self) -> u64 {
        self.pages * self.visitors
    }
}

/// The work of all partitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loads(pub Vec<Load>);

impl Loads {
    /// What these pages cost, each compared with all of its partitions.
    pub fn of(partitions: &Partitions, pages: &[WordLengths], count: u32) -> Loads {
        Self::counting(partitions, pages, count, &AtomicU64::new(0))
    }

    /// The same; `done` counts the pages on the way.
    pub fn counting(
        partitions: &Partitions,
        pages: &[WordLengths],
        count: u32,
        done: &AtomicU64,
    ) -> Loads {
        let mut loads = vec![Load::default(); count as usize];
        for page in pages {
            loads[partitions.partition_of(page) as usize].pages += 1;
            for partition in partitions.compared_with(page) {
                loads[partition as usize].visitors += 1;
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
        Loads(loads)
    }

    /// The coefficient of variation of the pages that partitions receive: 0 if all receive
    /// equally many.
    pub fn imbalance(&self) -> f64 {
        variation(self.0.iter().map(|load| load.visitors))
    }

    /// The coefficient of variation of the comparisons.
    pub fn imbalance_of_comparisons(&self) -> f64 {
        variation(self.0.iter().map(Load::comparisons))
    }

    /// The share of messages that is not sent, of those of every page to every partition.
    pub fn communication_saved(&self) -> f64 {
        let sent: u64 = self.0.iter().map(|load| load.visitors).sum();
        saved(sent, self.pages() * self.0.len() as u64)
    }

    /// The share of comparisons that is not made, of those of every page with every page.
    pub fn comparisons_saved(&self) -> f64 {
        let made: u64 = self.0.iter().map(Load::comparisons).sum();
        saved(made, self.pages() * self.pages())
    }

    fn pages(&self) -> u64 {
        self.0.iter().map(|load| load.pages).sum()
    }
}

fn saved(done: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { 1.0 - done as f64 / all as f64 }
}

/// Standard deviation over mean.
fn variation(values: impl Iterator<Item = u64> + Clone) -> f64 {
    let (mut count, mut sum) = (0.0, 0.0);
    values.clone().for_each(|value| (count, sum) = (count + 1.0, sum + value as f64));
    let mean: f64 = sum / count;
    let squares: f64 = values.map(|value| (value as f64 - mean).powi(2)).sum();
    if sum == 0.0 { 0.0 } else { (squares / count).sqrt() / mean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_small_example() {
        let load = |pages, visitors| Load { pages, visitors };
        let even = Loads(vec![load(2, 4), load(2, 4)]);
        assert_eq!((even.imbalance(), even.communication_saved()), (0.0, 0.0));
        let odd = Loads(vec![load(3, 3), load(1, 1)]);
        assert_eq!((odd.imbalance(), odd.communication_saved()), (0.5, 0.5));
        assert_eq!((odd.imbalance_of_comparisons(), odd.comparisons_saved()), (0.8, 0.375));
        assert_eq!(Loads(vec![Load::default(); 3]).imbalance(), 0.0);
    }
}
