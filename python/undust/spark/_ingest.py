"""Archives become rows, one a response."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from undust import _undust
from undust._storage import told
from undust.spark import _archives
from undust.spark._schema import LABELS, PAGES, names
from undust.spark._worker import Batches, arrow_schema, conformed, mapped

_PLACES = 32
"""Bits for the place of a response in its archive."""


def ingest(
    spark: Any,
    paths: Sequence[str],
    *,
    crawl: int = 0,
    site_by: str = "host",
    host: str | None = None,
    lenient: bool = False,
    max_body: int | None = None,
    labels: bool = False,
    partitions: int | None = None,
    fields: Mapping[str, str] | None = None,
) -> Any:
    """The responses of archives, a row each (`PAGES`). A task reads whole archives.

    `paths` are files that `undust train` reads, in crawl order: paths that the executors see, or
    ``s3://``, ``gs://``, ``hdfs://``, ``https://``. All of them are one crawl, whose number is
    `crawl`; the union of several calls with several numbers holds several crawls.

    `fields` names fields, as in `undust.train`.

    With `labels` rows have what their pages say in ``og:url``, ``hreflang`` and the header
    No-Vary-Search, too (`LABELS`), for settings that learn from it.

    An archive that cannot be read costs its own rows and fails no task: `archives` tells of it.
    Write the result as Parquet before more than one thing is made of it; otherwise the archives
    are read once for each.
    """
    if isinstance(paths, str):
        raise TypeError("paths is one str: pass a list of them")
    if not paths:
        raise _undust.CrawlError("there is no archive to read: pass their paths")
    options = {
        "crawl": crawl,
        "site_by": site_by,
        "host": host,
        "lenient": lenient,
        "max_body": max_body,
        "labels": labels,
        "fields": dict(fields or {}),
    }
    numbered = spark.createDataFrame(list(enumerate(paths)), "number long, path string")
    tasks = numbered.repartition(partitions or len(paths))
    return tasks.mapInArrow(mapped(_read, options), _table(labels))


def _table(labels: bool) -> str:
    return f"{PAGES}, {LABELS}" if labels else PAGES


def archives(pages: Any) -> Any:
    """What became of each archive: its path, or its address without the secrets in it; a sentence on
    what was read and skipped; and the error where it could not be read."""
    return pages.where("archive is not null").select("archive", "report", "error")


def _read(batches: Batches, options: dict[str, Any]) -> Batches:
    table = _table(options["labels"])
    columns, schema = names(table), arrow_schema(table)
    for batch in batches:
        for row in batch.to_pylist():
            for rows in _read_one(row["number"], row["path"], options):
                yield conformed(rows, columns, schema)


def _read_one(number: int, path: str, options: dict[str, Any]) -> Iterator[Any]:
    import pyarrow

    address = _undust.Address(path)
    name = str(address)
    row: dict[str, str | None] = {"archive": name, "report": None, "error": None}
    try:
        with _archives.local(address) as file:
            rows, row["report"] = _undust.ingest(file, first=number << _PLACES, **options)
    # Whatever storage, network and archive do wrong costs this archive alone, and there is no end
    # of the classes of their errors.
    except Exception as error:
        described = told(error, address)
        row["error"] = described if name in described else f"{name}: {described}"
    else:
        yield from rows
    yield pyarrow.RecordBatch.from_pylist(
        [row], pyarrow.schema([(column, pyarrow.string()) for column in row])
    )
