"""Cuts crawls into small sites, and writes them as one crawl: what `undust live` saves on sites of about 40 URLs.

    python3 data/make/small_sites.py UNDUST SITES CRAWL... > small.jsonl

UNDUST is the program; it says which URLs show one page. A site has at most 40 URLs of one crawl, with up to 20 of each
page, so that no page is on two sites. Every crawl gives the same number of sites, or as many as it has.
"""

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

URLS = 40
URLS_OF_PAGE = 20


def rank(text):
    """An order that has nothing to do with the crawl's."""
    return hashlib.sha1(text.encode()).hexdigest()


def site_of_urls(undust, crawl):
    """The number of the site of each URL."""
    command = [undust, "cluster", "--min-size", "1", "-q", crawl]
    clusters = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    pages = sorted((json.loads(line)["urls"] for line in clusters), key=lambda urls: rank(urls[0]))
    sites, number, room = {}, 0, URLS
    for urls in pages:
        urls = sorted(urls, key=rank)[:URLS_OF_PAGE]
        if room < len(urls):
            number, room = number + 1, URLS
        room -= len(urls)
        sites.update(dict.fromkeys(urls, number))
    return sites


def small_sites(undust, crawl, most):
    """The lines of each site, in the order of the crawl."""
    sites = site_of_urls(undust, crawl)
    name = Path(crawl).name.split(".")[0]
    lines = {}
    with gzip.open(crawl, "rt") as records:
        for record in map(json.loads, records):
            number = sites.get(record["url"])
            if number is None or number >= most or record.get("status", 200) != 200:
                continue
            path = record["url"].split("://")[1].partition("/")[2]
            record["url"] = f"http://{name}-{number}.test/{path}"
            lines.setdefault(number, []).append(json.dumps(record))
    return list(lines.values())


def main():
    undust, count, *crawls = sys.argv[1:]
    most = -(-int(count) // len(crawls))
    sites = [site for crawl in crawls for site in small_sites(undust, crawl, most)]
    sites.sort(key=lambda lines: rank(json.loads(lines[0])["url"]))
    for lines in sites[: int(count)]:
        print("\n".join(lines))


main()
