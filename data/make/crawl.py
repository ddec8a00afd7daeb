#!/usr/bin/env python3
"""A small breadth-first crawler of one site that writes a WARC file.

    crawl.py http://shop.test/ -o shop.warc.gz --connect 127.0.0.1:8000 --max 6000

It behaves as simple crawlers do: no cookies, no scripts, no robots rules, every link of a page
in the order of the page. A redirect's target is fetched at once. Only HTML and redirects are
written, in the order in which they were fetched. Needs warcio (1.7.5).
"""

import argparse
import http.client
import re
import sys
import time
from collections import deque
from html.parser import HTMLParser
from io import BytesIO
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
# Of <link>, what leads to pages rather than to style sheets and pictures.
RELATIONS = {"alternate", "canonical", "shortlink", "next", "prev", "start", "up", "contents"}
REDIRECTS = (301, 302, 303, 307, 308)
# A printable ASCII character stands as it is; "%" too, since links come escaped.
AS_IT_IS = "".join(map(chr, range(0x21, 0x7F))).replace('"', "").replace("<", "").replace(">", "")


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.base, self.found = None, []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "base":
            self.base = attributes.get("href")
        elif tag in LINKS:
            self.found.append(attributes.get(LINKS[tag]))
        elif tag == "link" and RELATIONS & set((attributes.get("rel") or "").lower().split()):
            self.found.append(attributes.get("href"))


class Crawl:
    def __init__(self, options):
        self.options = options
        self.host = urlsplit(options.start).netloc
        self.skip = re.compile(options.skip) if options.skip else None
        self.queue, self.seen = deque(), set()
        self.connection = None
        self.add(options.start)

    def add(self, link, base=None, front=False):
        """Puts a link of the site into the queue, unless it has been there."""
        try:
            url = urldefrag(urljoin(base, link.strip()) if base else link)[0]
            parts = urlsplit(url)
        except ValueError:
            return
        if parts.scheme != "http" or parts.netloc != self.host:
            return
        url = quote(url, safe=AS_IT_IS)
        if not parts.path:
            url = url.replace(self.host, self.host + "/", 1)
        if url in self.seen or (self.skip and self.skip.search(url)):
            return
        self.seen.add(url)
        (self.queue.appendleft if front else self.queue.append)(url)

    def fetch(self, url):
        parts = urlsplit(url)
        target = parts.path + ("?" + parts.query if "?" in url else "")
        headers = {"Host": self.host, "User-Agent": "crawl.py", "Accept": "text/html, */*;q=0.5"}
        for again in (True, False):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.options.connect, timeout=120)
                self.connection.request("GET", target, headers=headers)
                response = self.connection.getresponse()
                if is_wanted(response):
                    return response, response.read()
                self.hang_up()
                return response, None
            except (http.client.HTTPException, OSError):
                self.hang_up()
                if not again:
                    raise

    def hang_up(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def run(self, writer):
        written = 0
        while self.queue and written < self.options.max:
            url = self.queue.popleft()
            try:
                response, body = self.fetch(url)
            except (http.client.HTTPException, OSError) as error:
                print(f"{url}: {error}", file=sys.stderr)
                continue
            if body is None:
                continue
            write(writer, url, response, body)
            written += 1
            location = response.headers.get("Location")
            if response.status in REDIRECTS and location:
                self.add(location, url, front=True)
            elif response.status == 200:
                self.follow(url, response, body)
            if written % 500 == 0:
                print(f"{written} written, {len(self.queue)} wait", file=sys.stderr)
            time.sleep(self.options.pause)
        print(f"{written} responses, {len(self.queue)} links left", file=sys.stderr)

    def follow(self, url, response, body):
        links = Links()
        charset = response.headers.get_content_charset() or "utf-8"
        links.feed(body.decode(charset, "replace"))
        base = urljoin(url, links.base) if links.base else url
        for link in links.found:
            if link:
                self.add(link, base)


def is_wanted(response):
    kind = response.headers.get_content_type()
    return response.status in REDIRECTS or kind in ("text/html", "application/xhtml+xml")


def write(writer, url, response, body):
    head = StatusAndHeaders(
        f"{response.status} {response.reason}",
        [(name, value) for name, value in response.getheaders()
         if name.lower() not in ("transfer-encoding", "content-length")],
        protocol="HTTP/1.1",
    )
    writer.write_record(
        writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=head))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("start")
    options.add_argument("-o", "--output", required=True)
    options.add_argument("--connect", required=True, help="address:port that serves the site")
    options.add_argument("--max", type=int, default=6000, help="responses to write")
    options.add_argument("--skip", help="regular expression of URLs not to fetch")
    options.add_argument("--pause", type=float, default=0, help="seconds between two requests")
    options = options.parse_args()
    with open(options.output, "wb") as output:
        Crawl(options).run(WARCWriter(output, gzip=True))


if __name__ == "__main__":
    main()
