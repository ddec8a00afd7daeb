#!/usr/bin/env python3
"""Prints what bookmarks_fill.php puts into Shaarli, as JSON: 1,300 bookmarks and notes of two years.

The tags are names of modules and of what is in them, a few often and most seldom; the titles and
remarks are sentences of texts.py.
"""

import datetime
import json
import random
import sys

from texts import MODULES, Writer, articles

HOSTS = ["docs", "blog", "wiki", "news", "talks", "code", "papers", "forum"]
KINDS = ["toread", "howto", "reference", "video", "tool", "library", "article", "slides", "opinion", "fun",
         "security", "performance", "history", "teaching"]
START = datetime.datetime(2023, 1, 2)
DAYS = 730
BOOKMARKS = 1300
SITE = "http://bookmarks.test"


class Collector:
    def __init__(self):
        self.random, self.writer = random.Random(27), Writer(27)
        names = [name for module, name, _ in articles() if name != module and len(name) > 4]
        self.tags = KINDS + self.random.sample(MODULES, 70) + sorted(self.random.sample(sorted(set(names)), 260))
        self.random.shuffle(self.tags)
        self.made = []

    def moments(self):
        """Some days bring several links, every third or so none."""
        moments = []
        while len(moments) < BOOKMARKS:
            day = START + datetime.timedelta(days=self.random.randrange(DAYS))
            for _ in range(self.random.choice([1, 1, 1, 2, 3, 5])):
                moments.append(day + datetime.timedelta(seconds=self.random.randrange(7 * 3600, 23 * 3600)))
        return sorted(set(moments[:BOOKMARKS]))

    def tag(self):
        at = min(int(self.random.paretovariate(0.55)) - 1, 10 ** 6)
        return self.tags[at] if at < len(self.tags) else self.random.choice(self.tags)

    def remark(self):
        parts = self.writer.text(1, self.random.choice([1, 2, 3, 8]))
        if self.random.random() < 0.12:
            parts.append("#" + self.tag().replace(".", "_"))
        return parts

    def bookmark(self, moment):
        note = self.random.random() < 0.15
        title = self.writer.heading(3, 9)
        words = "-".join("".join(c for c in word if c.isalnum()) for word in title.lower().split())
        url = "" if note else f"https://{self.random.choice(HOSTS)}{self.random.randrange(40)}.example.org/{words}"
        updated = None
        if self.random.random() < 0.1:
            updated = (moment + datetime.timedelta(minutes=self.random.randrange(5, 20000))).isoformat()
        earlier = []
        if len(self.made) > 20 and self.random.random() < (0.5 if note else 0.1):
            # As copied from the line of the browser, or from a day's page.
            for _ in range(self.random.choice([1, 1, 2])):
                earlier.append([self.random.randrange(len(self.made)), self.random.random() < 0.7])
        self.made.append({
            "title": title, "url": url, "created": moment.isoformat(), "updated": updated,
            "remark": self.remark() if note or self.random.random() < 0.7 else [], "earlier": earlier,
            "tags": list(dict.fromkeys(self.tag() for _ in range(self.random.choice([0, 1, 2, 2, 3, 3, 4, 5])))),
            "private": self.random.random() < 0.04, "sticky": self.random.random() < 0.002,
        })


if __name__ == "__main__":
    collector = Collector()
    for moment in collector.moments():
        collector.bookmark(moment)
    json.dump({"site": SITE, "bookmarks": collector.made}, sys.stdout, indent=1)
