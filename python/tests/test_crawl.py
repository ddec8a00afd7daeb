"""A real crawl of a real web application, twice: crawl, train, crawl with the add-on.

With ``SHARE=0.2`` in the environment the board is larger. `pytest -s` prints the figures.
"""

import os
from pathlib import Path

import pytest

import undust

from board import board
from crawling import ADDON, crawl


# Feeds are no pages; and the log-in page links to itself with its own address, without end.
SKIP = r"/feeds/|next=/accounts/"


def test_crawl_train_crawl(tmp_path: Path) -> None:
    pytest.importorskip("machina", reason="the board needs the extra `crawl`")
    settings = {**ADDON, "UNDUST_MODELS": "models", "UNDUST_MANIFEST": "%(time)s.jsonl.gz"}
    with board(tmp_path, float(os.environ.get("SHARE", "0.06"))) as address:
        first, before = crawl(tmp_path, address, "first", settings, SKIP)
        (manifest,) = tmp_path.glob("*.jsonl.gz")
        (site,) = undust.train(manifest, models=tmp_path / "models")
        second, after = crawl(tmp_path, address, "second", settings, SKIP)
    requests = [stats["downloader/request_count"] for stats in (before, after)]
    lost = set(first) - set(second)
    print(f"\nrequests {requests}, pages {len(set(first))}, lost {len(lost)}, {site}")
    print({key: value for key, value in after.items() if key.startswith("undust/")})
    assert site.outcome == "trained"
    assert before["undust/manifest_lines"] >= len(first)
    assert after["undust/skipped"] > 0
    # Bounds with room; python/README.md has the figures.
    assert requests[1] <= 0.5 * requests[0]
    assert len(lost) <= 0.02 * len(set(first))
