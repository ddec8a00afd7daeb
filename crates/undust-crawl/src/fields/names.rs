//! The table of names.

use super::{Field, Unit};

/// The names of each field, with white space between them, the likeliest first.
pub(crate) const NAMES: &[(Field, &str)] = &[
    (Field::Url, URL),
    (Field::LooseUrl, "output source"),
    (Field::Target, "requesturi clientrequesturi originalrequesturi originaluri requesttarget"),
    (Field::RequestLine, "request requestline requestfirstline request.line httprequest.line"),
    (Field::Path, PATH),
    (Field::RequestQuery, "requestquery clientrequestquery"),
    (Field::Query, QUERY),
    (Field::LooseQuery, "args queryargs query"),
    (Field::Host, HOST),
    (
        Field::Scheme,
        "xforwardedproto httpxforwardedproto clientrequestscheme requestscheme request.scheme \
         url.scheme http.scheme httpscheme csprotocol scheme protocol proto",
    ),
    (Field::Port, "url.port"),
    (Field::ServerPort, "sport serverport request.serverport"),
    (
        Field::Method,
        "requestmethod method httpmethod clientrequestmethod csmethod requestverb verb \
         request.method request.httpmethod httprequest.requestmethod httprequest.httpmethod \
         httprequest.method http.method http.request.method",
    ),
    (Field::Status, STATUS),
    (Field::NutchStatus, "statusname"),
    (Field::Agent, AGENT),
    (Field::Client, CLIENT),
    (Field::Started, "starteddatetime"),
    (Field::Time, TIME),
    (Field::Date, "date"),
    (Field::Size, SIZE),
    (Field::Took(Unit::Seconds), "requesttime httprequest.latency"),
    (Field::Took(Unit::Milliseconds), "originresponsedurationms durationms"),
    (Field::Took(Unit::Nanoseconds), "originduration originresponsetime"),
    (Field::Took(Unit::SecondsIfBroken), "timetaken"),
    (Field::Took(Unit::OfCaddy), "duration"),
    (Field::Logger, "logger"),
    (
        Field::Digest,
        "digest contentdigest signature hash hachage checksum contenthash response.digest",
    ),
    // A manifest that was made a table of.
    (Field::Simhash, "simhash"),
    (Field::TextHash, "texthash"),
    (Field::Words, "words"),
    (
        Field::Location,
        "location redirect redirecturl redirecturi redirectlocation redirectedto fetchredirect \
         weiterleitungsurl urlderedirection urlderedirección urldireindirizzamento \
         response.headers.location response.redirecturl",
    ),
    (Field::Title, "title pagetitle title1 titel1 título1 metadata.title extras.title"),
    (
        Field::Canonical,
        "canonical canonicalurl canonicallinkelement1 elementdelienenversioncanonique1 \
         élémentdelienenversioncanonique1 elementodeenlacecanónico1 elementolinkcanonico1",
    ),
    (Field::NoVarySearch, "response.headers.novarysearch"),
    (
        Field::ContentType,
        "contenttype contentmimedetected contentmimetype mimetype inhaltstyp typedecontenu \
         tipodecontenido tipodicontenuto response.headers.contenttype response.content.mimetype",
    ),
    (
        Field::Html,
        "body html rawhtml response.body response.html response.content.text cleanedhtml",
    ),
    (Field::Text, "text rawtext markdown"),
    (Field::Message, "response response.raw rawresponse"),
    (Field::Subset, "subset"),
];

// `adresse`, `dirección` and `indirizzo` are German, French, Spanish and Italian.
const URL: &str = "url uri address adresse dirección indirizzo response.url request.endpoint \
     request.url requesturl httprequest.requesturl http.url httpurl url.full url.original csuri \
     pageurl metadata.url metadata.sourceurl";

const PATH: &str = "request.uri requestpath clientrequestpath xenvoyoriginalpath originalpath \
     request.path request.pathname httprequest.uri httprequest.path http.target httptarget \
     http.path csuristem url.path urlpath uripath path pathname";

const QUERY: &str = "querystring urlquery uriquery url.query csuriquery request.query \
     request.querystring httprequest.args httprequest.query http.query";

const HOST: &str = "requestaddr clientrequesthost requesthost xforwardedhost httpxforwardedhost \
     request.host httphost http.host hostheader xhostheader cshost authority request.authority \
     vhost virtualhost headers.host request.headers.host request.hostname httprequest.host \
     httprequest.headers.host url.domain url.host urlhost urlhostname host hostname domain \
     server.address servername";

// `status` comes last: beside a code it is a word.
const STATUS: &str = "statuscode httpstatus httpstatuscode fetchstatus responsestatus \
     responsestatuscode responsecode httpresponsecode downstreamstatus edgeresponsestatus \
     elbstatuscode scstatus codehttp httpcode códigoderespuesta codicedistato response.status \
     response.statuscode httprequest.status http.statuscode http.response.statuscode \
     metadata.statuscode status";

const AGENT: &str = "httpuseragent useragent requestuseragent clientrequestuseragent csuseragent \
     request.headers.useragent request.useragent headers.useragent httprequest.useragent \
     httprequest.headers.useragent http.useragent useragent.original ua agent";

const CLIENT: &str = "client clientip clienthost clientaddr clientaddress clientipaddress client.ip \
     client.address remoteaddr remoteip remotehost sourceip source.ip cip realip trueclientip \
     xforwardedfor httpxforwardedfor request.clientip request.remoteip request.remoteaddr \
     httprequest.remoteip httprequest.clientip";

const TIME: &str = "time timeiso8601 startutc edgestarttimestamp timestamp starttime timestart \
     startedat timelocal datetime eventtime msec ts";

const SIZE: &str = "size bodybytessent bytessent sentbytes responsesize responsebodysize \
     respbodysize responsebytes downstreamcontentsize edgeresponsebytes edgeresponsebodybytes \
     httpbytesout bytesout scbytes bytes httprequest.responsesize http.response.bytes \
     contentlength";
