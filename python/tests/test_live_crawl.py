"""A real crawl of a real web application with `UNDUST_LIVE`, from nothing, and once more.

With ``SHARE=0.2`` in the environment the board is larger; ``CONCURRENCY=16`` keeps so many requests
in flight. `pytest -s` prints the figures.
"""

import os
import re
from pathlib import Path
from typing import Any

import pytest

import undust

from board import board
from crawling import ADDON, crawl

# Feeds are no pages; and the log-in page links to itself with its own address, without end.
SKIP = r"/feeds/|next=/accounts/"
REQUESTS = "downloader/request_count"


def test_the_first_crawl_saves_and_the_second_more(tmp_path: Path) -> None:
    pytest.importorskip("machina", reason="the board needs the extra `crawl`")
    many = {
        name: os.environ.get("CONCURRENCY", "1")
        for name in ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN")
    }
    live = {**ADDON, "UNDUST_LIVE": "state", "LOG_LEVEL": "INFO"}
    with board(tmp_path, float(os.environ.get("SHARE", "0.06"))) as address:
        plain, without = crawl(tmp_path, address, "without", many, SKIP)
        first = crawl(tmp_path, address, "first", {**live, **many, "LOG_FILE": "first.log"}, SKIP)
        second = crawl(tmp_path, address, "second", {**live, **many, "LOG_FILE": "second.log"}, SKIP)
    print(f"\nwithout undust: requests {without[REQUESTS]:,}, pages {len(set(plain)):,}")
    for name, (pages, stats) in (("first", first), ("second", second)):
        tell(name, set(plain) - set(pages), stats)
        print(closing(tmp_path / f"{name}.log"))
        # Bounds with room; docs/using/live.md has the figures.
        assert len(set(plain) - set(pages)) <= 0.01 * len(set(plain))
        assert stats["undust/live/skipped"] > 0 and "undust/live/errors" not in stats
    assert first[1][REQUESTS] <= 0.85 * without[REQUESTS]
    assert second[1][REQUESTS] <= 0.6 * without[REQUESTS]
    assert first[1]["undust/live/learned"] > 1
    # What came back is in the clusters of the state, of which `undust train --state` makes models.
    assert (tmp_path / "state" / "live.jsonl").is_file()
    with undust.Live(tmp_path / "state") as state:
        (site,) = state.stats().values()
    assert site["fetched"] > first[1][REQUESTS]


def tell(name: str, lost: set[str], stats: dict[str, Any]) -> None:
    """Prints a row of the table."""
    counts = {key: value for key, value in stats.items() if key.startswith("undust/")}
    print(f"{name}: requests {stats[REQUESTS]:,}, pages lost {len(lost)}, {counts}")


def closing(log: Path) -> str:
    """What the log of a crawl says at its end."""
    lines = [line for line in log.read_text().splitlines() if re.search(r"\[undust\]", line)]
    assert re.search(r"at most \d+\.\d % of the skips lost one", lines[-1]), lines
    return lines[-1]
