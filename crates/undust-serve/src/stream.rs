//! Lines of any number, answered as they come.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use futures_util::stream::unfold;
use http_body_util::BodyExt;

use super::failure::Failure;
use super::lines::{BodyPart, Splitter};
use super::query::AnswerFormat;
use super::state::Service;

/// A body on its way through.
struct Passage {
    service: Arc<Service>,
    format: AnswerFormat,
    body: Body,
    splitter: Splitter,
    waiting: VecDeque<BodyPart>,
    is_over: bool,
}

/// The answer to a body of any length. What has come is answered before more is read, and no more
/// is read than the client takes answers.
pub(super) fn translated(service: &Arc<Service>, format: AnswerFormat, body: Body) -> Body {
    let passage = Passage {
        service: Arc::clone(service),
        format,
        body,
        splitter: Splitter::default(),
        waiting: VecDeque::new(),
        is_over: false,
    };
    Body::from_stream(unfold(passage, |mut passage| async move {
        let next = passage.next().await?;
        passage.is_over |= next.is_err();
        Some((next, passage))
    }))
}

impl Passage {
    /// What is to be written next; nothing at the end. An error breaks the answer off, so that it
    /// is not taken for whole.
    async fn next(&mut self) -> Option<Result<Bytes, std::io::Error>> {
        loop {
            if let Some(piece) = self.waiting.pop_front() {
                match self.service.piece(self.format, piece).await {
                    Ok(answer) if answer.is_empty() => continue,
                    Ok(answer) => return Some(Ok(answer.into())),
                    Err(Failure { sentence, .. }) => {
                        return Some(Err(std::io::Error::other(sentence)));
                    }
                }
            }
            if self.is_over {
                return None;
            }
            match self.body.frame().await {
                Some(Ok(frame)) => {
                    if let Ok(part) = frame.into_data() {
                        self.waiting.extend(self.splitter.push(&part));
                    }
                }
                Some(Err(error)) => {
                    tracing::debug!(%error, "a body broke off");
                    return Some(Err(std::io::Error::other(error)));
                }
                None => {
                    self.is_over = true;
                    self.waiting.extend(self.splitter.finish());
                }
            }
        }
    }
}
