"""What a live crawl says of itself: figures in Scrapy's statistics, and the closing log."""

import logging
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from scrapy.statscollectors import StatsCollector

from undust._undust import Live, SiteStats

logger = logging.getLogger("undust")

MOST_SITES = 10
"""Sites that the log and the statistics tell one by one: those with the most skips."""

SAYS_NOTHING = 0.9
"""A bound of the loss from which on it is not told."""


class LiveReport:
    """Compares the figures of a state with those at its beginning, which earlier crawls made."""

    def __init__(self, live: Live, stats: StatsCollector | None) -> None:
        self._live, self._stats = live, stats
        self._before = live.stats()

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

    def log(self) -> None:
        """Tells what this crawl fetched and skipped, and what the skips lost at most."""
        now = self._live.stats()
        largest = _largest(now)
        for name, site in largest:
            logger.info("undust: %s: %s", name, self._described(name, site))
        if len(now) > len(largest):
            logger.info("undust: and %d sites with fewer skips", len(now) - len(largest))

    def _described(self, name: str, site: SiteStats) -> str:
        text = (
            f"{_counted(self._gain(name, site, 'fetched'), 'page')} fetched, "
            f"{_counted(self._gain(name, site, 'skipped'), 'URL')} skipped. "
        )
        if site.skipped:
            if name in self._before and self._before[name].audits.trials:
                text += "In all crawls of this state: "
            text += f"{_counted(site.audits.audited, 'audit')} fetched what would be skipped, and {_new(site.audits.lost)}. "
            text += _bound(site.lost_share_bound)
        if site.banned:
            text += " It answers everything with one page, from which nothing is learned."
        return text

    def _gain(self, name: str, site: SiteStats, figure: str) -> int:
        value, before = attrgetter(figure), self._before.get(name)
        return int(value(site) - (value(before) if before else 0))


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _bound(bound: float) -> str:
    if bound >= SAYS_NOTHING:
        return "They are too few to say what % of the skips lost one."
    return f"With 95 % confidence at most {100 * bound:.1f} % of the skips lost one."


def _new(lost: int) -> str:
    return f"{lost:,} of them showed a new page" if lost else "none showed a new page"


def _largest(sites: Mapping[str, SiteStats]) -> list[tuple[str, SiteStats]]:
    by_skips = sorted(sites.items(), key=lambda one: (-one[1].skipped, one[0]))
    return by_skips[:MOST_SITES]
