//! Accepted edits as `gate.json` holds them: words in place of numbers, for people to read and to edit.
//!
//! One edit is one line. It names what it asks for and writes in [patterns](super::pattern), and where it
//! holds by what must be the same there. Nothing in the file depends on how edits are held in memory. Shapes
//! alone are not spelled out but hashed (`xxh3`), because it only matters whether the crawl had one.

mod edits;
mod scopes;
#[cfg(test)]
mod tests;
mod wrong;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::edits::SavedEdit;
pub(crate) use self::scopes::line;
use undust_url::lexicon::Lexicon;
use undust_util::json;

use self::scopes::{SavedAttribute, SavedRestriction, SavedScope};
use self::wrong::{Wrong, each};
use super::accepted::AcceptedEdit;
use super::edit_list::{EditList, WithExamples};
use super::gate_record::GateRecord;
use super::known_values::KnownValues;
use super::literals::Literals;
use super::refused::{RefusalReason, RefusedEdit};
use crate::edit_evidence::EditEvidence;
use crate::error::EditsReason;

/// The file, entry by entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GateFile {
    lexicon: Lexicon,
    rules: Vec<SavedAccepted>,
    #[serde(default)]
    refused: Vec<SavedRefusal>,
    #[serde(default)]
    known_values: Vec<SavedValues>,
    #[serde(default)]
    shapes_xxh3: Vec<Xxh3>,
}

/// An accepted edit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedAccepted {
    edit: SavedEdit,
    #[serde(rename = "where")]
    scope: SavedScope,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<SavedRestriction>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    except: Vec<SavedScope>,
    evidence: EditEvidence,
    rate: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    examples: Vec<[String; 2]>,
}

/// A refused one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRefusal {
    edit: SavedEdit,
    #[serde(rename = "where")]
    scope: SavedScope,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only: Option<SavedRestriction>,
    why: RefusalReason,
    urls: usize,
    evidence: EditEvidence,
    rate: f64,
}

/// Values that name one page each.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedValues {
    of: SavedAttribute,
    values: Vec<String>,
}

/// A [hash of a shape](super::gate_record::shape_hash), in hexadecimal.
struct Xxh3(u64);

impl Serialize for Xxh3 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Xxh3 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = Some(&text).filter(|text| text.len() == 16);
        let number = number.and_then(|text| u64::from_str_radix(text, 16).ok());
        let wrong = || D::Error::custom("is not a hash of 16 hexadecimal digits: remove it");
        number.map(Self).ok_or_else(wrong)
    }
}

/// The bytes of a file with this content.
///
/// # Errors
///
/// None but those of JSON.
pub(crate) fn to_json(list: &EditList) -> serde_json::Result<Vec<u8>> {
    let EditList { lexicon, literals, accepted, record, known_values } = list;
    let mut file = Written(b"{\n".to_vec());
    file.field("lexicon", lexicon)?;
    file.list(
        "rules",
        accepted.iter().map(|(accepted, examples)| SavedAccepted {
            edit: SavedEdit::of(&accepted.edit, lexicon, literals),
            scope: SavedScope::of(&accepted.edit, &accepted.scope, lexicon),
            only: accepted.only.as_ref().map(|only| SavedRestriction::of(only, lexicon)),
            except: SavedScope::all(&accepted.edit, &accepted.exceptions, lexicon),
            evidence: accepted.evidence,
            rate: accepted.rate,
            examples: examples.clone(),
        }),
    )?;
    file.list(
        "refused",
        record.refused.iter().map(|refused| SavedRefusal {
            edit: SavedEdit::of(&refused.edit, lexicon, literals),
            scope: SavedScope::of(&refused.edit, &refused.scope, lexicon),
            only: refused.only.as_ref().map(|only| SavedRestriction::of(only, lexicon)),
            why: refused.why,
            urls: refused.urls,
            evidence: refused.evidence,
            rate: refused.rate,
        }),
    )?;
    file.list(
        "known_values",
        known_values.iter().map(|list| SavedValues {
            of: SavedAttribute::of(list.attribute, lexicon),
            values: list.values.clone(),
        }),
    )?;
    let shapes: Vec<Xxh3> = record.shapes().iter().copied().map(Xxh3).collect();
    if !shapes.is_empty() {
        file.field("shapes_xxh3", &shapes)?;
    }
    Ok(file.finish())
}

/// A file in the making: a field is a line, and so is an entry of a list.
struct Written(Vec<u8>);

