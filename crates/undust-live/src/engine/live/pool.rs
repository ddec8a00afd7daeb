//! The threads that learn: as many as there are cores, for all sites.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::engine::lock::locked;

type Job = Box<dyn FnOnce() + Send>;

/// Begins a thread.
type Spawn = fn(Job) -> io::Result<()>;

/// Threads that do jobs in their order. They begin when they are needed, and end with the pool.
pub(super) struct Pool {
    shared: Arc<Shared>,
    most: usize,
    spawn: Spawn,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// Jobs that somebody prepares, who was told that there is room.
    promised: usize,
    threads: usize,
    idle: usize,
    is_closed: bool,
}

/// Room for one job.
pub(super) struct Room<'p>(&'p Pool);

impl Pool {
    /// One of as many threads as there are cores, and at most so many.
    pub(super) fn new(most: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self::with(cores.min(most), |job| {
            thread::Builder::new().name("learning".into()).spawn(job).map(drop)
        })
    }

    fn with(most: usize, spawn: Spawn) -> Self {
        Self { shared: Arc::default(), most, spawn }
    }

    /// Room for a job, unless as many wait as there may be threads: whoever finds none comes again
    /// later, and holds nothing meanwhile.
    pub(super) fn room(&self) -> Option<Room<'_>> {
        let mut queue = locked(&self.shared.queue);
        if queue.jobs.len() + queue.promised >= self.most + queue.idle {
            return None;
        }
        queue.promised += 1;
        Some(Room(self))
    }

    /// Begins a thread where none is free for the jobs; whether somebody does them.
    fn has_hands(&self, queue: &mut Queue) -> bool {
        if queue.idle < queue.jobs.len() && queue.threads < self.most {
            let shared = Arc::clone(&self.shared);
            queue.threads += usize::from((self.spawn)(Box::new(move || shared.work())).is_ok());
        }
        queue.threads > 0
    }
}

impl Room<'_> {
    /// Has the job done. Where the system gives no thread at all, that is at once.
    pub(super) fn take(self, job: impl FnOnce() + Send + 'static) {
        let pool = self.0;
        let mut queue = locked(&pool.shared.queue);
        queue.jobs.push_back(Box::new(job));
        if pool.has_hands(&mut queue) {
            pool.shared.changed.notify_one();
        } else if let Some(job) = queue.jobs.pop_back() {
            drop(queue);
            done(job);
        }
    }
}

/// Whatever becomes of the promise.
impl Drop for Room<'_> {
    fn drop(&mut self) {
        locked(&self.0.shared.queue).promised -= 1;
    }
}

impl Shared {
    fn work(&self) {
        while let Some(job) = self.next() {
            done(job);
        }
    }

    /// The next job; none when the pool is gone.
    fn next(&self) -> Option<Job> {
        let mut queue = locked(&self.queue);
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            queue.idle += 1;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }
}

/// Does a job; one that panics has said so, and ends no thread.
fn done(job: Job) {
    let _: thread::Result<()> = catch_unwind(AssertUnwindSafe(job));
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = locked(&self.shared.queue);
        queue.is_closed = true;
        queue.jobs.clear();
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    fn threads(job: Job) -> io::Result<()> {
        thread::Builder::new().spawn(job).map(drop)
    }

    /// Whatever comes at whatever time: no more threads than allowed, no more waiting, all done.
    #[test]
    fn jobs_take_no_more_threads_than_allowed() {
        let pool = Pool::with(2, threads);
        let (gate, at_once, most, done) = (
            Arc::new(Mutex::new(())),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let (sender, all) = channel();
        let shut = locked(&gate);
        let mut taken = 0;
        let begin = |taken: &mut usize| {
            let Some(room) = pool.room() else { return false };
            let (gate, at_once, most, done, sender) = (
                Arc::clone(&gate),
                Arc::clone(&at_once),
                Arc::clone(&most),
                Arc::clone(&done),
                sender.clone(),
            );
            room.take(move || {
                most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                drop(locked(&gate));
                at_once.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
                sender.send(()).expect("somebody waits");
                // It ends no thread.
                std::panic::resume_unwind(Box::new("a job that panics"));
            });
            *taken += 1;
            true
        };
        while taken < 4 {
            begin(&mut taken);
            thread::yield_now();
        }
        assert!(!(0..100).any(|_| begin(&mut taken)), "two are at work, two wait");
        drop(shut);
        for _ in 0..4 {
            all.recv().expect("a job");
        }
        for _ in 0..100 {
            while !begin(&mut taken) {
                thread::yield_now();
            }
            all.recv().expect("a job");
        }
        assert_eq!((done.load(Ordering::SeqCst), most.load(Ordering::SeqCst)), (104, 2));
    }

    #[test]
    fn where_no_thread_can_be_had_the_caller_works() {
        let pool = Pool::with(2, |_| Err(io::Error::other("no thread")));
        for number in 0..5 {
            let (sender, done) = channel();
            let room = pool.room().expect("room");
            room.take(move || sender.send((number, thread::current().id())).expect("a place"));
            assert_eq!(done.recv().ok(), Some((number, thread::current().id())));
        }
    }

    #[test]
    fn a_room_that_nobody_takes_is_free_again() {
        let pool = Pool::with(1, threads);
        for _ in 0..5 {
            assert!(pool.room().is_some());
        }
    }
}
