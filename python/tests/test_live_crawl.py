"""A real crawl of a real web application with `UNDUST_LIVE`, from nothing, and once more.

With ``SHARE=0.2`` in the environment the board is larger; ``CONCURRENCY=16`` keeps 16 requests
in flight. `pytest -s` prints the figures.
"""

import os
import re
from pathlib import Path

import pytest

import undust

from board import board
from live_crawls import live_crawls

# Feeds are no pages; and the log-in page links to itself with its own address, without end.
SKIP = r"/feeds/|next=/accounts/"


def test_the_first_crawl_saves_and_the_second_more(tmp_path: Path) -> None:
    pytest.importorskip("machina", reason="the board needs the extra `crawl`")
    concurrency = int(os.environ.get("CONCURRENCY", "1"))
    with board(tmp_path, float(os.environ.get("SHARE", "0.06"))) as address:
        rows = list(live_crawls(tmp_path, address, SKIP, concurrency))
    without, first, second = rows
    for row in rows:
        print(f"\n{row.name}: {row.requests:,} requests, {row.pages:,} pages, {row.lost} lost")
        print({key: value for key, value in row.stats.items() if key.startswith("undust/")}, row.closing)
    # Bounds with room; docs/using/live.md has the figures.
    assert first.requests <= 0.7 * without.requests
    assert second.requests <= 0.5 * without.requests
    for row in (first, second):
        assert row.lost <= 0.01 * without.pages
        assert row.stats["undust/live/skipped"] > 0 and "undust/live/errors" not in row.stats
        assert re.search(r"(at most \d+\.\d|what) % of the skips lost one", row.closing)
    assert first.stats["undust/live/learned"] > 0
    with undust.Live(tmp_path / "state") as state:
        (site,) = state.stats().values()
    assert site.fetched >= 0.9 * (first.requests + second.requests)
