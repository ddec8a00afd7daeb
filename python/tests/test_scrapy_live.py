"""The live middleware, in a Scrapy that fetches nothing."""

import asyncio
import logging
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings
from scrapy.utils.test import get_crawler

import undust
from undust.scrapy import LiveMiddleware, Skipped
from undust.scrapy.addon import LIVE, Addon
from undust.scrapy.redirects import FIRST, THEN, Redirects

SITE = "http://a.test"
URL = SITE + "/story/7"
DUPLICATE = SITE + "/story/399?from=elsewhere"
"""What a crawl skips that has learned."""


async def at_once(work: Callable[[], None]) -> None:
    """Works without an event loop of Scrapy's."""
    work()


class Crawl:
    """A crawl as Scrapy's engine makes it, one request at a time."""

    def __init__(self, state: Path, **settings: Any) -> None:
        settings = {"UNDUST_LIVE": str(state), **settings}
        self.crawler: Crawler = get_crawler(settings_dict=settings)
        self.middleware = LiveMiddleware.from_crawler(self.crawler)

    def send(self, signal: Any, **arguments: Any) -> None:
        self.crawler.signals.send_catch_log(signal, spider=None, **arguments)

    def leave(self, request: Request) -> bool:
        """Lets a request wait and leave the queue; whether it is fetched."""
        self.send(signals.request_scheduled, request=request)
        try:
            self.middleware.process_request(request)
        except Skipped:
            return False
        return True

    def come(self, request: Request, body: str, **options: Any) -> None:
        """Lets a page come back."""
        headers = {"Content-Type": "text/html", **options.pop("headers", {})}
        page = HtmlResponse(
            request.url, body=body.encode(), request=request, headers=headers, encoding="utf-8", **options
        )
        self.send(signals.response_downloaded, response=page, request=request)
        self.send(signals.response_received, response=page, request=request)

    def fetch(self, url: str, words: str = "") -> bool:
        """Fetches a URL unless it is skipped."""
        request = Request(url)
        is_fetched = self.leave(request)
        if is_fetched:
            self.come(request, f"<title>t</title><p>{words or url}")
        return is_fetched

    def skipped(self) -> Skipped:
        """Why a duplicate is skipped: the first one, or one after some of them were fetched."""
        for number in range(50):
            request = Request(f"{DUPLICATE}{number}")
            self.send(signals.request_scheduled, request=request)
            try:
                self.middleware.process_request(request)
            except Skipped as skipped:
                return skipped
            self.come(request, f"<title>t</title><p>{'story399 ' * 9}")
        raise AssertionError("duplicates are fetched")

    def learn(self) -> None:
        """Has all learned what is needed to skip."""
        for number in range(100, 400):
            # One value of an argument would say nothing of others.
            for end in ("", f"?from=page{number % 9}", "/print"):
                self.fetch(f"{SITE}/story/{number}{end}", f"story{number} " * 9)
        self.live.learn("a.test")
        self.live.settle()

    @property
    def live(self) -> undust.Live:
        return self.middleware._live

    def site(self) -> undust.SiteStats:
        return self.live.stats()["a.test"]

    def close(self, reason: str = "finished") -> dict[str, Any]:
        """Ends the crawl; its figures."""
        self.middleware._idle(Spider("s"))
        with patch("undust.scrapy.live.in_thread", at_once):
            asyncio.run(self.middleware._closed(Spider("s"), reason))
        assert self.crawler.stats is not None
        counts = self.crawler.stats.get_stats()
        prefix = "undust/live/"
        return {key.removeprefix(prefix): counts[key] for key in counts if key.startswith(prefix)}


@pytest.fixture
def learned(tmp_path: Path) -> Crawl:
    """A crawl that has learned what a duplicate is. No audits, so that nearly all of them are skipped."""
    crawl = Crawl(tmp_path / "learned", UNDUST_LIVE_AUDITS=0)
    crawl.learn()
    # Skips are probed the more seldom the more there were, by a secret of the state.
    for number in range(100, 390):
        for value in ("left", "right"):
            crawl.fetch(f"{SITE}/story/{number}?from={value}", f"story{number} " * 9)
    return crawl


