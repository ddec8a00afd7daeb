//! Units and methods as independent jobs on some threads: one network trains best on
//! one thread, and there are many to train.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use super::result::{MethodResult, SiteResult};
use super::split::Split;
use crate::method::Method;

/// One method on one unit.
struct Job {
    split: Arc<Split>,
    /// Position of the unit and of the method.
    at: (usize, usize),
    method: Method,
}

/// What is still to be done. A unit is taken from `supply` when all earlier units have no open
/// job, so that only the units at work are in memory.
struct UnitQueue<'s> {
    supply: &'s mut (dyn Iterator<Item = Split> + Send),
    methods: &'s [Method],
    jobs: VecDeque<Job>,
    sites: Vec<SiteResult>,
}

impl UnitQueue<'_> {
    fn next(&mut self) -> Option<Job> {
        if self.jobs.is_empty() && !self.methods.is_empty() {
            let split = Arc::new(self.supply.next()?);
            let unit = self.sites.len();
            self.sites.push(SiteResult::without_methods(&split));
            let job = |(at, &method)| Job { split: Arc::clone(&split), at: (unit, at), method };
            self.jobs.extend(self.methods.iter().enumerate().map(job));
        }
        self.jobs.pop_front()
    }
}

/// Evaluates every method on every unit, on `threads` threads. The results come in the order
/// of the units and of the methods, whichever is done first.
///
/// `evaluate` runs on any of the threads, several at a time; it is [`Split::evaluate`] and
/// whatever else is to be done around it. `supply` is asked by one thread at a time.
pub fn evaluate_all(
    supply: &mut (dyn Iterator<Item = Split> + Send),
    methods: &[Method],
    threads: usize,
    evaluate: &(dyn Fn(&Split, Method) -> MethodResult + Sync),
) -> Vec<SiteResult> {
    let queue = Mutex::new(UnitQueue { supply, methods, jobs: VecDeque::new(), sites: Vec::new() });
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || work(queue, evaluate, &sender));
        }
    });
    drop(sender);
    let mut sites = queue.into_inner().unwrap_or_else(PoisonError::into_inner).sites;
    let mut done: Vec<_> = receiver.into_iter().collect();
    done.sort_by_key(|(at, _)| *at);
    for ((unit, _), result) in done {
        sites[unit].methods.push(result);
    }
    sites
}

fn work(
    queue: &Mutex<UnitQueue<'_>>,
    evaluate: &(dyn Fn(&Split, Method) -> MethodResult + Sync),
    done: &mpsc::Sender<((usize, usize), MethodResult)>,
) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some(job) = next() {
        let result = evaluate(&job.split, job.method);
        // The receiver outlives the threads.
        let _ = done.send((job.at, result));
    }
}
