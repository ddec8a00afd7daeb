"""A real crawl of a real web application, twice: crawl, train, crawl with the add-on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import undust

from board import board

SPIDER = Path(__file__).with_name("site_spider.py")
ADDON = {"ADDONS": '{"undust.scrapy.Addon": 300}'}


def crawl(folder: Path, address: str, name: str, settings: dict[str, str]) -> tuple[list[str], dict[str, Any]]:
    """The pages that Scrapy saw, by content, and its statistics."""
    items, told = folder / f"{name}.jsonl", folder / f"{name}.stats.json"
    arguments = [f"-a{key}={value}" for key, value in {"first": address, "skip": "/feeds/", "told": str(told)}.items()]
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-O", str(items), *arguments]
    for key, value in settings.items():
        command += ["-s", f"{key}={value}"]
    subprocess.run(command, check=True, cwd=folder)
    pages = [json.loads(line)["page"] for line in items.read_text().splitlines()]
    return pages, json.loads(told.read_text())


def test_crawl_train_crawl(tmp_path: Path) -> None:
    pytest.importorskip("machina", reason="the board needs the extra `crawl`")
    settings = {**ADDON, "UNDUST_MODELS": "models", "UNDUST_MANIFEST": "%(time)s.jsonl.gz"}
    with board(tmp_path, share=0.1) as address:
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
    assert requests[1] <= 0.8 * requests[0]
    assert len(lost) <= 0.02 * len(set(first))
