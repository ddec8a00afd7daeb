"""A spider as anybody writes it: it follows every link of a site. Its items say which pages it
saw, by their text and not by undust's fingerprint. Run by `scrapy runspider`."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

TEXT = "//body//text()[not(ancestor::script or ancestor::style)]"


class SiteSpider(scrapy.Spider):
    """Fetches a site; ``-a first=URL`` is where it begins, ``stats`` a file for the statistics."""

    name = "site"
    custom_settings = {
        # Breadth first, one request after the other, so that two crawls see the same order.
        "CONCURRENT_REQUESTS": 1,
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }

    def __init__(self, first: str, stats: str = "", skip: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls, self.stats_path = [first], stats
        self.allowed_domains = [str(urlsplit(first).hostname)]
        self.links = LinkExtractor(deny=[skip] if skip else [])

    def parse(self, response: Response) -> Iterator[Any]:
        """The page, and every link of it."""
        if not isinstance(response, HtmlResponse):
            return
        words = " ".join(response.xpath(TEXT).getall())
        # Boards count their readers: numbers tell no two pages apart.
        content = " ".join(re.sub(r"\d+", "", words).split())
        title = response.xpath("//title/text()").get("")
        page = hashlib.sha1(f"{title.strip()}\n{content}".encode()).hexdigest()
        yield {"url": response.url, "page": page}
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)

    def closed(self, reason: str) -> None:
        """Writes the statistics."""
        if self.stats_path and self.crawler.stats:
            stats = self.crawler.stats.get_stats()
            Path(self.stats_path).write_text(json.dumps(stats, default=str))