def test_what_was_fetched_is_skipped_and_counted_by_cause(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crawl = Crawl(tmp_path / "state")
    crawl.learn()
    counts = crawl.close()
    causes = {name: count for name, count in counts.items() if name.startswith("skipped/")}
    assert counts["skipped"] == sum(causes.values()) > 100
    assert any("from" in cause for cause in causes) and "skipped/" not in causes
    assert counts["fetched"] + counts["probed"] + counts["skipped"] == 900
    assert counts["pages"] == 300 and 0 < counts["lost_at_most/a.test"] <= 1
    assert (counts["pending"], counts["failed_learnings"]) == (0, 0)
    assert "undust: a.test: " in caplog.text
    assert "% of the skips lost one; " in caplog.text and "halve that." in caplog.text


def test_it_tells_at_its_start_what_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crawl = Crawl(tmp_path / "state")
    assert f"undust: decides which URLs are fetched; {tmp_path / 'state'} knows no page yet" in caplog.text
    crawl.fetch(URL)
    crawl.close()
    Crawl(tmp_path / "state")
    assert "knows 1 page of 1 site" in caplog.text


def test_it_tells_once_a_minute_how_far_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with patch("undust.scrapy.report.time.monotonic") as clock:
        clock.return_value = 1000.0
        crawl = Crawl(tmp_path / "state")
        for second in range(600):
            clock.return_value = 1000.0 + second
            crawl.fetch(f"{SITE}/story/{second}")
    told = [line.getMessage() for line in caplog.records if " sent, " in line.getMessage()]
    sent = [int(line.split()[1]) for line in told]
    assert len(told) == 9 and sent == [61 + 60 * minute for minute in range(9)]


@pytest.mark.parametrize("seed", range(20))
def test_the_closing_line_counts_the_requests_of_scrapy(
    seed: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    numbers = random.Random(seed)
    crawl = Crawl(tmp_path / "state")
    stats = crawl.crawler.stats
    assert stats is not None
    sent = dict.fromkeys(("answered", "redirected", "refused", "without an answer"), 0)
    beside = 0
    for number in range(numbers.randrange(1, 60)):
        outcome = numbers.choice(list(sent))
        request = Request(f"{SITE}/story/{number}")
        if numbers.random() < 0.3:
            # What Scrapy's engine asks for by itself.
            beside += 1
            request.meta["undust"] = False
        assert crawl.leave(request)
        stats.inc_value("downloader/request_count")
        sent[outcome] += 1
        if outcome == "without an answer":
            continue
        status = {"answered": [200, 204], "redirected": [301, 302], "refused": [404, 503]}[outcome]
        stats.inc_value(f"downloader/response_status_count/{numbers.choice(status)}")
    crawl.close()
    [line] = [line.getMessage() for line in caplog.records if "never skipped" in line.getMessage() or " sent" in line.getMessage()]
    total = sum(sent.values())
    assert line.startswith(f"undust: {total} request")
    for outcome, count in sent.items():
        assert (f"{count} {outcome}" in line) == (count > 0)
    assert (f" {beside} of the requests are never skipped" in line) == (beside > 0)


def test_a_skipped_request_says_why(learned: Crawl) -> None:
    skipped = learned.skipped()
    assert isinstance(skipped, IgnoreRequest) and skipped.form and skipped.why
    assert re.search("URLs? of the form .* showed its page", str(skipped)) and skipped.fetched > 0


def test_the_very_url_once_more_is_for_the_duplicate_filter(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    assert crawl.fetch(URL) and crawl.fetch(URL) and crawl.fetch(URL + "#part")
    assert crawl.close()["fetched_again"] == 2


@pytest.mark.parametrize(
    "request_",
    [
        Request(DUPLICATE, meta={"undust": False}),
        Request(DUPLICATE, meta={"verbatim_url": True}),
        Request(DUPLICATE, meta={"splash": {}}),
        Request(DUPLICATE, method="POST"),
        Request(DUPLICATE, method="HEAD"),
        Request(DUPLICATE, body=b"x"),
        Request(DUPLICATE, callback=NO_CALLBACK),
        Request(DUPLICATE.replace("http", "ftp")),
    ],
)
def test_what_is_left_alone(learned: Crawl, request_: Request) -> None:
    before = learned.site()
    assert learned.leave(request_)
    learned.come(request_, "other words")
    assert learned.site() == before and "undust_queued" not in request_.meta


def test_what_is_downloaded_beside_the_queue_is_left_alone(learned: Crawl) -> None:
    queued = Request(SITE + "/another")
    assert learned.leave(queued)
    learned.middleware.process_request(Request(DUPLICATE, meta=queued.meta))
    assert learned.skipped()


def test_who_wants_no_filter_gets_none(tmp_path: Path, learned: Crawl) -> None:
    assert learned.leave(Request(DUPLICATE, dont_filter=True))
    assert learned.skipped()
    with pytest.raises(NotConfigured, match="filters nothing"):
        Crawl(tmp_path / "shell", DUPEFILTER_CLASS="scrapy.dupefilters.BaseDupeFilter")
    assert not (tmp_path / "shell").exists()


def test_pages_in_flight_are_pending(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    # Of a host without pages nothing is counted.
    assert crawl.fetch(SITE + "/")
    requests = [Request(f"{URL}?from={number}") for number in range(9)]
    assert all(map(crawl.leave, requests))
    assert crawl.site().pending == 9
    for request in requests:
        crawl.come(request, "words")
    assert (crawl.site().pending, crawl.site().distinct) == (0, 2)


def test_what_fails_is_told_after_its_retries(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    assert crawl.fetch(SITE + "/")
    request = Request(URL)
    crawl.leave(request)
    again = get_retry_request(request, spider=Spider.from_crawler(crawl.crawler, "s"), reason="x")
    assert again and crawl.leave(again) and crawl.site().pending == 1
    crawl.middleware.process_exception(again, OSError())
    assert (crawl.site().pending, crawl.site().fetched) == (0, 1)
    assert crawl.leave(request.copy())
    # What others refuse was never asked for.
    crawl.middleware.process_exception(Request("http://b.test/"), IgnoreRequest())
    assert "b.test" not in crawl.live.stats()
    gone = Request(SITE + "/gone")
    crawl.leave(gone)
    crawl.come(gone, "not found", status=404)
    assert crawl.site().fetched == 1


def test_what_is_not_html_is_no_page(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    assert crawl.fetch(SITE + "/")
    request = Request(SITE + "/file")
    crawl.leave(request)
    crawl.come(request, "%PDF", headers={"Content-Type": "application/pdf"})
    assert (crawl.site().pending, crawl.site().fetched) == (0, 1)


def redirect(crawl: Crawl, url: str, target: str) -> int:
    """Fetches a URL that leads to another; how many of both are fetched."""
    request = Request(url)
    if not crawl.leave(request):
        return 0
    moved = Response(url, status=302, headers={"Location": target})
    crawl.send(signals.response_downloaded, response=moved, request=request)
    led = Request(target, meta={"redirect_urls": [url], "redirect_reasons": [302]})
    is_fetched = crawl.leave(led)
    if is_fetched:
        crawl.come(led, "log in")
    return 1 + is_fetched


def test_a_redirect_shows_the_page_of_its_target(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    assert redirect(crawl, SITE + "/private/1", SITE + "/login") == 2
    stats = crawl.site()
    assert (stats.fetched, stats.distinct, stats.pending) == (2, 1, 0)


def test_a_page_that_leads_on_by_itself_is_a_redirect(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.leave(Request(SITE + "/old"))
    led = Request(
        SITE + "/new", meta={"redirect_urls": [SITE + "/old"], "redirect_reasons": ["meta refresh"]}
    )
    crawl.leave(led)
    crawl.come(led, "words")
    stats = crawl.site()
    assert (stats.fetched, stats.distinct, stats.pending) == (2, 1, 0)


def test_urls_that_lead_to_a_page_which_is_known_are_skipped_soon(tmp_path: Path) -> None:
    """Were their targets not fetched, nobody would learn what they show: each would be a request."""
    crawl, led = Crawl(tmp_path), 0
    for number in range(900):
        crawl.fetch(f"{SITE}/article/{number}", f"article{number} " * 9)
        crawl.fetch(f"{SITE}/login?next=/article/{number}", "log in")
        if number >= 200:
            led += redirect(crawl, f"{SITE}/edit/{number}", f"{SITE}/login?next=/edit/{number}")
        if number % 50 == 0:
            # On a busy machine the crawl would outrun the learning.
            crawl.live.settle()
    # Of 700. Most runs have 196, and some more, for probes are drawn.
    assert led < 550


def test_targets_are_followed_first_and_then_seldom() -> None:
    redirects = Redirects()
    followed = []
    for number in range(FIRST + 10 * THEN):
        redirects.leads(f"{SITE}/login?next={number}", is_test=False)
        followed.append(redirects.is_due(f"{SITE}/login?next={number}"))
        assert not redirects.is_due(f"{SITE}/login?next={number}")
    assert all(followed[:FIRST]) and sum(followed[FIRST:]) == 10
    redirects.leads(SITE + "/login?next=test", is_test=True)
    assert redirects.is_due(SITE + "/login?next=test")


def test_a_state_that_cannot_be_written_skips_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = Crawl(tmp_path)
    crawl.fetch(URL)
    crawl.live.close()
    assert crawl.fetch(URL) and crawl.fetch(URL)
    assert crawl.crawler.stats and caplog.text.count("skips nothing") == 1
    crawl.middleware._counts.report()
    assert crawl.crawler.stats.get_value("undust/live/errors") == 4


def test_a_run_begins_a_crawl_unless_a_job_goes_on(tmp_path: Path) -> None:
    state, job = tmp_path / "state", tmp_path / "job"
    first = Crawl(state, JOBDIR=str(job))
    first.fetch(URL)
    first.close("shutdown")
    job.mkdir(exist_ok=True)
    (job / "requests.seen").write_bytes(b"seen")
    resumed = Crawl(state, JOBDIR=str(job))
    assert resumed.live.decide(URL).why == "fetched before"
    resumed.close()
    assert Crawl(state).live.decide(URL).do == "fetch"


def test_a_crawl_counts_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    first = Crawl(tmp_path)
    first.learn()
    before = first.close()
    again = Crawl(tmp_path)
    again.fetch(URL)
    counts = again.close()
    assert before["audited"] > 0 and (counts["audited"], counts["pages"]) == (0, 1)
    assert "a.test: 1 page fetched, 0 URLs skipped. In all crawls of this state: " in caplog.text


def test_settings_reach_the_engine(tmp_path: Path) -> None:
    with pytest.raises(undust.SettingsError, match="risk is 3"):
        Crawl(tmp_path / "1", UNDUST_LIVE_RISK=3)
    with pytest.raises(undust.SettingsError, match="audits is 4"):
        Crawl(tmp_path / "2", UNDUST_LIVE_AUDITS="4")
    with pytest.raises(undust.SettingsError, match="min_page"):
        Crawl(tmp_path / "3", UNDUST_LIVE_SETTINGS={"site": {"min_page": 1}})
    with pytest.raises(NotConfigured):
        Crawl(tmp_path / "4", UNDUST_ENABLED=False)


def test_a_folder_of_models_is_no_state(tmp_path: Path) -> None:
    model = tmp_path / "models" / "a.test" / "model.json"
    model.parent.mkdir(parents=True)
    model.write_text("{}")
    for folder in (tmp_path / "models", model.parent):
        with pytest.raises(undust.StateError, match="a folder of models: name it in UNDUST_MODELS"):
            Crawl(folder)
    assert sorted(tmp_path.rglob("*")) == sorted([model.parent.parent, model.parent, model])


def test_a_state_in_use_is_told_at_the_start(tmp_path: Path) -> None:
    first = Crawl(tmp_path)
    with pytest.raises(undust.StateError, match="is in use"):
        Crawl(tmp_path)
    first.close()
    Crawl(tmp_path).close()


def test_the_add_on_needs_nothing_else() -> None:
    settings = BaseSettings({"UNDUST_LIVE": "state", "DOWNLOADER_MIDDLEWARES": {"mine": 5}}, "project")
    Addon().update_settings(settings)
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {"mine": 5, LIVE: 540}
    assert "REQUEST_FINGERPRINTER_CLASS" not in settings
    settings.set("UNDUST_MODELS", "models")
    Addon().update_settings(settings)
    assert "REQUEST_FINGERPRINTER_CLASS" in settings
