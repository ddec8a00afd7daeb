"""A crawl manifest of what a spider fetches: what `undust.train` learns from."""

import gzip
import json
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from w3lib.url import safe_url_string

from undust._types import Page
from undust._undust import page


class ManifestFeed:
    """Writes a manifest to ``UNDUST_MANIFEST``: gzip if its name ends in ``.gz``. ``%(name)s`` in
    it is the spider's name, ``%(time)s`` the time.

    The file has its name when the spider is closed. Until then, and after a crash, it ends in
    ``.part``; `undust.train` reads that with ``lenient=True``.
    """

    def __init__(self, path: str, stats: StatsCollector | None) -> None:
        self._path, self._stats = path, stats
        self._target = Path()
        self._file: IO[str] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ManifestFeed":
        """What Scrapy calls."""
        path = crawler.settings.get("UNDUST_MANIFEST")
        if not path:
            raise NotConfigured
        feed = cls(os.fspath(path), crawler.stats)
        crawler.signals.connect(feed.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(feed.response_downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(feed.response_received, signal=signals.response_received)
        crawler.signals.connect(feed.spider_closed, signal=signals.spider_closed)
        return feed

    def spider_opened(self, spider: Spider) -> None:
        """Begins the file."""
        time = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H-%M-%S")
        self._target = Path(self._path.replace("%(name)s", spider.name).replace("%(time)s", time))
        self._target.parent.mkdir(parents=True, exist_ok=True)
        if self._target.suffix == ".gz":
            self._file = gzip.open(self._part(), "wt", compresslevel=6, encoding="utf-8")
        else:
            self._file = self._part().open("w", encoding="utf-8")

    def response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        """Writes a redirect, which Scrapy's redirect middleware shows to nobody else."""
        target = redirect_target(response, request)
        if request.method == "GET" and target:
            self._write({"location": target}, response.status, request)

    def response_received(self, response: Response, request: Request, spider: Spider) -> None:
        """Writes a page, or the status of what is none."""
        asked = response.request or request
        if asked.method != "GET" or 300 <= response.status < 400:
            return
        row: dict[str, Any] = {}
        if response.status == 200:
            page = row_of(response, asked)
            if page is None:
                return
            row.update(page)
        self._write(row, response.status, asked)

    def spider_closed(self, spider: Spider) -> None:
        """Gives the file its name."""
        if self._file is not None:
            self._file.close()
            self._part().replace(self._target)

    def _part(self) -> Path:
        return self._target.with_name(self._target.name + ".part")

    def _write(self, row: dict[str, Any], status: int, request: Request) -> None:
        if self._file is None:
            return
        row["url"], row["status"] = bare(request.url), status
        row["time"] = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if self._stats is not None:
            self._stats.inc_value("undust/manifest_lines")


def bare(url: str) -> str:
    """A URL without its fragment, which no server is sent."""
    return url.partition("#")[0]


def redirect_target(response: Response, request: Request) -> str | None:
    """The URL that is asked for next, as the redirect middleware makes it, without its fragment."""
    location = response.headers.get("Location")
    if not 300 <= response.status < 400 or not location:
        return None
    return bare(urljoin(request.url, safe_url_string(location)))


def row_of(response: Response, request: Request) -> Page | None:
    """What a page says, as a row of a manifest; nothing where it is no HTML."""
    content_type = response.headers.get("Content-Type")
    named = content_type.decode("latin-1") if content_type else None
    return page(request.url, response.body, named)
