"""What makes two requests the same: the canonical forms of their URLs."""

import hashlib
import logging
from typing import NamedTuple
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Headers
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.request import RequestFingerprinter, RequestFingerprinterProtocol

from undust._undust import ModelError, Models, TextSet
from undust.scrapy.counts import Counts, counted
from undust.scrapy.exploration import Exploration
from undust.scrapy.manifest import bare

logger = logging.getLogger(__name__)

FALLBACK = "scrapy.utils.request.RequestFingerprinter"


class _Form:
    """As much of a request as Scrapy's own fingerprinter reads, with the form for its URL. A
    whole `Request` would take longer to make than the fingerprint."""

    __slots__ = ("__weakref__", "body", "headers", "meta", "method", "url")

    def __init__(self, request: Request, url: str) -> None:
        self.url = url
        self.method: str = request.method
        self.body: bytes = request.body
        self.headers: Headers = request.headers
        self.meta: dict[str, object] = {}


class _Asked(NamedTuple):
    key: bytes
    is_new: bool
    """Whether its very URL was never asked before."""


class UndustFingerprinter:
    """Fingerprints a request by its URL's canonical form; what is fetched is the URL itself.

    The fingerprint is that of the fallback fingerprinter for the form. So a URL that no model
    changes has the fingerprint it had without undust, and so have POST requests, requests with
    ``meta={"undust": False}`` and those with ``meta={"verbatim_url": True}``.

    The target of a redirect whose source has the same form counts as another page than its
    source: else the source would be fetched and its page never.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        fallback = settings.get("UNDUST_FALLBACK_FINGERPRINTER_CLASS", FALLBACK)
        self._fallback: RequestFingerprinterProtocol = build_from_crawler(
            load_object(fallback), crawler
        )
        self._is_plain = type(self._fallback) is RequestFingerprinter
        self._models = _models(crawler)
        self._counts = Counts(crawler.stats, "undust/")
        self._asked: WeakKeyDictionary[Request, _Asked] = WeakKeyDictionary()
        self._urls = TextSet()
        self._exploration: Exploration | None = None
        if self._models and settings.getfloat("UNDUST_EXPLORATION", 0.0) > 0:
            self._exploration = Exploration(crawler, self._models)
        if self._models:
            crawler.signals.connect(self._dropped, signal=signals.request_dropped)
            # Before a spider's own `closed` reads them; and a spider that is stopped is never idle.
            crawler.signals.connect(self._counts.report, signal=signals.spider_idle)
            crawler.signals.connect(self._closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "UndustFingerprinter":
        """What Scrapy calls."""
        return cls(crawler)

    def fingerprint(self, request: Request) -> bytes:
        """The fingerprint of a request, computed once."""
        if self._models is None:
            return self._fallback.fingerprint(request)
        asked = self._asked.get(request)
        if asked is None:
            if not _is_ours(request):
                self._counts.add("off")
                return self._fallback.fingerprint(request)
            is_new = self._urls.add(request.url)
            key = self._key(self._models, request, is_new)
            asked = self._asked[request] = _Asked(key, is_new)
        return asked.key

    def _key(self, models: Models, request: Request, is_new: bool) -> bytes:
        url, mark, fragment = request.url.partition("#")
        answer = models.ask(url)
        form, reason = answer.form, answer.reason
        if reason == "explored" and self._exploration:
            if is_new:
                self._counts.add("explored")
                self._exploration.expect(url)
        elif form is None:
            self._counts.add("unchanged/" + reason if reason else "unchanged")
        else:
            self._counts.add("changed")
        if sources := request.meta.get("redirect_urls"):
            own = form or url
            if any((models.ask(source).form or source) == own for source in map(bare, sources)):
                self._counts.add("redirect_within_form")
                return hashlib.sha1(b"redirected " + self._fallback.fingerprint(request)).digest()
        if form is None:
            return self._fallback.fingerprint(request)
        form += mark + fragment
        if self._is_plain:
            return self._fallback.fingerprint(_Form(request, form))  # type: ignore[arg-type]
        return self._fallback.fingerprint(request.replace(url=form))

    def _dropped(self, request: Request, spider: Spider) -> None:
        """Scrapy skips a request. If its very URL came before, Scrapy would have done so alone."""
        asked = self._asked.get(request)
        if asked is None or not asked.is_new or self._models is None:
            return
        cause = self._models.translation(bare(request.url)).cause or "is the form of others"
        self._counts.add_cause("skipped", cause)

    def _closed(self) -> None:
        """Tells what the models did."""
        self._counts.report()
        counts = self._counts.counts
        changed, skipped = counts["changed"], counts["skipped"]
        logger.info(
            "undust: the models gave %s of %s another form, and %s skipped: a URL of their form was asked for before",
            f"{changed:,}",
            counted(changed + sum(count for name, count in counts.items() if name.startswith("unchanged")), "request"),
            f"{skipped:,} {'was' if skipped == 1 else 'were'}",
        )


def _models(crawler: Crawler) -> Models | None:
    """The models of the settings. Where a manifest is being written for a first training, there
    need not be any yet."""
    settings = crawler.settings
    folder = settings.get("UNDUST_MODELS")
    if not folder or not settings.getbool("UNDUST_ENABLED", True):
        return None
    try:
        return Models(
            folder,
            min_confidence=settings.getfloat("UNDUST_MIN_CONFIDENCE", 0.0),
            exploration=settings.getfloat("UNDUST_EXPLORATION", 0.0),
        )
    except ModelError as error:
        if not settings.get("UNDUST_MANIFEST"):
            raise
        logger.warning("No URL is skipped, because there is no model yet: %s", error)
        if crawler.stats is not None:
            crawler.stats.set_value("undust/no_models", str(error))
        return None


def _is_ours(request: Request) -> bool:
    meta = request.meta
    is_plain = request.method in ("GET", "HEAD") and not request.body
    return is_plain and meta.get("undust") is not False and not meta.get("verbatim_url")
