import os
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, final, overload, type_check_only

__all__ = [
    "CrawlError",
    "Error",
    "Forms",
    "ModelError",
    "Models",
    "SettingsError",
    "TextSet",
    "Translation",
    "__version__",
    "page",
    "simhash",
    "train",
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
    """The models of a folder, one registry for all threads of the process.

    A model that training replaces is served within a second. With `min_confidence` only forms
    whose every step is that sure are given. The share `exploration` of the URLs that change form
    comes back as it came, so that it is fetched all the same: `observe` takes what came back.
    `base` is the folder of a base network, which `undust pretrain` makes: it answers for URLs of
    sites that have no model, and the folder of models may then be empty.
    """

    def __new__(
        cls,
        path: str | os.PathLike[str],
        *,
        min_confidence: float = 0.0,
        exploration: float = 0.0,
        base: str | os.PathLike[str] | None = None,
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
class TextSet:
    """A set of texts that keeps a 64-bit hash of each."""

    def __new__(cls) -> TextSet: ...
    def add(self, text: str) -> bool: ...
    def __len__(self) -> int: ...

def simhash(html: str | bytes, content_type: str | None = None) -> str | None: ...
def page(
    url: str, html: str | bytes, content_type: str | None = None
) -> dict[str, Any] | None: ...
def train(
    crawls: list[Any],
    models: str,
    *,
    method: str,
    settings: Mapping[str, Any] | str | os.PathLike[str],
    site_by: str,
    host: str | None,
    url_field: str | None,
    body_field: str | None,
    lenient: bool,
    jobs: int | None,
) -> list[Mapping[str, Any]]: ...
