"""Decides while a crawl goes on which requests are fetched, and learns from what comes back."""

import logging
import os
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.misc import load_object

from undust._undust import Error, Live, StateError
from undust.scrapy.counts import Counts
from undust.scrapy.manifest import bare, redirect_target
from undust.scrapy.redirects import Redirects
from undust.scrapy.report import LiveReport
from undust.scrapy.threads import in_thread

logger = logging.getLogger(__name__)

QUEUED = "undust_queued"
"""In the meta of a request that waits in the scheduler's queue. What a spider or a pipeline
downloads beside the queue lacks it, and is left alone."""
FETCHED_BEFORE = "fetched before"
"""Why the engine would skip a URL that was fetched letter for letter."""
DONE = {"fetch": "fetched", "probe": "probed", "skip": "fetched_again"}
"""What is counted of a request that is fetched."""


class Skipped(IgnoreRequest):
    """A request is not fetched, because a URL of its form was. An errback can tell it by its type
    from what failed."""

    def __init__(self, form: str, why: str, fetched: int) -> None:
        urls = "a URL" if fetched == 1 else f"{fetched} URLs"
        super().__init__(f"Skipped by undust: {why}: {urls} of the form {form} showed its page")
        self.form, self.why, self.fetched = form, why, fetched


class LiveMiddleware:
    """Asks `undust.Live` of each request that leaves the queue, and tells it what comes back.

    Only what the scheduler's duplicate filter may drop is ever skipped: GET requests without a
    body, with a callback, and without ``dont_filter``, ``meta={"undust": False}`` and
    ``meta={"verbatim_url": True}``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        folder = settings.get("UNDUST_LIVE")
        if not folder or not settings.getbool("UNDUST_ENABLED", True):
            raise NotConfigured
        if _filters_nothing(crawler):
            raise NotConfigured("the duplicate filter filters nothing, so no URL is skipped")
        name = crawler.spider.name if crawler.spider else ""
        state = os.fspath(folder).replace("%(name)s", name)
        self._live = _opened(crawler, state)
        self._report = LiveReport(self._live, crawler.stats)
        self._report.begin(state)
        self._counts = Counts(crawler.stats, "undust/live/")
        self._asked: WeakKeyDictionary[Request, bool] = WeakKeyDictionary()
        """Requests that are being fetched; whether that is a test."""
        self._redirects = Redirects()
        self._is_failing = False
        for handle, signal in (
            (self._scheduled, signals.request_scheduled),
            (self._downloaded, signals.response_downloaded),
            (self._received, signals.response_received),
            # Before a spider's own `closed` reads the counts.
            (self._idle, signals.spider_idle),
            (self._closed, signals.spider_closed),
        ):
            crawler.signals.connect(handle, signal=signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "LiveMiddleware":
        """What Scrapy calls."""
        return cls(crawler)

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Drops a request whose page was fetched."""
        # Whoever copies the meta of this request must not copy that it was queued.
        if request.meta.pop(QUEUED, None) is None or request.dont_filter or not _is_ours(request):
            return
        url = bare(request.url)
        if self._redirects.is_due(url):
            self._asked[request] = True
            self._counts.add("followed")
            return
        try:
            decision = self._live.decide(url)
        except Error as error:
            self._fail(error)
            return
        # The very URL once more is for the duplicate filter to drop, which has let it through.
        if decision.form is not None and decision.why != FETCHED_BEFORE:
            why = str(decision.why)
            self._counts.add_cause("skipped", why)
            self._report.progress(self._counts.counts)
            logger.debug("Skipped by undust (%s): %s", why, request)
            raise Skipped(decision.form, why, decision.fetched)
        self._asked[request] = decision.do == "probe"
        self._counts.add(DONE[decision.do])
        self._report.progress(self._counts.counts)

    def process_exception(
        self, request: Request, exception: Exception, spider: Spider | None = None
    ) -> None:
        """Tells that nothing came, after all retries."""
        # What is tried again is a copy of the request that was asked for.
        is_asked = self._asked.pop(request, None) is not None
        if (is_asked or request.meta.get("retry_times")) and _is_ours(request):
            self._tell(request, 0)

    def _scheduled(self, request: Request, spider: Spider) -> None:
        if not request.dont_filter and _is_ours(request):
            request.meta[QUEUED] = True

    def _downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        """Tells of a redirect, which the redirect middleware shows to nobody else."""
        target = redirect_target(response, request)
        if target is not None and _is_ours(request):
            is_test = self._asked.pop(request, False)
            # What is not filtered is fetched anyway.
            if not request.dont_filter:
                self._redirects.leads(target, is_test=is_test)
            self._tell(request, response.status, location=target)

    def _received(self, response: Response, request: Request, spider: Spider) -> None:
        asked = response.request or request
        if not _is_ours(asked) or 300 <= response.status < 400:
            return
        self._asked.pop(asked, None)
        self._refreshed(asked)
        named = response.headers.get("Content-Type")
        kind = named.decode("latin-1") if named else None
        page = response.body if response.status == 200 else None
        self._tell(asked, response.status, html=page, content_type=kind)

    def _refreshed(self, request: Request) -> None:
        """Tells of pages that led here by themselves, which nobody else was shown."""
        sources = request.meta.get("redirect_urls", ())
        reasons = request.meta.get("redirect_reasons", ())
        targets = [*sources[1:], request.url]
        for source, reason, target in zip(sources, reasons, targets):
            if reason == "meta refresh":
                self._saw(bare(source), 302, location=bare(target))

    def _tell(self, request: Request, status: int, **came: str | bytes | None) -> None:
        self._saw(bare(request.url), status, **came)

    def _saw(self, url: str, status: int, **came: str | bytes | None) -> None:
        try:
            site = self._live.saw(url, status, **came)  # type: ignore[arg-type]
        except Error as error:
            self._fail(error)
            return
        if site is not None:
            self._counts.add("learned")
            logger.debug("undust learned %s anew", site)

    def _fail(self, error: Error) -> None:
        """A state that cannot be written keeps no crawl from going on: it fetches everything."""
        self._counts.add("errors")
        if not self._is_failing:
            self._is_failing = True
            logger.error("undust skips nothing while its state cannot be written: %s", error)

    def _idle(self, spider: Spider) -> None:
        self._counts.report()
        self._report.measure()

    async def _closed(self, spider: Spider, reason: str) -> None:
        """Lets go of the state. A crawl that came to its end waits for what is being learned."""
        self._counts.report()
        self._report.measure()
        try:
            if reason == "finished":
                await in_thread(self._live.settle)
            self._report.log(self._counts.counts)
            await in_thread(lambda: self._live.close(settle=False))
        except Error as error:
            logger.error("undust could not keep all of this crawl in its state: %s", error)


