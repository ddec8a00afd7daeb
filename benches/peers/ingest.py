#!/usr/bin/env python3
"""What `undust ingest` does, by warcio and selectolax: title and visible words of each page.

    pip install warcio selectolax
    python benches/peers/ingest.py CRAWL.warc.gz >pages.jsonl
    undust ingest --jobs 1 CRAWL.warc.gz >pages.jsonl

It does less: no fingerprint, no canonical link, no digest (the archive's is not looked at),
no charset but what the parser makes of the bytes. One process, one thread.
"""

import json
import re
import sys

from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

WORD = re.compile(r"\w+")
HIDDEN = "script,style,noscript,template"


def main(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            status = int(record.http_headers.get_statuscode())
            page = {
                "url": record.rec_headers.get_header("WARC-Target-URI"),
                "status": status,
                "location": record.http_headers.get_header("Location"),
            }
            if status == 200:
                page |= content(record.content_stream().read())
            json.dump(page, sys.stdout, ensure_ascii=False)
            sys.stdout.write("\n")


def content(body):
    tree = LexborHTMLParser(body)
    title = tree.css_first("title")
    title = " ".join(title.text().split()) if title else None
    for node in tree.css(HIDDEN):
        node.decompose()
    text = tree.body.text(separator=" ") if tree.body else ""
    return {"title": title, "words": len(WORD.findall(text.lower()))}


if __name__ == "__main__":
    main(sys.argv[1])
