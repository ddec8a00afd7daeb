"""Three real crawls of a site: without undust, with `UNDUST_LIVE` from nothing, and once more.

    python live_crawls.py ADDRESS [--skip REGEX] [--concurrency N] [--folder FOLDER]

prints a row for each: requests, distinct pages, and those of the first crawl that it does not see.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from crawling import ADDON, crawl

REQUESTS = "downloader/request_count"


class Row(NamedTuple):
    """A crawl."""

    name: str
    requests: int
    pages: int
    lost: int
    stats: dict[str, Any]
    closing: str
    """What the log says at its end."""


def live_crawls(folder: Path, address: str, skip: str = "", concurrency: int = 1) -> Iterator[Row]:
    """Crawls a site three times; the state is `folder`/state."""
    number = str(concurrency)
    many = {"CONCURRENT_REQUESTS": number, "CONCURRENT_REQUESTS_PER_DOMAIN": number}
    live = {**many, **ADDON, "UNDUST_LIVE": "state", "LOG_LEVEL": "INFO"}
    first, stats = crawl(folder, address, "without", many, skip)
    yield Row("without undust", stats[REQUESTS], len(set(first)), 0, stats, "")
    for name in ("first", "second"):
        pages, stats = crawl(folder, address, name, {**live, "LOG_FILE": f"{name}.log"}, skip)
        lost = len(set(first) - set(pages))
        lines = (folder / f"{name}.log").read_text().splitlines()
        *_, closing = (line for line in lines if "[undust] INFO" in line)
        yield Row(name, stats[REQUESTS], len(set(pages)), lost, stats, closing)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--skip", default="")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    for row in live_crawls(folder, given.address, given.skip, given.concurrency):
        print(f"{row.name}: {row.requests:,} requests, {row.pages:,} pages, {row.lost} lost", flush=True)
        for name, count in row.stats.items():
            if name.startswith("undust/"):
                print(f"    {name}: {count}")
        print(f"    {row.closing}", flush=True)


if __name__ == "__main__":
    main()
