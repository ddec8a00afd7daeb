"""What runs where the executors run."""

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from undust import _undust

Batches = Iterator[Any]
"""Arrow's record batches, one after another."""


def mapped(work: Callable[..., Batches], *arguments: Any) -> Callable[[Batches], Batches]:
    """`work` of a module of this package as the function of a `mapInArrow`."""
    call = _call(work, arguments)

    def run(batches: Batches) -> Batches:
        yield from call(batches)

    return run


def grouped(work: Callable[..., Batches], *arguments: Any) -> Callable[[Any, Batches], Batches]:
    """The same as the function of an `applyInArrow`, which takes the batches of a group."""
    import pyarrow

    call = _call(work, arguments)

    def run(key: Any, batches: Any) -> Any:
        yield from call(key[0].as_py(), batches)

    # Engines read from these annotations that it takes a group's batches one after another.
    run.__annotations__ = {
        "key": tuple[pyarrow.Scalar, ...],
        "batches": Iterator[pyarrow.RecordBatch],
        "return": Iterator[pyarrow.RecordBatch],
    }
    return run


def _call(work: Callable[..., Batches], arguments: tuple[Any, ...]) -> Callable[..., Batches]:
    """A function that is sent to the executors whole, so that it can tell where `undust` is
    missing there, or is another one."""
    version, module, name = _undust.__version__, work.__module__, work.__name__

    def call(*given: Any) -> Batches:
        # A worker of Spark has one core. The library reads this when it first starts threads. Sail
        # runs in the process of its server, which has all.
        if "pyspark.worker" in sys.modules:
            os.environ.setdefault("RAYON_NUM_THREADS", "1")
        try:
            found = importlib.import_module("undust").__version__
        except ImportError as error:
            missing = error.name == "undust"
            why = "is not installed" if missing else f"cannot be loaded ({error})"
            raise RuntimeError(
                f"undust {version} {why} where the executors run: give them an environment that "
                "has it (spark.archives, or the cluster's image)"
            ) from None
        if found != version:
            raise RuntimeError(
                f"the executors have undust {found} and the driver has {version}: install one "
                "version on both"
            )
        yield from getattr(importlib.import_module(module), name)(*given, *arguments)

    return call


def conformed(rows: Any, table: list[str], schema: Any) -> Any:
    """A record batch with the columns of a table, those that are missing without a value."""
    import pyarrow

    batch = pyarrow.record_batch(rows)
    have = set(batch.schema.names)
    columns = [
        batch.column(name).cast(schema.field(name).type)
        if name in have
        else pyarrow.nulls(batch.num_rows, schema.field(name).type)
        for name in table
    ]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def arrow_schema(table: str) -> Any:
    """A table's schema for Arrow."""
    import pyarrow

    types = {
        "string": pyarrow.string(),
        "long": pyarrow.int64(),
        "int": pyarrow.int32(),
        "double": pyarrow.float64(),
        "binary": pyarrow.binary(),
        "array<string>": pyarrow.list_(pyarrow.string()),
    }
    fields = (column.split() for column in table.split(","))
    return pyarrow.schema([(name, types[kind]) for name, kind in fields])
