import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, final, overload, type_check_only

__all__ = [
    "Address",
    "CrawlError",
    "Decision",
    "Error",
    "Forms",
    "Live",
    "ModelError",
    "Models",
    "PackWriter",
    "Rows",
    "SettingsError",
    "SiteClusters",
    "SitePages",
    "StateError",
    "TextSet",
    "Translation",
    "__version__",
    "ingest",
    "page",
    "page_links",
    "page_meetings",
    "redirects_away",
    "save_model",
    "simhash",
    "site_keys",
    "train",
    "url_nodes",
]

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
    def canonical(self) -> str: ...
    @property
    def changed(self) -> bool: ...
    @property
    def how(self) -> str: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def cause(self) -> str: ...
    @property
    def explored(self) -> str | None: ...

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
    def canonicalize(self, url: str) -> str: ...
    @overload
    def canonicalize_many(self, urls: _ArrowArray | _ArrowStream) -> Any: ...
    @overload
    def canonicalize_many(self, urls: Iterable[str]) -> list[str]: ...
    def translation(self, url: str) -> Translation: ...
    def ask(self, url: str) -> tuple[str | None, str | None]: ...
    def observe(self, url: str, form: str, same: bool) -> dict[str, Any]: ...
    def observe_many(self, observations: list[tuple[str, str, bool]]) -> dict[str, Any]: ...
    def explain(self, url: str) -> dict[str, Any]: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...

@final
class Decision:
    """What becomes of a URL; true if it is fetched."""

    @property
    def do(self) -> Literal["fetch", "skip", "probe"]: ...
    @property
    def form(self) -> str | None: ...
    @property
    def why(self) -> str | None: ...
    @property
    def loss(self) -> float: ...
    @property
    def hypothesis(self) -> str | None: ...
    @property
    def fetches(self) -> bool: ...
    def __bool__(self) -> bool: ...

@final
class Live:
    """Decides for a crawler which URLs it fetches, and learns from what comes back.

    `state` is the folder of the state, which is made if it does not exist; without one nothing is
    kept. Ask `decide` for a URL when it leaves the queue, and tell `saw` what came back: the page
    as ``html`` (str or bytes), or its ``title`` and ``simhash`` or ``digest``; ``location`` of a
    redirect; status 0 where no answer came. `saw` returns the site if it was learned anew.
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
    def decide(self, url: str) -> Decision: ...
    def decide_many(self, urls: Sequence[str]) -> list[Decision]: ...
    def saw(
        self,
        url: str,
        status: int,
        *,
        html: str | bytes | None = None,
        content_type: str | None = None,
        title: str | None = None,
        simhash: str | None = None,
        digest: str | None = None,
        location: str | None = None,
        time: str | None = None,
    ) -> str | None: ...
    def begin_crawl(self) -> None: ...
    def learn(self, site: str) -> None: ...
    def settle(self) -> None: ...
    def stats(self) -> dict[str, dict[str, Any]]: ...
    def close(self, *, settle: bool = True) -> None: ...
    def __enter__(self) -> Live: ...
    def __exit__(self, kind: object, _value: object, _traceback: object) -> None: ...

@final
class PackWriter:
    """Writes models into a pack, which takes its name when it is finished."""

    def __new__(cls, path: str | os.PathLike[str], *, append: bool = False) -> PackWriter: ...
    def add(self, site: str, site_by: str, files: Mapping[str, bytes]) -> None: ...
    def finish(self) -> int: ...

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
    def bad_rows(self) -> int: ...
    def push(self, batch: _ArrowArray) -> None: ...
    def train(self, method: str, threads: int = ...) -> dict[str, Any]: ...
    def clusters(self) -> Rows: ...
    def evaluate(
        self, methods: list[str], split: float = 0.75, threads: int = ...
    ) -> dict[str, Any] | None: ...

@final
class SiteClusters:
    """The duplicate clusters of one site, of rows of `url_nodes` and then of `page_links`, each in
    batches."""

    def __new__(cls) -> SiteClusters: ...
    def push(self, batch: _ArrowArray) -> None: ...
    def ends_elsewhere(self) -> Rows: ...
    def finish(self) -> Rows: ...

@final
class TextSet:
    """A set of texts that keeps a 64-bit hash of each."""

    def __new__(cls) -> TextSet: ...
    def add(self, text: str) -> bool: ...
    def __len__(self) -> int: ...

def ingest(
    path: str,
    *,
    crawl: int,
    first: int,
    site_by: str,
    fields: Mapping[str, str | None],
    host: str | None,
    lenient: bool,
    max_body: int | None,
    labels: bool,
) -> tuple[list[Rows], str]: ...
def page_meetings(
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
def simhash(html: str | bytes, content_type: str | None = None) -> str | None: ...
def page(
    url: str, html: str | bytes, content_type: str | None = None
) -> dict[str, Any] | None: ...
def train(
    crawls: list[Any],
    models: str,
    *,
    method: str,
    settings: Mapping[str, Any] | str | os.PathLike[str] | None,
    site_by: str,
    host: str | None,
    fields: Mapping[str, str | None],
    lenient: bool,
    jobs: int | None,
) -> list[Mapping[str, Any]]: ...
