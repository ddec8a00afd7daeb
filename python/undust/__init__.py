"""Learns which URLs of a web site show the same page, and spares a crawler the others."""

from undust._undust import (
    CrawlError,
    Decision,
    Error,
    Forms,
    Live,
    ModelError,
    Models,
    SettingsError,
    StateError,
    Translation,
    __version__,
    page,
    simhash,
)
from undust._train import Trained, train

__all__ = [
    "CrawlError",
    "Decision",
    "Error",
    "Forms",
    "Live",
    "ModelError",
    "Models",
    "SettingsError",
    "StateError",
    "Trained",
    "Translation",
    "__version__",
    "page",
    "simhash",
    "train",
]
