"""Counters of Scrapy's statistics."""

from collections import Counter

from scrapy.statscollectors import StatsCollector

MOST_CAUSES = 50
"""Causes that get a counter of their own; the others are counted together."""
STATS_EVERY = 100
"""Counts after which Scrapy's collector gets them: it takes microseconds to call."""


class Counts:
    """Counts by name, below a prefix."""

    def __init__(self, stats: StatsCollector | None, prefix: str) -> None:
        self._stats, self._prefix = stats, prefix
        self._counts: Counter[str] = Counter()
        self._until_report = STATS_EVERY
        self._causes: set[str] = set()

    def add(self, name: str) -> None:
        """Counts one. Keys of statistics have no spaces."""
        self._counts[name.replace(" ", "_")] += 1
        self._until_report -= 1
        if self._until_report <= 0:
            self.report()

    def add_cause(self, name: str, cause: str) -> None:
        """Counts one, and one of this cause."""
        if cause not in self._causes:
            if len(self._causes) >= MOST_CAUSES:
                cause = "other"
            self._causes.add(cause)
        self.add(name)
        self.add(f"{name}/{cause}")

    @property
    def counts(self) -> Counter[str]:
        """The counts so far."""
        return self._counts

    def report(self) -> None:
        """Gives Scrapy's collector the counts so far."""
        self._until_report = STATS_EVERY
        if self._stats is not None:
            for name, count in self._counts.items():
                self._stats.set_value(self._prefix + name, count)


def counted(number: int, what: str) -> str:
    """`1 page`, `2,000 pages`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
