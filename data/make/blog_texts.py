#!/usr/bin/env python3
"""Prints what a blog's authors and readers wrote in three years, as JSON for blog_fill.php."""

import datetime
import json
import random

from texts import Writer

CATEGORIES = {"Languages": ["Syntax", "Types", "History"], "Practice": ["Testing", "Reviews", "Tools"],
              "Systems": ["Files", "Networks", "Processes"], "Notes": [], "Meetings": []}
TAGS = """asyncio bytes cache clocks closures cli csv dates debugging decimal email encodings errors
    files floats generators hashing http imports iterators json locks logging mail memory mocks
    packaging parsing paths pickles queues random regex sockets sorting sqlite ssl strings threads
    typing unicode urls xml zip""".split()
AUTHORS = ["ada", "grace", "edsger", "barbara"]
READERS = "Alan Brian Claude Dennis Frances Guido Hedy Jean Ken Larry Margaret Niklaus Radia Tony".split()
START = datetime.datetime(2022, 1, 4, 8)
POSTS = 300


def main():
    chance, writer = random.Random(11), Writer(11)
    names = [name for top, below in CATEGORIES.items() for name in (below or [top])]
    posts, titles = [], set()
    while len(posts) < POSTS:
        title = writer.heading(3, 8)
        if title in titles:
            continue
        titles.add(title)
        when = START + datetime.timedelta(days=len(posts) * 3.6, minutes=len(posts) * 97 % 700)
        paragraphs = writer.text(4, 18)
        # Numbers of earlier posts to link to, as authors paste them (?p=) or readers share them.
        links = chance.sample(range(len(posts)), min(len(posts), chance.choice([0, 0, 1, 2])))
        comments, count = [], chance.choice([0, 0, 1, 1, 2, 3, 4, 6, 9, 30])
        for at in range(count):
            comments.append({
                "author": chance.choice(READERS), "text": "\n\n".join(writer.text(1, 4)),
                "parent": chance.randrange(at) if at and chance.random() < 0.4 else None,
                "date": str(when + datetime.timedelta(hours=5 * (at + 1)))})
        posts.append({
            "title": title, "date": str(when), "author": chance.choice(AUTHORS),
            "paragraphs": paragraphs, "more": len(paragraphs) > 3 and chance.random() < 0.5,
            "links": links, "letter": len(posts) % 12 == 11,
            "categories": chance.sample(names, chance.choice([1, 1, 2])),
            "tags": chance.sample(TAGS, chance.randint(0, 4)),
            "pictures": [writer.heading(2, 4) for _ in range(chance.choice([0, 0, 0, 1, 2]))],
            "comments": comments})
    pages = [{"title": title, "paragraphs": writer.text(6, 14)}
             for title in ("About", "Authors", "Imprint", "Privacy policy", "Reading list")]
    print(json.dumps({"categories": CATEGORIES, "authors": AUTHORS, "posts": posts, "pages": pages}))


if __name__ == "__main__":
    main()
