"""What a request costs: Scrapy's own fingerprint, and undust's, in one run.

    python benches/fingerprint.py MODELS URLS

Prints microseconds of processor time a request, the median of short rounds by turns, and the
ratio of the two.
"""

import statistics
import sys
import time
from pathlib import Path

from scrapy import Request
from scrapy.utils.request import RequestFingerprinterProtocol
from scrapy.utils.test import get_crawler

ROUND = 200


def microseconds(fingerprinter: RequestFingerprinterProtocol, urls: list[str]) -> float:
    """A request's fingerprint; every request is new."""
    requests = [Request(url) for url in urls]
    start = time.thread_time()
    for request in requests:
        fingerprinter.fingerprint(request)
    return (time.thread_time() - start) / len(urls) * 1e6


def main() -> None:
    """Measures both in turn."""
    models, urls = sys.argv[1], Path(sys.argv[2]).read_text().split()
    plain, ours = (
        get_crawler(settings_dict=settings).request_fingerprinter
        for settings in (
            {},
            {"ADDONS": {"undust.scrapy.Addon": 300}, "UNDUST_MODELS": models},
        )
    )
    assert plain is not None and ours is not None
    rounds = [urls[at : at + ROUND] for at in range(0, len(urls), ROUND)]
    times = [(microseconds(plain, part), microseconds(ours, part)) for part in rounds]
    before, after = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{len(urls)} URLs: {before:.1f} µs by Scrapy, {after:.1f} µs by undust: {after / before:.2f}")


if __name__ == "__main__":
    main()
