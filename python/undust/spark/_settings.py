"""Settings are checked by the driver, before anything is sent away."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undust import _undust

Settings = Mapping[str, Any] | str | os.PathLike[str] | None


def checked(method: str, settings: Settings) -> Mapping[str, Any] | None:
    """The settings as a dict of sections, so that no executor needs the file. Raises what is
    wrong with them, or with the method."""
    if isinstance(settings, (str, os.PathLike)):
        settings = _read(Path(settings))
    _check_labels(settings)
    # A site without a page tells what is wrong with either.
    _undust.SitePages("a.test", settings).train(method)
    return settings


def _check_labels(settings: Mapping[str, Any] | None) -> None:
    """Rows have `canonical`, and no other label."""
    labels = (settings or {}).get("labels", {})
    for name in ("og_url", "hreflang", "sitemap"):
        if labels.get(name) not in (None, False, "none"):
            raise _undust.SettingsError(
                f"labels.{name} is set: pages on Spark have no such label, only labels.canonical"
            )


def _read(path: Path) -> Mapping[str, Any]:
    if sys.version_info < (3, 11):
        raise _undust.SettingsError(f"{path}: Python 3.10 reads no TOML: pass a dict of sections")
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _undust.SettingsError(f"{path}: {error}") from None