impl Written {
    fn key(&mut self, name: &str) {
        if self.0.len() > 2 {
            self.0.extend_from_slice(b",\n");
        }
        self.0.extend_from_slice(format!("{name:?}: ").as_bytes());
    }

    fn value(&mut self, value: &impl Serialize) -> serde_json::Result<()> {
        json::append(&mut self.0, value)
    }

    fn field(&mut self, name: &str, value: &impl Serialize) -> serde_json::Result<()> {
        self.key(name);
        self.value(value)
    }

    /// A list, unless it is empty; `rules` is there in any case.
    fn list<T: Serialize>(
        &mut self,
        name: &str,
        entries: impl ExactSizeIterator<Item = T>,
    ) -> serde_json::Result<()> {
        if entries.len() == 0 {
            return if name == "rules" { self.field(name, &[(); 0]) } else { Ok(()) };
        }
        self.key(name);
        for (place, entry) in entries.enumerate() {
            self.0.extend_from_slice(if place == 0 { b"[\n" } else { b",\n" });
            self.value(&entry)?;
        }
        self.0.extend_from_slice(b"\n]");
        Ok(())
    }

    fn finish(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"\n}\n");
        self.0
    }
}

/// What a file holds.
///
/// # Errors
///
/// Which entry and which field of its content is inconsistent, and what to write.
pub(crate) fn from_json(json: &[u8]) -> Result<EditList, EditsReason> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let file: GateFile =
        serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            match error.path().to_string() {
                path if path == "." => EditsReason(error.inner().to_string()),
                path => EditsReason(format!("{path}: {}", error.inner())),
            }
        })?;
    reader.end().map_err(|error| EditsReason(error.to_string()))?;
    file.list().map_err(|entry| EditsReason(entry.to_string()))
}

impl GateFile {
    fn list(self) -> Result<EditList, Wrong> {
        let Self { lexicon, rules, refused, known_values, shapes_xxh3 } = self;
        let mut literals = Literals::default();
        let accepted = each("rules", rules, |rule| rule.read(&lexicon, &mut literals))?;
        let refused = each("refused", refused, |one| one.read(&lexicon, &mut literals))?;
        let mut record = GateRecord::of(shapes_xxh3.into_iter().map(|hash| hash.0));
        record.refused = refused;
        let known_values = each("known_values", known_values, |list| {
            let attribute = list.of.read(&lexicon).map_err(|wrong| wrong.within("of"))?;
            Ok(KnownValues { attribute, values: list.values })
        })?;
        for (place, list) in known_values.iter().enumerate() {
            if known_values[..place].iter().any(|before| before.attribute == list.attribute) {
                let wrong = Wrong::from("is listed twice: put all its values into one list");
                return Err(wrong.within("of").at(place).within("known_values"));
            }
        }
        Ok(EditList { lexicon, literals, accepted, record, known_values })
    }
}

impl SavedAccepted {
    fn read(self, lexicon: &Lexicon, literals: &mut Literals) -> Result<WithExamples, Wrong> {
        let edit = self.edit.read(lexicon, literals).map_err(|wrong| wrong.within("edit"))?;
        let scope = self.scope.read(&edit, lexicon).map_err(|wrong| wrong.within("where"))?;
        let only = self.only.map(|only| only.read(lexicon)).transpose();
        let except = each("except", self.except, |scope| scope.read(&edit, lexicon))?;
        let (evidence, rate, exceptions) = (self.evidence, self.rate, Vec::new());
        let only = only.map_err(|wrong| wrong.within("only"))?;
        let examples = Vec::new();
        let mut accepted = AcceptedEdit { edit, scope, only, exceptions, evidence, rate, examples };
        accepted.except(except);
        Ok((accepted, self.examples))
    }
}

impl SavedRefusal {
    fn read(self, lexicon: &Lexicon, literals: &mut Literals) -> Result<RefusedEdit, Wrong> {
        let edit = self.edit.read(lexicon, literals).map_err(|wrong| wrong.within("edit"))?;
        let scope = self.scope.read(&edit, lexicon).map_err(|wrong| wrong.within("where"))?;
        let only = self.only.map(|only| only.read(lexicon)).transpose();
        let only = only.map_err(|wrong| wrong.within("only"))?;
        let Self { why, urls, evidence, rate, .. } = self;
        Ok(RefusedEdit { edit, scope, only, urls, evidence, rate, why })
    }
}
