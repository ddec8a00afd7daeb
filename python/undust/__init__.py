"""Learns which URLs of a web site show the same page, and spares a crawler the others."""

from undust._undust import (
    CrawlError,
    Error,
    Forms,
    ModelError,
    Models,
    SettingsError,
    Translation,
    __version__,
    page,
    simhash,
)
from undust._train import Trained, train

__all__ = [
    "CrawlError",
    "Error",
    "Forms",
    "ModelError",
    "Models",
    "SettingsError",
    "Trained",
    "Translation",
    "__version__",
    "page",
    "simhash",
    "train",
]
