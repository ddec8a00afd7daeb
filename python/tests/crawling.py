"""The real Scrapy, run as its users run it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SPIDER = Path(__file__).with_name("site_spider.py")
ADDON = {"ADDONS": '{"undust.scrapy.Addon": 300}'}


def crawl(
    folder: Path, address: str, name: str, settings: dict[str, str], skip: str = ""
) -> tuple[list[str], dict[str, Any]]:
    """The pages that Scrapy saw, by content, and its statistics."""
    items, stats = folder / f"{name}.jsonl", folder / f"{name}.stats.json"
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-O", str(items)]
    for argument in (f"first={address}", f"skip={skip}", f"stats={stats}"):
        command += ["-a", argument]
    for key, value in settings.items():
        command += ["-s", f"{key}={value}"]
    subprocess.run(command, check=True, cwd=folder)
    pages = [json.loads(line)["page"] for line in items.read_text().splitlines()]
    return pages, json.loads(stats.read_text())
