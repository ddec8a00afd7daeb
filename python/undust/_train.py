"""Training on what Python holds: paths, dicts, data frames, Arrow tables."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undust import _undust
from undust._types import Outcome

Row = Mapping[str, Any]
Crawl = str | os.PathLike[str] | Iterable[Row] | Any


@dataclass(frozen=True)
class Trained:
    """What became of a site."""

    site: str
    outcome: Outcome
    """``trained``, ``nothing learned``, ``too little`` or ``failed``."""
    pages: int
    """Pages of the crawl that were learned from."""
    clusters: int | None
    """Their duplicate clusters; with ``too little`` those of two pages or more."""
    folder: Path | None
    """The model's folder, if there is a model."""
    error: str | None
    """What went wrong, if something did."""


def train(
    *crawls: Crawl,
    models: str | os.PathLike[str] = "models",
    method: str = "auto",
    settings: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    site_by: str = "host",
    host: str | None = None,
    fields: Mapping[str, str] | None = None,
    lenient: bool = False,
    jobs: int | None = None,
) -> list[Trained]:
    """Trains a model for every site of these crawls, each in a folder of its own below `models`.

    A crawl is a path (whatever `undust train` reads: a manifest, archive, index, feed or log;
    plain, gzip or zstd) or rows: dicts, a pandas or polars data frame, an Arrow table or reader. A
    row has the fields of a manifest's line; or ``url``, ``status`` and ``html`` (str or bytes), and the rest is made of the page.
    Several crawls are in the order of their time; what was learned must hold on each. `fields`
    names the fields of feeds and tables that no program usually calls so, as ``{"url": "link"}``: ``url``, ``body``,
    ``status``, ``digest``, ``location``, ``title``. A dot stands between the names of nested objects.

    `settings` is a dict of sections, as ``{"site": {"min_pages": 50}}``, or the path of a settings
    file; `jobs` is the number of sites that are trained at once. Raises an
    `undust.Error` where no site gets a model; a site with too little evidence among others is
    reported in the answer. The GIL is released; Ctrl-C ends the work when the site at work is done.
    """
    if not crawls:
        raise _undust.CrawlError("there is no crawl to learn from: pass a file name or rows")
    done = _undust.train(
        [_input(crawl) for crawl in crawls],
        os.fspath(models),
        method=method,
        settings=settings,
        site_by=site_by,
        host=host,
        fields=dict(fields or {}),
        lenient=lenient,
        jobs=jobs,
    )
    return [Trained(**site) for site in done]


def _input(crawl: Crawl) -> str | Iterator[Row]:
    if isinstance(crawl, (str, os.PathLike)):
        return os.fspath(crawl)
    if isinstance(crawl, Mapping):
        raise _undust.CrawlError("a crawl is a path or many rows, not one dict")
    return map(_without_gaps, _rows(crawl))


def _rows(crawl: Any) -> Iterable[Row]:
    """The rows of what tables look like, a batch at a time where that is possible."""
    if hasattr(crawl, "iter_rows"):  # polars
        return crawl.iter_rows(named=True)  # type: ignore[no-any-return]
    if hasattr(crawl, "to_batches"):  # an Arrow table
        return (row for batch in crawl.to_batches() for row in batch.to_pylist())
    if hasattr(crawl, "read_next_batch"):  # an Arrow reader
        return (row for batch in crawl for row in batch.to_pylist())
    if hasattr(crawl, "itertuples"):  # pandas
        names = [str(name) for name in crawl.columns]
        rows = crawl.itertuples(index=False, name=None)
        return (dict(zip(names, row, strict=True)) for row in rows)
    return crawl  # type: ignore[no-any-return]


def _without_gaps(row: Row) -> Row:
    """The row without None, and without what pandas writes for it: what does not equal itself."""
    if not isinstance(row, Mapping):
        return row
    return {name: value for name, value in row.items() if value is not None and _is_there(value)}


def _is_there(value: Any) -> bool:
    try:
        return bool(value == value)
    except (TypeError, ValueError):  # pandas.NA has no truth
        return False
