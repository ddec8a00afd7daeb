"""Enlarges a crawl manifest: python3 benches/enlarge.py data/wiki.jsonl.gz 1000000 > large.jsonl

Each copy renames the digits of every URL (`12` becomes `12x3` in the third copy), of its title
and its digest, and flips the same bits of all fingerprints, so that its duplicates are those of
the original. Pages whose URL has no digit are renamed by their last segment. Memory: one manifest.
"""
import gzip
import json
import random
import re
import sys

path, size = sys.argv[1], int(sys.argv[2])
with gzip.open(path, "rt") as lines:
    pages = [page for page in map(json.loads, lines) if page["status"] == 200 and page.get("digest")]

written = 0
for copy in range(size):
    bits = random.Random(copy).getrandbits(64) if copy else 0
    for page in pages:
        if written == size:
            sys.exit()
        if copy:
            scheme, host, path = re.match(r"(\w+://)([^/?]*)(.*)", page["url"]).groups()
            renamed = re.sub(r"(\d+)", rf"\1x{copy}", path)
            url = scheme + host + (renamed if renamed != path else f"{path}x{copy}")
            changed = {"url": url, "digest": f"{page['digest']}-{copy}"}
            if page.get("title"):
                changed["title"] = f"{page['title']} {copy}"
            if page.get("simhash"):
                changed["simhash"] = f"{int(page['simhash'], 16) ^ bits:016x}"
            page = page | changed
        print(json.dumps(page))
        written += 1
