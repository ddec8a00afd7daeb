import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, final, overload, type_check_only

from undust._types import Explanation, How, LearnedSite, Page, Status, TrainedSite

__all__ = [
    "Address",
    "Answer",
    "Audits",
    "CrawlError",
    "Decision",
    "Error",
    "Forms",
    "Live",
    "ModelError",
    "Models",
    "Observed",
    "ObservedOperation",
    "PackWriter",
    "Rows",
    "SHORT_TEXT_WORDS",
    "SettingsError",
    "SiteClusters",
    "SitePages",
    "SiteStats",
    "StateError",
    "TextSet",
    "Translation",
    "__version__",
    "ingest",
    "page",
    "page_links",
    "bucket_entries",
    "redirects_away",
    "save_model",
    "simhash",
    "site_keys",
    "train",
    "url_nodes",
]

SHORT_TEXT_WORDS: int
"""Words from which on the fingerprint tells pages apart. Below, equal words must, too."""
__version__: str

class Error(Exception):
    """What undust cannot do, and what would help."""

class ModelError(Error):
    """A folder of models cannot be used."""

class CrawlError(Error):
    """A crawl cannot be read."""

class SettingsError(Error):
    """A setting is wrong."""

class StateError(Error):
    """The state of a live crawl cannot be used."""

