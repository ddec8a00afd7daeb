"""Settings are checked by the driver, before anything is sent away."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from undust import _undust

Settings = Mapping[str, Any] | str | os.PathLike[str] | None


_COLUMNS = {"og_url": "og_url", "no_vary_search": "no_vary_search", "hreflang": "alternates"}
"""The columns that settings of labels need."""


def checked(method: str, settings: Settings, pages: Any) -> Mapping[str, Any] | None:
    """The settings as a dict of sections, so that no executor needs the file. Raises what is
    wrong with them, or with the method, or what they ask for that `pages` does not have."""
    if isinstance(settings, (str, os.PathLike)):
        settings = _read(Path(settings))
    # A site without a page tells what is wrong with either.
    _undust.SitePages("a.test", settings).train(method)
    _check_labels((settings or {}).get("labels", {}), pages.columns)
    return settings


def _check_labels(labels: Mapping[str, Any], columns: Sequence[str]) -> None:
    for name, column in _COLUMNS.items():
        if labels.get(name) not in (None, False, "none") and column not in columns:
            raise _undust.SettingsError(
                f"labels.{name} is set, and the pages have no column {column}: "
                "ingest them with labels=True (--labels)"
            )
    if labels.get("sitemap"):
        raise _undust.SettingsError("labels.sitemap is set: on Spark no sitemap is read")


def _read(path: Path) -> Mapping[str, Any]:
    if sys.version_info < (3, 11):
        raise _undust.SettingsError(f"{path}: Python 3.10 reads no TOML: pass a dict of sections")
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _undust.SettingsError(f"{path}: {error}") from None
