"""What comes back of URLs that were fetched all the same, compared with the page of their form."""

import logging
from collections import Counter
from typing import NamedTuple

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from undust._types import Page
from undust._undust import SHORT_TEXT_WORDS, Error, Models
from undust.scrapy.manifest import bare, redirect_target, row_of

logger = logging.getLogger(__name__)

MOST = 1 << 20
"""Forms whose page is remembered, some 300 bytes each."""
AT_ONCE = 64
"""Observations that are passed on at once: each time a file of the model's folder is written."""
NEAR = 3
"""Bits in which fingerprints of one page may differ."""


class _Page(NamedTuple):
    url: str
    digest: str | None
    title: str | None
    simhash: int | None
    short_text: str | None

    @classmethod
    def of(cls, url: str, row: Page) -> "_Page":
        """Of a row of a manifest."""
        simhash = row.get("simhash")
        number = None if simhash is None else int(simhash, 16)
        is_short = row.get("words", SHORT_TEXT_WORDS) < SHORT_TEXT_WORDS
        short_text = row.get("text_hash") if is_short else None
        return cls(url, row.get("digest"), row.get("title"), number, short_text)

    def is_same(self, other: "_Page") -> bool:
        """Whether both are one page, as where duplicates are found in a crawl: the same bytes, or
        the same title and a near fingerprint, and on a short page the same words."""
        if self.digest is not None and self.digest == other.digest:
            return True
        if self.simhash is None or other.simhash is None:
            return False
        if (self.title, self.short_text) != (other.title, other.short_text):
            return False
        return bool(self.title) and (self.simhash ^ other.simhash).bit_count() <= NEAR


class Exploration:
    """Remembers the first page of each form of a crawl, and compares with it each page that was
    fetched though one of its form was. What comes out is passed on to the models, which switch off
    what fails."""

    def __init__(self, crawler: Crawler, models: Models) -> None:
        self._models, self._stats = models, crawler.stats
        self._forms: dict[str, str] = {}
        """The explored URLs that have not come back, each with its form."""
        self._pages: dict[str, _Page] = {}
        self._waiting: dict[str, list[_Page]] = {}
        """By form: what came back before the page of the form."""
        self._observed: list[tuple[str, str, bool]] = []
        self._counts: Counter[str] = Counter()
        crawler.signals.connect(self._downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(self._received, signal=signals.response_received)
        # Before a spider's own `closed` reads them; and a spider that is stopped is never idle.
        crawler.signals.connect(self._report, signal=signals.spider_idle)
        crawler.signals.connect(self._report, signal=signals.spider_closed)

    def expect(self, url: str) -> None:
        """A URL will be fetched all the same."""
        form = self._models.translation(url).explored
        if form is not None and len(self._forms) < MOST:
            self._forms[url] = form

    def _downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        """A redirect to a URL of the same form is the page of that form."""
        url, target = bare(request.url), redirect_target(response, request)
        form = self._forms.get(url)
        if target and form is not None and self._form(target) == form:
            del self._forms[url]
            self._observe(url, target, True)

    def _received(self, response: Response, request: Request, spider: Spider) -> None:
        asked = response.request or request
        if response.status != 200 or asked.method != "GET":
            return
        row = row_of(response, asked)
        if row is None:
            return
        url = bare(asked.url)
        page = _Page.of(url, row)
        sources = [bare(source) for source in asked.meta.get("redirect_urls", ())]
        explored = {one: self._forms.pop(one) for one in [*sources, url] if one in self._forms}
        for source, form in explored.items():
            self._came_back(page._replace(url=source), form)
        if url not in explored:
            self._is_page_of(self._form(url), page)

    def _came_back(self, page: _Page, form: str) -> None:
        if (shown := self._pages.get(form)) is None:
            self._waiting.setdefault(form, []).append(page)
        else:
            self._observe(page.url, shown.url, page.is_same(shown))

    def _is_page_of(self, form: str, page: _Page) -> None:
        if form in self._pages or len(self._pages) >= MOST:
            return
        self._pages[form] = page
        for before in self._waiting.pop(form, ()):
            self._observe(before.url, page.url, before.is_same(page))

    def _form(self, url: str) -> str:
        translation = self._models.translation(url)
        return translation.explored or translation.canonical

    def _observe(self, url: str, other: str, same: bool) -> None:
        self._observed.append((url, other, same))
        if len(self._observed) >= AT_ONCE:
            self._report()

    def _report(self) -> None:
        """A folder that cannot be written keeps no crawl from going on."""
        if not self._observed:
            return
        observed, self._observed = self._observed, []
        try:
            result = self._models.observe_many(observed)
        except Error as error:
            logger.warning("Observations of explored URLs were not saved: %s", error)
            return
        off = [one for one in result.operations if one.status == "off"]
        for one in off:
            logger.warning("Switched off until the next training: %s of %s", one.operation, one.site)
        self._counts.update(
            {"observed": result.counted, "conflicts": result.conflicts, "switched_off": len(off)}
        )
        if self._stats is not None:
            for name, count in self._counts.items():
                self._stats.set_value("undust/" + name, count)
