"""How long `undust.Live` keeps a crawler waiting while it learns: a manifest is crawled again.

    python live.py MANIFEST [STATE]

Each page comes back two milliseconds after it was asked for. Reading a page's HTML is not measured.
"""

import gzip
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import undust

FIELDS = ("title", "simhash", "digest", "location")


def main(manifest: str, state: str | None = None) -> None:
    """Prints medians, 99th percentiles and the longest waits."""
    live = undust.Live(state)
    waits: dict[str, list[float]] = {"decide": [], "saw": []}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        answer = work()
        waits[name].append(1000 * (time.perf_counter() - start))
        return answer

    with gzip.open(manifest, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            url = row["url"]
            if timed("decide", lambda url=url: live.decide(url)):
                time.sleep(0.002)
                fields = {name: row.get(name) for name in FIELDS}
                timed("saw", lambda row=row, fields=fields: live.saw(row["url"], row["status"], **fields))
    for name, took in waits.items():
        took.sort()
        middle, late = took[len(took) // 2], took[len(took) * 99 // 100]
        print(f"{name}: {len(took):,}, median {middle:.3f} ms, p99 {late:.3f} ms, longest {took[-1]:.1f} ms")
    if state:
        timed("saw", live.close)
        start = time.perf_counter()
        undust.Live(state).close()
        print(f"the state is read in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
