"""What a column costs against a list, in one run.

    python benches/columns.py MODELS URLS

Prints microseconds a URL, the median of rounds by turns, and the ratio of the two: of
`canonicalize_many` alone, and of a column that is made a list for it, and of the list a column
again.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow

from undust import Models

ROUNDS = 15


def microseconds(ask: Callable[[], Any], urls: int) -> float:
    """What a URL takes, on all cores."""
    start = time.perf_counter()
    ask()
    return (time.perf_counter() - start) / urls * 1e6


def main() -> None:
    """Measures all in turn."""
    models, urls = Models(sys.argv[1]), Path(sys.argv[2]).read_text().split()
    column = pyarrow.array(urls)
    asked: dict[str, Callable[[], Any]] = {
        "the list": lambda: models.canonicalize_many(urls),
        "the column": lambda: models.canonicalize_many(column),
        "the column by lists": lambda: pyarrow.array(models.canonicalize_many(column.to_pylist())),
    }
    assert asked["the column"]().equals(asked["the column by lists"]())
    rounds = [[microseconds(ask, len(urls)) for ask in asked.values()] for _ in range(ROUNDS)]
    medians = [statistics.median(times) for times in zip(*rounds, strict=True)]
    for name, median in zip(asked, medians, strict=True):
        print(f"{name}: {median:.2f} µs a URL, {median / medians[1]:.2f} times the column")


if __name__ == "__main__":
    main()