@final
class Address:
    """An address of storage or of the web, which may hold a secret. Its text is had by `reveal` alone."""

    def __new__(cls, text: str) -> Address: ...
    def reveal(self) -> str:
        """The whole text, for whoever connects."""

    def quiet(self, message: str) -> str | None:
        """A message of another library; None where it quotes a secret."""

    def __getnewargs__(self) -> tuple[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Translation:
    """A URL's canonical form, and how it was found."""

    @property
    def canonical(self) -> str:
        """The canonical form."""

    @property
    def changed(self) -> bool:
        """Whether it is another text than the URL."""

    @property
    def how(self) -> How:
        """How the form was found."""

    @property
    def reason(self) -> str | None:
        """Why the method did not change the URL: for ``normal form`` and ``unchanged``."""

    @property
    def cause(self) -> str:
        """The rules or edits that were applied, in their notation; empty if none was."""

    @property
    def explored(self) -> str | None:
        """The form that it would have had, where the URL came back as it came so that it is fetched
        all the same. `how` and `cause` are of that form."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Answer:
    """The form of a URL, or why the URL stays as it is."""

    @property
    def form(self) -> str | None:
        """The canonical form, if it is another text than the URL."""

    @property
    def reason(self) -> str | None:
        """Why the URL came back as it came, if there is a reason; ``explored`` where it is fetched
        to see what comes back."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Observed:
    """What became of observations."""

    @property
    def counted(self) -> int:
        """Observations that counted."""

    @property
    def conflicts(self) -> int:
        """Of these, how many showed another page than their form."""

    @property
    def passed_over(self) -> int:
        """Observations that did not count: no model, or the two URLs do not have one form that an
        operation of the model brought about."""

    @property
    def without_model(self) -> int:
        """Of these, how many are of sites without a model that can be loaded."""

    @property
    def operations(self) -> list[ObservedOperation]:
        """The operations that they were about, those that failed first."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class ObservedOperation:
    """An operation, and all that came back of its URLs since its model was learned."""

    @property
    def site(self) -> str:
        """The site of its model."""

    @property
    def operation(self) -> str:
        """Its notation."""

    @property
    def agreed(self) -> int:
        """URLs that showed the page of their form."""

    @property
    def disagreed(self) -> int:
        """URLs that showed another page."""

    @property
    def status(self) -> Status:
        """Where it stands."""

    def __eq__(self, other: object, /) -> bool: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self) -> object: ...

@final
class Forms:
    """The forms of an Arrow column, for whatever takes in Arrow arrays."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class Models:
    """The models of a folder or pack, one registry for all threads of the process.

    A model that training replaces is served within a second. `path` may be the address of a pack in
    storage (``s3://``, ``gs://``, ``hdfs://``, ``abfs://`` by pyarrow; ``https://``, ``http://``),
    which is read in ranges: every `refresh` seconds it is looked for a new one. Storage that does
    not answer within `timeout` seconds, or fails, is an `Error`, and `ask` gives it as the reason;
    models in memory are served all the same. With `min_confidence` only forms
    whose every step is that sure are given. The share `exploration` of the URLs that change form
    comes back as it came, so that it is fetched all the same: `observe` takes what came back.
    """

    def __new__(
        cls,
        path: str | os.PathLike[str],
        *,
        min_confidence: float = 0.0,
        exploration: float = 0.0,
        refresh: float = 30.0,
        timeout: float = 30.0,
    ) -> Models: ...
    def canonicalize(self, url: str) -> str:
        """The canonical form of a URL; the URL itself where no model knows better."""

    # The forms of many URLs, in their order, on all cores: a list, or an Arrow column for one. One
    # `str` is a `TypeError`.
    @overload
    def canonicalize_many(self, urls: _ArrowArray | _ArrowStream) -> Any: ...
    @overload
    def canonicalize_many(self, urls: Iterable[str]) -> list[str]: ...
    def translation(self, url: str) -> Translation:
        """The form of a URL, and how it was found."""

    def ask(self, url: str) -> Answer:
        """The form of a URL if it is another text, or why the URL came back as it came. For callers
        who ask often: it makes nothing else."""

    def sites(self) -> list[str]:
        """The sites that have a model, in order."""

    def observe(self, url: str, form: str, same: bool) -> Observed:
        """Reports what came back of a URL that was fetched though another URL of its form was: its
        form or any other one, and whether both showed the same page."""

    def observe_many(self, observations: list[tuple[str, str, bool]]) -> Observed:
        """Reports what came back of many URLs, as `observe` does of one."""

    def explain(self, url: str) -> Explanation:
        """Why a URL gets its form: what ``undust explain --format json`` says, as a dict."""

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...

@final
class Decision:
    """What becomes of a URL; true if it is fetched."""

    @property
    def do(self) -> Literal["fetch", "skip", "probe"]:
        """``fetch``, ``skip``, or ``probe``: a fetch that tests whether such URLs can be skipped."""

    @property
    def form(self) -> str | None:
        """Of a skip: the form of the URL."""

    @property
    def why(self) -> str | None:
        """Of a skip: what gives it this form."""

    @property
    def fetched(self) -> int:
        """Of a skip: how many URLs of this form were fetched and showed one page; else 0."""

    @property
    def loss(self) -> float:
        """The probability that a skip loses a page; 0 for what is fetched."""

    @property
    def hypothesis(self) -> str | None:
        """Of a probe: what it tests."""

    @property
    def fetches(self) -> bool:
        """Whether the URL is fetched."""

    def __bool__(self) -> bool: ...

@final
class SiteStats:
    """What became of the URLs of a site."""

    @property
    def fetched(self) -> int:
        """Pages fetched."""

    @property
    def distinct(self) -> int:
        """Distinct pages among them."""

    @property
    def skipped(self) -> int:
        """URLs skipped."""

    @property
    def by_model(self) -> int:
        """Skips by the form that the model gives."""

    @property
    def by_probes(self) -> int:
        """Skips by a proposal that probes confirmed."""

    @property
    def settled(self) -> int:
        """Skips that were certain enough to need no audit; the bound says nothing of them."""

    @property
    def probes(self) -> int:
        """Fetches that tested a proposal; a killed process loses count of those that did not replace a skip."""

    @property
    def pending(self) -> int:
        """URLs that were decided upon and have not come back."""

    @property
    def audits(self) -> Audits:
        """What audits showed."""

    @property
    def lost_share_bound(self) -> float:
        """At most this share of the skips lost a page, at all times at once with probability 0.95."""

    @property
    def spent(self) -> float:
        """The sum of the probabilities that a skip lost a page."""

    @property
    def learnings(self) -> int:
        """Times that the site was learned."""

    @property
    def failed_learnings(self) -> int:
        """Learnings that failed."""

    @property
    def switched_off(self) -> int:
        """Kinds of skips that audits have stopped since the last learning."""

    @property
    def banned(self) -> bool:
        """Whether the site, or a folder of it, answers everything with one page at the moment, from
        which nothing is learned."""

    @property
    def ignored(self) -> int:
        """Pages of bans, which say nothing."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Audits:
    """What audits showed."""

    @property
    def trials(self) -> int:
        """URLs that were skipped, or would have been but for an audit."""

    @property
    def audited(self) -> int:
        """Of these, how many were drawn and came back."""

    @property
    def lost(self) -> int:
        """Of these, how many showed a page that nobody had seen."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Live:
    """Decides for a crawler which URLs it fetches, and learns from what comes back.

    `state` is the folder of the state, which is made if it does not exist; without one nothing is
    kept. Ask `decide` for a URL when it leaves the queue, and tell `saw` what came back: the page
    as ``html`` (str or bytes), or its ``title`` and ``simhash``, with ``words`` and ``text_hash``,
    or its ``digest``; ``location`` of a redirect; status 0 where no answer came. `saw` returns a site that was learned anew meanwhile.
    `begin_crawl` begins another crawl: every page is to be found again.

    The expected number of lost pages stays below the share `risk` of the pages found. The share
    `audits` of the skips is fetched all the same, which measures what skips lose. `settings` are
    those of `undust.train`; their seed draws no audits: a secret of the state does, which nobody is
    told. With ``background=False`` the crawl waits while a site is learned, and the same events on
    the same state give the same decisions.

    Many threads may share one object, one process at a time a state. `close` waits for what is
    being learned (unless ``settle=False``), and lets go of the state. What was answered is kept
    without it, too.
    """

    def __new__(
        cls,
        state: str | os.PathLike[str] | None = None,
        *,
        risk: float = ...,
        audits: float = ...,
        settings: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        background: bool = ...,
    ) -> Live: ...
    def decide(self, url: str) -> Decision:
        """Decides upon a URL that leaves the crawler's queue."""

    def decide_many(self, urls: Sequence[str]) -> list[Decision]:
        """Decides upon many URLs, in their order. One `str` is a `TypeError`."""

    def saw(
        self,
        url: str,
        status: int,
        *,
        html: str | bytes | None = None,
        content_type: str | None = None,
        title: str | None = None,
        simhash: str | None = None,
        text_hash: str | None = None,
        words: int | None = None,
        digest: str | None = None,
        location: str | None = None,
        time: str | None = None,
    ) -> str | None:
        """Takes what came back for a URL; the name of a site that was learned anew meanwhile."""

    def begin_crawl(self) -> None:
        """Begins another crawl: every page is to be found again, and what is known of forms stays."""

    def learn(self, site: str) -> None:
        """Learns a site now, by its host."""

    def settle(self) -> None:
        """Waits for what is being learned in the background, and lets it take effect."""

    def stats(self) -> dict[str, SiteStats]:
        """What became of the URLs, by site."""

    def close(self, *, settle: bool = True) -> None:
        """Waits for what is being learned, unless `settle` is false, puts what came back into the
        clusters of the state, and lets go of the state."""

    def __enter__(self) -> Live: ...
    def __exit__(self, kind: object, _value: object, _traceback: object) -> None: ...

@final
class PackWriter:
    """Writes models into a pack, which takes its name when it is finished."""

    def __new__(cls, path: str | os.PathLike[str], *, append: bool = False) -> PackWriter: ...
    def add(self, site: str, site_by: str, files: Mapping[str, bytes]) -> None:
        """Adds the model of a site: the files of its folder, by name. `site_by` is what the site's
        name means, ``host`` or ``domain``."""

    def finish(self) -> int:
        """Ends the pack, and puts it in the place of the one before; the number of its models."""


@final
class Rows:
    """Rows of an Arrow table, for whatever takes in Arrow's record batches."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class SitePages:
    """The pages of one site, taken in batches: rows of `ingest`, in the order of ``crawl``, ``seq``
    and ``url``. One of the other methods takes them all, and ends it."""

    def __new__(
        cls,
        site: str,
        settings: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        *,
        site_by: str = "host",
        crawls: int = ...,
    ) -> SitePages: ...
    @property
    def bad_rows(self) -> int:
        """Rows that were no response: without a URL, or with a status, fingerprint or text hash that
        is none."""

    def push(self, batch: _ArrowArray) -> None:
        """Takes a record batch. Its own rows may come in any order."""

    def train(self, method: str, threads: int = ...) -> LearnedSite:
        """Trains the site, on one thread unless told otherwise: what became of it, with the files of
        its model by name."""

    def clusters(self) -> Rows:
        """The duplicate clusters of the site: each URL with the number of its cluster, in the order
        of the cluster's first page."""

    def evaluate(
        self, methods: list[str], split: float = 0.75, threads: int = ...
    ) -> dict[str, Any] | None:
        """What methods would have saved and lost on the last pages, as
        ``undust evaluate --format json`` says it of the site; none where no page is left to test on."""


@final
class SiteClusters:
    """The duplicate clusters of one site, of rows of `url_nodes` and then of `page_links`, each in
    batches."""

    def __new__(cls) -> SiteClusters: ...
    def push(self, batch: _ArrowArray) -> None:
        """Takes a batch of nodes, or of links."""

    def ends_elsewhere(self) -> Rows: ...
    def finish(self) -> Rows: ...

@final
class TextSet:
    """A set of texts that keeps a 64-bit hash of each."""

    def __new__(cls) -> TextSet: ...
    def add(self, text: str) -> bool:
        """Adds a text; whether it is new."""

    def __len__(self) -> int: ...

def ingest(
    path: str,
    *,
    crawl: int,
    first: int,
    site_by: str,
    fields: Mapping[str, str],
    host: str | None,
    lenient: bool,
    max_body: int | None,
    labels: bool,
) -> tuple[list[Rows], str]:
    """The responses of one file, in batches, and a sentence on what was read and skipped."""

def bucket_entries(
    batch: _ArrowArray,
    settings: Mapping[str, Any] | str | os.PathLike[str] | None,
    buckets: int,
) -> Rows: ...
def page_links(
    batches: Sequence[_ArrowArray],
    settings: Mapping[str, Any] | str | os.PathLike[str] | None,
) -> Rows: ...
def url_nodes(batches: Sequence[_ArrowArray], site_by: str) -> Rows: ...
def redirects_away(batch: _ArrowArray, site_by: str) -> Rows: ...
def site_keys(urls: _ArrowArray | _ArrowStream, site_by: str) -> Rows: ...
def save_model(
    models: str | os.PathLike[str], site: str, files: Mapping[str, bytes]
) -> None: ...
def simhash(html: str | bytes, content_type: str | None = None) -> str | None:
    """The 64-bit fingerprint of a page's visible text, as 16 hex digits; None without a word."""

def page(
    url: str, html: str | bytes, content_type: str | None = None
) -> Page | None:
    """A page that was answered with status 200 as a row of a manifest; None where it is not HTML."""

def train(
    crawls: list[Any],
    models: str,
    *,
    method: str,
    settings: Mapping[str, Any] | str | os.PathLike[str] | None,
    site_by: str,
    host: str | None,
    fields: Mapping[str, str],
    lenient: bool,
    jobs: int | None,
) -> list[TrainedSite]: ...
