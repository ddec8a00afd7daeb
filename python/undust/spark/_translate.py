"""A queue gets its canonical forms."""

import os
from typing import Any

from undust import _undust
from undust.spark._worker import Batches, mapped

_OPEN: dict[tuple[Any, ...], _undust.Models] = {}
"""The models that this process has open. A worker serves one task after another."""


_EXPLAINED = ("how", "cause", "reason")


def translate(
    queue: Any,
    models: str | os.PathLike[str],
    *,
    column: str = "url",
    explain: bool = False,
    min_confidence: float = 0.0,
) -> Any:
    """The queue with a column ``form`` more: the canonical form of the URLs in `column`, the URL
    itself where no model knows better. Nothing is shuffled.

    `models` is a folder or pack that all executors see, or the address of a pack in storage, such
    as ``s3://bucket/models.undust``, which each worker reads in ranges. Where storage fails, so does
    the task. With `explain` there are the columns ``how``, ``cause`` and ``reason`` (why a URL stays
    as it is, such as ``broken model``), too, which takes some times as long.
    """
    from pyspark.sql.types import StringType, StructField, StructType

    if column not in queue.columns:
        raise _undust.Error(
            f"the queue has no column {column!r}; it has {', '.join(queue.columns)}: pass column="
        )
    added = ["form", *_EXPLAINED] if explain else ["form"]
    taken = [name for name in added if name in queue.columns]
    if taken:
        raise _undust.Error(f"the queue has a column {taken[0]!r} of its own: rename or drop it")
    fields = [StructField(name, StringType()) for name in added]
    schema = StructType([*queue.schema.fields, *fields])
    where = (os.fspath(models), min_confidence)
    return queue.mapInArrow(mapped(_translate, column, explain, where), schema)


def _translate(
    batches: Batches, column: str, explain: bool, where: tuple[str, float]
) -> Batches:
    import pyarrow

    path, min_confidence = where
    if where not in _OPEN:
        _OPEN[where] = _undust.Models(path, min_confidence=min_confidence)
    models = _OPEN[where]
    for batch in batches:
        urls = batch.column(column)
        if not explain:
            forms = models.canonicalize_many(urls)
            yield batch.append_column("form", forms.cast(pyarrow.string()))
            continue
        found = [None if url is None else models.translation(url) for url in urls.to_pylist()]
        for name in ("form", *_EXPLAINED):
            field = "canonical" if name == "form" else name
            cells = [None if one is None else getattr(one, field) for one in found]
            batch = batch.append_column(name, pyarrow.array(cells, pyarrow.string()))
        yield batch
