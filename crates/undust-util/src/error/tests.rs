//! Sentences whose parts are put together here.

use super::*;

#[derive(Debug, thiserror::Error)]
#[error("is odd")]
struct OddModel;

impl Reason for OddModel {
    const SUBJECT: Subject = Subject::Model;

    fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::Pack)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("is odd")]
struct Odd;

impl Reason for Odd {}

#[test]
fn a_reason_says_where_and_what_it_is_about() {
    let of_state = place(Subject::State, Some("a".as_ref()), None);
    for (said, sentence) in [
        (Error::from(OddModel).to_string(), "is odd"),
        (Error::at("a", OddModel).to_string(), "model a: is odd"),
        (Error::at("a", Odd).to_string(), "a: is odd"),
        (Error::at_line("a", 2, Odd).to_string(), "a:2: is odd"),
        (of_state, "state a: "),
    ] {
        assert_eq!(said, sentence);
    }
    let secret = Error::at("https://me:secret@a.test/b", Odd).to_string();
    assert!(!secret.contains("secret"), "{secret}");
}

#[test]
fn a_reason_is_found_in_a_shared_error_too() {
    let error = Error::at("a", OddModel);
    assert_eq!((error.subject(), error.remedy()), (Subject::Model, Some(Remedy::Pack)));
    let shared = Error::Shared(Arc::new(error));
    assert_eq!((shared.subject(), shared.remedy()), (Subject::Model, None));
    assert!(shared.reason::<OddModel>().is_some() && shared.reason::<Odd>().is_none());
}

#[test]
fn a_file_system_is_blamed_by_name() {
    let refused = io::Error::from(io::ErrorKind::PermissionDenied);
    let described = Error::io("read", "-")(refused).to_string();
    assert!(described.starts_with("cannot read standard input: "), "{described}");
}
