//! Units and methods as independent jobs on some threads: one network trains best on
//! one thread, and there are many to train.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::result::SiteResult;
use super::run::MethodRun;
use super::split::Split;
use crate::method::Method;

/// What is done on each unit, on any of the threads, several at a time.
pub trait Work<B>: Sync {
    /// One method: [`Split::evaluate`] and whatever else is to be done around it.
    fn evaluate(&self, split: &Split, method: Method) -> MethodRun;

    /// What else is to be found out about the unit. It is begun first, because it may take longest.
    fn extra(&self, split: &Split) -> B;
}

/// Only methods are evaluated.
impl<F: Fn(&Split, Method) -> MethodRun + Sync> Work<()> for F {
    fn evaluate(&self, split: &Split, method: Method) -> MethodRun {
        self(split, method)
    }

    fn extra(&self, _: &Split) {}
}

/// A unit, and what is already known of it.
struct UnitAtWork<B> {
    number: usize,
    split: Split,
    found: Mutex<Found<B>>,
}

/// What the jobs of a unit found, each in its place.
struct Found<B> {
    extra: Option<B>,
    runs: Vec<Option<MethodRun>>,
}

/// A method on a unit, or what else is done on the unit.
struct Job<B> {
    unit: Arc<UnitAtWork<B>>,
    /// The position of the method.
    method: Option<usize>,
}

/// What is still to be done. A unit is taken from `supply` when all earlier units have no open
/// job, so that only the units at work are in memory.
struct UnitQueue<'s, B> {
    supply: &'s mut (dyn Iterator<Item = Split> + Send),
    methods: usize,
    jobs: VecDeque<Job<B>>,
    units: usize,
}

impl<B> UnitQueue<'_, B> {
    fn next(&mut self) -> Option<Job<B>> {
        if self.jobs.is_empty() && self.methods > 0 {
            let split = self.supply.next()?;
            let runs = (0..self.methods).map(|_| None).collect();
            let found = Mutex::new(Found { extra: None, runs });
            let unit = Arc::new(UnitAtWork { number: self.units, split, found });
            self.units += 1;
            let methods = std::iter::once(None).chain((0..self.methods).map(Some));
            self.jobs.extend(methods.map(|method| Job { unit: Arc::clone(&unit), method }));
        }
        self.jobs.pop_front()
    }
}

/// Evaluates every method on every unit, on `threads` threads. The results come in the order
/// of the units and of the methods, whichever is done first, each with what else was found.
///
/// `supply` is asked by one thread at a time.
pub fn evaluate_all<B: Send>(
    supply: &mut (dyn Iterator<Item = Split> + Send),
    methods: &[Method],
    threads: usize,
    work: &(impl Work<B> + ?Sized),
) -> Vec<(SiteResult, B)> {
    let (jobs, units) = (VecDeque::new(), 0);
    let queue = Mutex::new(UnitQueue { supply, methods: methods.len(), jobs, units });
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || do_jobs(queue, methods, work, &sender));
        }
    });
    drop(sender);
    let mut done: Vec<_> = receiver.into_iter().collect();
    done.sort_by_key(|(number, ..)| *number);
    done.into_iter().map(|(_, result, extra)| (result, extra)).collect()
}

fn do_jobs<B>(
    queue: &Mutex<UnitQueue<'_, B>>,
    methods: &[Method],
    work: &(impl Work<B> + ?Sized),
    done: &mpsc::Sender<(usize, SiteResult, B)>,
) {
    let next = || locked(queue).next();
    while let Some(Job { unit, method }) = next() {
        let split = &unit.split;
        match method {
            Some(at) => {
                let run = work.evaluate(split, methods[at]);
                locked(&unit.found).runs[at] = Some(run);
            }
            None => {
                let extra = work.extra(split);
                locked(&unit.found).extra = Some(extra);
            }
        }
        // Whoever does the last job of a unit is the last that holds it.
        if let Some(UnitAtWork { number, split, found }) = Arc::into_inner(unit) {
            let Found { extra, runs } = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            let result = split.result(runs.into_iter().flatten().collect());
            if let Some(extra) = extra {
                // The receiver outlives the threads.
                let _ = done.send((number, result, extra));
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
