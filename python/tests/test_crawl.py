"""A real crawl of a real web application, twice: crawl, train, crawl with the add-on.

With ``SHARE=0.2`` in the environment the board is larger. `pytest -s` prints the figures.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import undust

from board import board

SPIDER = Path(__file__).with_name("site_spider.py")
# Feeds are no pages; and the log-in page links to itself with its own address, without end.
SKIP = r"/feeds/|next=/accounts/"
ADDON = {"ADDONS": '{"undust.scrapy.Addon": 300}'}


def crawl(
    folder: Path, address: str, name: str, settings: dict[str, str]
) -> tuple[list[str], dict[str, Any]]:
    """The pages that Scrapy saw, by content, and its statistics."""
    items, told = folder / f"{name}.jsonl", folder / f"{name}.stats.json"
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-O", str(items)]
    for argument in (f"first={address}", f"skip={SKIP}", f"told={told}"):
        command += ["-a", argument]
    for key, value in settings.items():
        command += ["-s", f"{key}={value}"]
    subprocess.run(command, check=True, cwd=folder)
    pages = [json.loads(line)["page"] for line in items.read_text().splitlines()]
    return pages, json.loads(told.read_text())


def test_crawl_train_crawl(tmp_path: Path) -> None:
    pytest.importorskip("machina", reason="the board needs the extra `crawl`")
    settings = {**ADDON, "UNDUST_MODELS": "models", "UNDUST_MANIFEST": "%(time)s.jsonl.gz"}
    with board(tmp_path, float(os.environ.get("SHARE", "0.06"))) as address:
        first, before = crawl(tmp_path, address, "first", settings)
        (manifest,) = tmp_path.glob("*.jsonl.gz")
        (site,) = undust.train(manifest, models=tmp_path / "models")
        second, after = crawl(tmp_path, address, "second", settings)
    requests = [told["downloader/request_count"] for told in (before, after)]
    lost = set(first) - set(second)
    print(f"\nrequests {requests}, pages {len(set(first))}, lost {len(lost)}, {site}")
    print({key: value for key, value in after.items() if key.startswith("undust/")})
    assert site.outcome == "trained"
    assert before["undust/manifest lines"] >= len(first)
    assert after["undust/skipped"] > 0
    # Bounds with room; python/README.md has the figures.
    assert requests[1] <= 0.5 * requests[0]
    assert len(lost) <= 0.02 * len(set(first))