def _opened(crawler: Crawler, state: str) -> Live:
    """The state of the settings, in which a crawl begins unless a job goes on."""
    if _holds_models(Path(state)):
        raise StateError(
            f"UNDUST_LIVE is {state}, a folder of models: name it in UNDUST_MODELS, or name another folder, in which "
            "live keeps its state"
        )
    settings = crawler.settings
    options: dict[str, Any] = {
        name: settings.getfloat(setting)
        for name, setting in (("risk", "UNDUST_LIVE_RISK"), ("audits", "UNDUST_LIVE_AUDITS"))
        if settings.get(setting) is not None
    }
    live = Live(state, settings=settings.get("UNDUST_LIVE_SETTINGS") or None, **options)
    if not _resumes(settings.get("JOBDIR")):
        live.begin_crawl()
    return live


def _holds_models(folder: Path) -> bool:
    """Whether a folder is one of models, or of one model."""
    folders = [folder, *folder.iterdir()] if folder.is_dir() else []
    return any((one / "model.json").is_file() for one in folders)


def _resumes(job: str | None) -> bool:
    """Whether a job goes on: its duplicate filter has seen requests."""
    if not job:
        return False
    seen = Path(job, "requests.seen")
    return seen.is_file() and seen.stat().st_size > 0


def _filters_nothing(crawler: Crawler) -> bool:
    """Whether duplicates are wanted, as in `scrapy shell`."""
    filter_class = load_object(crawler.settings["DUPEFILTER_CLASS"])
    return f"{filter_class.__module__}.{filter_class.__name__}" == "scrapy.dupefilters.BaseDupeFilter"


def _is_ours(request: Request) -> bool:
    """Whether a request is one of the crawl: not of `robots.txt`, a pipeline, or a browser behind
    another URL."""
    meta = request.meta
    return (
        request.method == "GET"
        and not request.body
        and request.callback is not NO_CALLBACK
        and request.url.startswith(("http://", "https://"))
        and meta.get("undust") is not False
        and not meta.get("verbatim_url")
        and "splash" not in meta
    )
