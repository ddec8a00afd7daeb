"""The example for crawl4ai, with the real one, where that is installed."""

import asyncio
import importlib.util
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import undust

EXAMPLE = Path(__file__).parents[2] / "examples" / "clients" / "undust_crawl4ai.py"
STORIES = range(100, 220)
ASKED: Counter[str] = Counter()


class Stories(BaseHTTPRequestHandler):
    """A front page that links to each story under three URLs, one of which redirects."""

    def do_GET(self) -> None:
        """Answers."""
        path, _, query = self.path.partition("?")
        ASKED[self.path] += 1
        if query == "old=1":
            self.send_response(301)
            self.send_header("Location", path)
            self.end_headers()
            return
        text = " ".join(f"word{path[1:].replace('/', '')}x{n}" for n in range(99))
        links = [f"<a href=/story/{n}{end}>a</a>" for n in STORIES for end in ("", "?from=home", "?old=1")]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<title>t</title><p>{text}</p>{''.join(links if path == '/' else [])}".encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Where the stories are."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stories) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_deep_crawl_skips_what_it_has(address: str) -> None:
    pytest.importorskip("crawl4ai", reason="crawl4ai is not installed")
    live = undust.Live(background=False)
    results = asyncio.run(deep_crawl(address, live))
    pages = {result.html for result in results if result.success}
    skipped = [result for result in results if not result.success]
    assert len(pages) == len(STORIES) + 1
    assert skipped and all("skipped by undust" in result.error_message for result in skipped)
    assert len(skipped) + sum(result.success for result in results) == 3 * len(STORIES) + 1
    (stats,) = live.stats().values()
    assert stats.distinct == len(STORIES) + 1 and stats.skipped > 0
    # A redirect is two requests.
    assert ASKED.total() < 0.9 * (4 * len(STORIES) + 1)


async def deep_crawl(address: str, live: undust.Live) -> Any:
    """Crawls without a browser, one URL after the other."""
    from crawl4ai import CacheMode, CrawlerRunConfig
    from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
    from crawl4ai.async_dispatcher import SemaphoreDispatcher
    from crawl4ai.deep_crawling import BFSDeepCrawlStrategy

    spec = importlib.util.spec_from_file_location("undust_crawl4ai", EXAMPLE)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    deep = BFSDeepCrawlStrategy(max_depth=2)
    config = CrawlerRunConfig(deep_crawl_strategy=deep, cache_mode=CacheMode.BYPASS, verbose=False)
    async with example.UndustCrawler(
        crawler_strategy=AsyncHTTPCrawlerStrategy(), live=live, verbose=False
    ) as crawler:
        return await crawler.arun(address, config)
