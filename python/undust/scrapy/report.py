"""What a live crawl says of itself: figures in Scrapy's statistics, and the closing log."""

import logging
import time
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from scrapy.statscollectors import StatsCollector

from undust._undust import Live, SiteStats
from undust.scrapy.counts import counted

logger = logging.getLogger("undust")

MOST_SITES = 10
"""Sites that the log and the statistics tell one by one: those with the most skips."""

SAYS_NOTHING = 0.9
"""A bound of the loss from which on it is not told."""

MINUTE = 60.0
"""Seconds between two lines while a crawl runs."""

ASKED = ("fetched", "probed", "fetched_again", "followed")
"""What is counted of requests that undust was asked of and that were sent."""


class LiveReport:
    """Compares the figures of a state with those at its beginning, which earlier crawls made."""

    def __init__(self, live: Live, stats: StatsCollector | None) -> None:
        self._live, self._stats = live, stats
        self._before = live.stats()
        self._told = time.monotonic()

    def begin(self, state: str) -> None:
        """Tells at the start what is known."""
        pages = sum(site.fetched for site in self._before.values())
        known = f"{counted(pages, 'page')} of {counted(len(self._before), 'site')}" if pages else "no page yet"
        logger.info("undust: decides which URLs are fetched; %s knows %s", state, known)

    def progress(self, counts: Mapping[str, int]) -> None:
        """Tells once a minute how far the crawl is."""
        now = time.monotonic()
        if now - self._told < MINUTE:
            return
        self._told = now
        sent, skipped = sum(counts[name] for name in ASKED), counts["skipped"]
        logger.info("undust: %s sent, %s skipped", counted(sent, "request"), counted(skipped, "URL"))

    def measure(self) -> None:
        """Gives Scrapy's collector what the engine counts."""
        if self._stats is None:
            return
        now = self._live.stats()
        values: dict[str, Any] = {
            "pages": sum(site.distinct for site in now.values()),
            "audited": sum(self._gain(name, site, "audits.audited") for name, site in now.items()),
            "audits_lost": sum(self._gain(name, site, "audits.lost") for name, site in now.items()),
            "pending": sum(site.pending for site in now.values()),
            "failed_learnings": sum(site.failed_learnings for site in now.values()),
        }
        for name, site in _largest(now):
            values[f"lost_at_most/{name}"] = round(site.lost_share_bound, 4)
        for value, number in values.items():
            self._stats.set_value("undust/live/" + value, number)

    def log(self, counts: Mapping[str, int]) -> None:
        """Tells what this crawl fetched and skipped, and what the skips lost at most."""
        if requests := self._requests(counts):
            logger.info("undust: %s", requests)
        now = self._live.stats()
        largest = _largest(now)
        for name, site in largest:
            logger.info("undust: %s: %s", name, self._described(name, site))
        if len(now) > len(largest):
            logger.info("undust: and %d sites with fewer skips", len(now) - len(largest))

    def _requests(self, counts: Mapping[str, int]) -> str | None:
        """All requests that Scrapy's statistics count, by what came of them."""
        of_scrapy = self._stats.get_stats() if self._stats else {}
        sent = of_scrapy.get("downloader/request_count")
        if sent is None:
            return None
        prefix = "downloader/response_status_count/"
        came = [(key.removeprefix(prefix), count) for key, count in of_scrapy.items() if key.startswith(prefix)]
        by_class = {first: sum(count for status, count in came if status[0] == first) for first in "2345"}
        answers = sum(count for _, count in came)
        outcomes = (
            (by_class["2"], "answered"),
            (by_class["3"], "redirected"),
            (by_class["4"] + by_class["5"], "refused"),
            (sent - answers, "without an answer"),
        )
        told = ", ".join(f"{count:,} {what}" for count, what in outcomes if count)
        skipped = counted(counts["skipped"], "URL")
        beside = sent - sum(counts[name] for name in ASKED)
        text = f"{counted(sent, 'request')} sent" + (f" ({told})" if told else "") + f", {skipped} skipped."
        if beside > 0:
            text += f" {beside:,} of the requests are never skipped, such as start URLs and robots.txt."
        return text

    def _described(self, name: str, site: SiteStats) -> str:
        text = (
            f"{counted(self._gain(name, site, 'fetched'), 'page')} fetched, "
            f"{counted(self._gain(name, site, 'skipped'), 'URL')} skipped. "
        )
        if site.skipped:
            if name in self._before and self._before[name].audits.trials:
                text += "In all crawls of this state: "
            text += f"{counted(site.audits.audited, 'audit')} fetched what would be skipped, and {_new(site.audits.lost)}. "
            text += _bound(site.audits.lost, site.lost_share_bound)
        if site.banned:
            text += " It answers everything with one page, from which nothing is learned."
        return text

    def _gain(self, name: str, site: SiteStats, figure: str) -> int:
        value, before = attrgetter(figure), self._before.get(name)
        return int(value(site) - (value(before) if before else 0))


def _bound(lost: int, bound: float) -> str:
    if bound >= SAYS_NOTHING:
        return "They are too few to say what % of the skips lost one; that shows with more skips."
    narrower = "more skips narrow that" if lost else "twice as many without a loss halve that"
    return f"With 95 % confidence at most {100 * bound:.1f} % of the skips lost one; {narrower}."


def _new(lost: int) -> str:
    return f"{lost:,} of them showed a new page" if lost else "none showed a new page"


def _largest(sites: Mapping[str, SiteStats]) -> list[tuple[str, SiteStats]]:
    by_skips = sorted(sites.items(), key=lambda one: (-one[1].skipped, one[0]))
    return by_skips[:MOST_SITES]
