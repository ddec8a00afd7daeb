#!/usr/bin/env python3
"""Adds `record` to a manifest: what a page shows, by the application's own number of it.

    truth.py NAME data/NAME.jsonl.gz [NAME.warc.gz]    replaces the manifest; every line else stays as it is

The number stands in the address by a pattern of the application, or, for `wiki`, in the pages of the WARC file (needs
warcio). Only pages whose address says all that they show have a record: log-in pages, lists and searches have none.
data/README.md says what a record is on each crawl, and what it does not tell.
"""
import gzip
import io
import json
import re
import sys

# Of the path and the query: what the groups match is the record.
PATTERNS = {
    # A product, or one size or colour of it, in a language, by itself or under a category.
    "store": r"(en|de)/product/(?:[^/?]+/)?([^/?]+)(?:\?node=\d+)?",
    "shop": r"catalogue/(?!category/)[^/?]+_(\d+)/(?:\?.*)?",
    "bookmarks": r"shaare/([\w-]{6})",
    "roundup": r"(issue|msg|user|file)(\d+)",
    # A row of a table by its primary key.
    "datasette": r"(\w+/\w+)/([^/?]+)",
    "library": r"book/(\d+)",
    # The tab is chosen by a script.
    "redmine": r"issues/(\d+)(?:\?tab=\w+)?",
    "lists": r"hyperkitty/list/[^/]+/(message|thread)/(\w{32})/(?:\?sort=\w+)?",
    "reviews": r"r/(\d+)/",
    # A string in a language, by itself or in one of the lists that hold it.
    "translate": r"translate/([\w-]+/[\w-]+/[\w@-]+)/\?(?:[^&]*&)*checksum=([0-9a-f]{16})(?:&.*)?",
    # A question on one page, in any order of its answers.
    "questions": r"question/(\d+)/[^/?]*/(?:\?.*)?",
    "talks": r"(\w+/(?:talk|speaker)/\w{6})/",
    "tracker": r"ticket/(\d+)",
    "events": r"event/(\d+)/contributions/(\d+)/",
}
# Shaarli shows its front page in place of a private bookmark.
NOT_SHOWN = {"bookmarks": "A reading list"}


def by_address(name):
    site = name.split("-")[0]
    pattern = re.compile(r"http://[^/]+/" + PATTERNS[site])

    def record(page):
        found = pattern.fullmatch(page["url"])
        if found and page.get("title") != NOT_SHOWN.get(site):
            return "/".join(found.groups())
        return None
    return record


def by_page(warc):
    """MediaWiki writes into each page what it shows: an article, its revision, and the two that are compared."""
    from warcio.archiveiterator import ArchiveIterator
    names = "wgArticleId", "wgRevisionId", "wgDiffOldId", "wgDiffNewId"
    records = {}
    with open(warc, "rb") as stream:
        for response in ArchiveIterator(stream):
            if response.rec_type != "response" or response.http_headers.get_statuscode() != "200":
                continue
            html = response.content_stream().read().decode("utf-8", "replace")
            said = dict(re.findall(r'"(wg\w+)":("[^"]*"|[^,}]*)', html))
            if said.get("wgAction") == '"view"' and said.get("wgArticleId", "0") != "0" \
                    and said.get("wgCanonicalSpecialPageName") in (None, "!1", "false"):
                url = response.rec_headers.get_header("WARC-Target-URI")
                records[url] = "/".join(said.get(name, "") for name in names).rstrip("/")
    return lambda page: records.get(page["url"])


def main():
    name, path = sys.argv[1:3]
    record_of = by_page(sys.argv[3]) if name == "wiki" else by_address(name)
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as manifest:
        lines = manifest.read().rstrip("\n").split("\n")
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as packed:
        for line in lines:
            page = json.loads(line)
            record = record_of(page) if page["status"] == 200 and "record" not in page else None
            if record:
                line = line[:-1] + f',"record":{json.dumps(record)}' + "}"
            packed.write(line.encode() + b"\n")
    with open(path, "wb") as manifest:
        manifest.write(out.getvalue())


if __name__ == "__main__":
    main()
