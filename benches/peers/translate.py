#!/usr/bin/env python3
"""What Python offers against `undust translate`: URLs normalised, not learned.

    pip install w3lib
    python benches/peers/translate.py [CRAWL.jsonl.gz [LINES]]
    cargo bench --bench translate -- hot

The URLs of the pages of a crawl manifest, repeated to a million lines, are read, changed and
written, as the benchmark does it: from memory to nowhere, one process, one thread. Neither
finds a duplicate that needs more than a normal form; `urlsplit` only takes apart and puts
together.
"""

import gzip
import io
import json
import sys
import time
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import canonicalize_url


def pages(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        urls = (json.loads(line)["url"] for line in file)
        return list(dict.fromkeys(urls))


def race(name, change, queue, lines):
    # `urllib.parse` remembers what it split last, as undust remembers templates: left on.
    begin = time.perf_counter()
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        for line in io.StringIO(queue):
            nowhere.write(change(line.rstrip("\n")))
            nowhere.write("\n")
    seconds = time.perf_counter() - begin
    print(f"{name:16} {lines / seconds:>12,.0f} URLs/s")


def main(path="data/wiki.jsonl.gz", lines="1000000"):
    urls, lines = pages(path), int(lines)
    queue = "".join(urls[number % len(urls)] + "\n" for number in range(lines))
    race("read and write", lambda url: url, queue, lines)
    race("urlsplit", lambda url: urlunsplit(urlsplit(url)), queue, lines)
    race("canonicalize_url", canonicalize_url, queue, lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
