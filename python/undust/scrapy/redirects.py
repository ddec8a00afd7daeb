"""Which targets of redirects are fetched whatever is known of them."""

from collections import Counter

FIRST = 32
"""Redirects to an address, its query left out, that are followed in any case."""
THEN = 10
"""Of the later ones, each so-manieth is."""
MOST = 1 << 16
"""Addresses that are counted, and targets that are waited for."""


class Redirects:
    """Only its target shows what a URL that redirects does, so targets of tests and of the first
    redirects to an address are fetched. Later ones are asked for like any URL: a log-in page that
    all of a site redirects to would otherwise be fetched each time."""

    def __init__(self) -> None:
        self._led: Counter[str] = Counter()
        self._due: dict[str, None] = {}

    def leads(self, target: str, *, is_test: bool) -> None:
        """A redirect leads to a target; whether its source was fetched as a test."""
        if is_test or self._is_new(target.partition("?")[0]):
            self._due[target] = None
            if len(self._due) > MOST:
                # The oldest one: the duplicate filter has dropped it.
                del self._due[next(iter(self._due))]

    def is_due(self, url: str) -> bool:
        """Whether a URL is fetched because a redirect led to it; true once."""
        if url not in self._due:
            return False
        del self._due[url]
        return True

    def _is_new(self, address: str) -> bool:
        if address not in self._led and len(self._led) >= MOST:
            return True
        self._led[address] += 1
        return self._led[address] <= FIRST or self._led[address] % THEN == 0
