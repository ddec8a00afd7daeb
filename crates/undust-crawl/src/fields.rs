//! What programs call the fields of a response: in feeds, exports and results of crawlers.
//!
//! Names are compared without regard to letter case and punctuation: `Status Code`, `status_code` and `statusCode` are
//! one name. A dot stands between the names of nested objects: `response.status_code`.

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Url,
    Status,
    /// The state of a URL in the database of Nutch.
    NutchStatus,
    Digest,
    Simhash,
    TextHash,
    Words,
    Location,
    Title,
    Canonical,
    ContentType,
    Html,
    Text,
}

impl Field {
    /// Its names, the likeliest first.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Url => &[
                "url",
                "uri",
                "address",
                // German, French, Spanish and Italian.
                "adresse",
                "dirección",
                "indirizzo",
                "response.url",
                "request.endpoint",
                "request.url",
                "metadata.url",
                "metadata.sourceurl",
                "source",
            ],
            // `status` comes last: beside a code it is a word.
            Self::Status => &[
                "statuscode",
                "httpstatus",
                "httpstatuscode",
                "fetchstatus",
                "responsestatus",
                "codehttp",
                "códigoderespuesta",
                "codicedistato",
                "response.status",
                "response.statuscode",
                "metadata.statuscode",
                "status",
            ],
            Self::NutchStatus => &["statusname"],
            Self::Digest => &[
                "digest",
                "contentdigest",
                "signature",
                "hash",
                "hachage",
                "checksum",
                "contenthash",
                "response.digest",
            ],
            // A manifest that was made a table of.
            Self::Simhash => &["simhash"],
            Self::TextHash => &["texthash"],
            Self::Words => &["words"],
            Self::Location => &[
                "location",
                "redirect",
                "redirecturl",
                "redirecturi",
                "redirectlocation",
                "fetchredirect",
                "weiterleitungsurl",
                "urlderedirection",
                "urlderedirección",
                "urldireindirizzamento",
                "response.headers.location",
            ],
            Self::Title => &["title", "pagetitle", "title1", "titel1", "título1", "metadata.title"],
            Self::Canonical => &[
                "canonical",
                "canonicallinkelement1",
                "elementdelienenversioncanonique1",
                "élémentdelienenversioncanonique1",
                "elementodeenlacecanónico1",
                "elementolinkcanonico1",
            ],
            Self::ContentType => &[
                "contenttype",
                "contentmimedetected",
                "contentmimetype",
                "mimetype",
                "inhaltstyp",
                "typedecontenu",
                "tipodecontenido",
                "tipodicontenuto",
                "response.headers.contenttype",
            ],
            Self::Html => &[
                "body",
                "html",
                "rawhtml",
                "response.body",
                "response.html",
                "data.html",
                "cleanedhtml",
            ],
            Self::Text => &["text", "rawtext", "markdown"],
        }
    }
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || *c == '.';
    name.chars().filter(is_kept).flat_map(char::to_lowercase).collect()
}

/// Every field.
#[cfg(any(feature = "parquet", test))]
pub(super) const ALL_FIELDS: [Field; 13] = [
    Field::Url,
    Field::Status,
    Field::NutchStatus,
    Field::Digest,
    Field::Simhash,
    Field::TextHash,
    Field::Words,
    Field::Location,
    Field::Title,
    Field::Canonical,
    Field::ContentType,
    Field::Html,
    Field::Text,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_say_one_thing() {
        let names: Vec<&str> = ALL_FIELDS.iter().flat_map(|field| field.names()).copied().collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(plain(name), *name);
            assert!(!names[..at].contains(name), "{name} says two things");
        }
        assert_eq!(plain("Status Code"), plain("status_code"));
        assert_eq!(plain("response.statusCode"), "response.statuscode");
    }
}
