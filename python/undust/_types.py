"""Types of what undust answers that Python has words for."""

from pathlib import Path
from typing import Any, Literal, TypedDict

How = Literal["rules", "network", "cache", "normal form", "unchanged"]
"""How the form of a URL was found."""

Outcome = Literal["trained", "nothing learned", "too little", "failed"]
"""What became of a site in training."""

Status = Literal["off", "held", "open"]
"""Where an operation stands: it failed and is switched off, it passed a test, or too little came
back so far."""


class _Response(TypedDict):
    url: str
    status: int
    location: str | None
    title: str | None
    simhash: str | None
    digest: str | None


class Page(_Response, total=False):
    """A page as a row of a manifest."""

    text_hash: str
    words: int
    length: int
    canonical: str
    og_url: str
    no_vary_search: str
    alternates: list[str]
    time: str
    importance: float


class _Form(TypedDict):
    url: str
    canonical: str
    how: How
    model: dict[str, Any] | None
    steps: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    keeps_refusals: bool


class Explanation(_Form, total=False):
    """Why a URL gets its form, as `undust explain --format json` says it."""

    reason: str
    probability: float
    error: str
    switched_off: list[dict[str, Any]]


class _Site(TypedDict):
    outcome: Outcome
    pages: int
    clusters: int | None
    error: str | None


class LearnedSite(_Site):
    """What became of a site that `SitePages` learned, with the files of its model by name."""

    files: dict[str, bytes]


class TrainedSite(_Site):
    """What became of a site that `train` learned."""

    site: str
    folder: Path | None
