"""A crawl of a site whose links lead to its pages by redirects within a form."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import undust

from crawling import ADDON, SPIDER, crawl

STORIES = range(100, 130)


class Stories(BaseHTTPRequestHandler):
    """Every link is to the print view of a story, which redirects to the story."""

    def do_GET(self) -> None:
        """Answers; one of the links never is."""
        if self.path == "/down":
            return
        story = re.fullmatch(r"/story/(\d+)(/print)?", self.path)
        if story and story[2]:
            self.send_response(301)
            self.send_header("Location", "/story/" + story[1])
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
        self.end_headers()
        links = (f"<a href=/story/{n}/print>a story</a>" for n in STORIES)
        text = chr(int(story[1])) * 9 if story else "".join(links) + "<a href=/down>down</a>"
        self.wfile.write(f"<title>t</title>{text}".encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Where the stories are."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stories) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_no_page_behind_a_redirect_is_lost(tmp_path: Path, address: str) -> None:
    stories = [f"{address}story/{number}" for number in range(1000, 1060)]
    rows = [
        {"url": url, "status": 200, "digest": story} for story in stories for url in (story, story + "/print")
    ]
    undust.train(rows, models=tmp_path / "models", method="tree")
    assert undust.Models(tmp_path / "models").canonicalize(f"{address}story/7/print") == f"{address}story/7"
    settings = {**ADDON, "UNDUST_MODELS": "models", "UNDUST_MANIFEST": "manifest.jsonl"}
    pages, stats = crawl(tmp_path, address, "site", settings)
    assert len(pages) == len(set(pages)) == len(STORIES) + 1
    assert stats["undust/redirect_within_form"] == len(STORIES)
    lines = (tmp_path / "manifest.jsonl").read_text().splitlines()
    assert sum('"location"' in line and "301" in line for line in lines) == len(STORIES)
    # Those who fetch the print views all the same find that they are what the model says.
    exploring = {**settings, "UNDUST_MANIFEST": "again.jsonl", "UNDUST_EXPLORATION": "1"}
    pages, stats = crawl(tmp_path, address, "explored", exploring)
    assert len(pages) == len(STORIES) + 1
    assert (stats["undust/explored"], stats["undust/observed"]) == (len(STORIES), len(STORIES))
    assert stats["undust/conflicts"] == 0
    # A later crawl learns that they are one page from the redirects alone.
    (site,) = undust.train(
        tmp_path / "manifest.jsonl", models=tmp_path / "later", settings={"site": {"min_pages": 50}}
    )
    assert site.outcome == "trained" and site.clusters == len(STORIES) + 1


def test_a_live_crawl_loses_none_either(tmp_path: Path, address: str) -> None:
    live = {**ADDON, "UNDUST_LIVE": "state/%(name)s", "CONCURRENT_REQUESTS": "8", "LOG_LEVEL": "INFO"}
    for name in ("first", "second"):
        pages, stats = crawl(tmp_path, address, name, {**live, "LOG_FILE": f"{name}.log"})
        assert len(pages) == len(set(pages)) == len(STORIES) + 1
        assert " URLs skipped." in (tmp_path / f"{name}.log").read_text()
        assert (stats["undust/live/pages"], stats["undust/live/pending"]) == (len(STORIES) + 1, 0)
        assert "undust/live/followed" in stats and "undust/live/errors" not in stats
    assert (tmp_path / "state" / "site" / "live.jsonl").is_file()


def test_models_and_a_live_state_work_one_after_the_other(tmp_path: Path, address: str) -> None:
    rows = [
        {"url": f"{address}story/{number}{end}", "status": 200, "digest": str(number)}
        for number in range(1000, 1060)
        for end in ("", "/print")
    ]
    undust.train(rows, models=tmp_path / "models", method="tree")
    both = {**ADDON, "UNDUST_MODELS": "models", "UNDUST_LIVE": "state"}
    pages, stats = crawl(tmp_path, address, "both", both)
    assert len(pages) == len(set(pages)) == len(STORIES) + 1
    assert stats["undust/redirect_within_form"] == stats["undust/live/followed"] == len(STORIES)


def test_a_state_in_use_ends_the_crawl_before_it_begins(tmp_path: Path, address: str) -> None:
    with undust.Live(tmp_path / "state"):
        command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-a", f"first={address}"]
        command += ["-s", f"ADDONS={ADDON['ADDONS']}", "-s", "UNDUST_LIVE=state", "-s", "LOG_LEVEL=DEBUG"]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "StateError" in ended.stderr and "is in use by another process" in ended.stderr
    assert "Crawled (200)" not in ended.stderr
