//! What a queue does in addition to translating, and how it writes.

/// How a translated queue is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum QueueFormat {
    /// The canonical form alone.
    #[default]
    Text,
    /// An object a line: url, canonical, site, how, reason, cause, and the steps of the cause,
    /// each with its notation and [what is known of it](crate::translation::StepEvidence). Of a line of more than
    /// 65,536 bytes, its end included, the first 32,769.
    Jsonl,
}

/// What a [`Queue`](super::Queue) does in addition to translating. By default it writes forms as text,
/// a line for each line, and nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueueOptions {
    /// How lines are written.
    pub format: QueueFormat,
    /// Whether only the first URL of each canonical form is written, as it came. Takes 19 to
    /// 39 bytes of memory a form, and 58 while its table doubles; without it, memory does not
    /// grow with the queue.
    pub unique: bool,
    /// Least confidence in every step, 0 to 1; with less, the URL stays as it is.
    pub min_confidence: Option<f64>,
    /// The share of changed URLs that are written unchanged, so that their pages can be observed: 0
    /// to 1.
    pub exploration: f64,
    /// Whether to count URLs with unseen shapes:
    /// [`QueueCounts::novelty`](super::QueueCounts::novelty).
    pub stats: bool,
    /// Whether a model that cannot be loaded ends the queue; without it, its URLs come back as
    /// they came.
    pub strict: bool,
}

impl QueueOptions {
    /// Whether only forms are wanted, without their confidence and without duplicates being dropped.
    pub(super) fn want_forms_alone(&self) -> bool {
        self.format == QueueFormat::Text
            && !self.unique
            && self.min_confidence.is_none()
            && self.exploration <= 0.0
    }
}
