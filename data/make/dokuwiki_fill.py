#!/usr/bin/env python3
"""Writes the pages of a DokuWiki, with their old revisions, into its data folder.

    dokuwiki_fill.py DATA

A namespace a module of Python's standard library, a page a class or function, some notes and
project pages beside them; one to four revisions a page.
"""

import gzip
import os
import pathlib
import random
import re
import sys

from texts import Writer, articles

AUTHORS = ["ada", "barbara", "donald", "edsger", "grace"]
SUMMARIES = ["", "", "typo", "more details", "links", "clearer", "wording", "restructured"]
START, DAY = 1_640_995_200, 86_400
PAGES = 520
# The namespaces that the wiki's front page leads to; the last one takes all other modules.
AREAS = {
    "text": "codecs difflib fnmatch gettext html json locale pprint re shlex string textwrap tokenize",
    "data": "bisect calendar collections copy csv dataclasses datetime decimal enum fractions heapq "
            "numbers pickle plistlib random shelve sqlite3 statistics struct types typing uuid zoneinfo",
    "files": "fileinput glob gzip io lzma mailbox mimetypes netrc os pathlib shutil tarfile tempfile "
             "wave zipapp zipfile",
    "network": "base64 email ftplib hashlib hmac http imaplib ipaddress poplib secrets smtplib socket "
               "socketserver ssl urllib xml xmlrpc",
    "processes": "asyncio concurrent contextlib multiprocessing queue sched selectors subprocess "
                 "threading weakref",
    "development": "",
}


def clean(name):
    """DokuWiki's cleanID, for the names that occur here."""
    return re.sub(r"[^a-z0-9_.-]+", "_", name.lower()).strip("_.-")


def space_of(module):
    """A namespace an area, then one for each part of the module's name."""
    area = next((area for area, modules in AREAS.items() if module.split(".")[0] in modules.split()),
                "development")
    return ":".join([area, *map(clean, module.split("."))])


class Wiki:
    def __init__(self, data):
        self.data = pathlib.Path(data)
        self.random, self.writer, self.changes = random.Random(7), Writer(7), []

    def place(self, kind, page, ending):
        place = self.data / kind / (page.replace(":", "/") + ending)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def save(self, page, texts):
        """A page with the revisions `texts`, the last one being today's."""
        when, lines = START + self.random.randrange(0, 700) * DAY + self.random.randrange(DAY), []
        old = ""
        for text in texts:
            kind = "E" if old else "C"
            summary = self.random.choice(SUMMARIES) if old else "created"
            line = "\t".join([str(when), "127.0.0.1", kind, page, self.random.choice(AUTHORS),
                              summary, "", str(len(text) - len(old))])
            lines.append(line)
            with gzip.open(self.place("attic", page, f".{when}.txt.gz"), "wt") as attic:
                attic.write(text)
            old, last = text, when
            when += self.random.randrange(1, 90) * DAY + self.random.randrange(DAY)
        self.place("meta", page, ".changes").write_text("\n".join(lines) + "\n")
        self.changes += lines
        current = self.place("pages", page, ".txt")
        current.write_text(old)
        os.utime(current, (last, last))

    def revisions(self, text):
        """The text as it grew."""
        texts = [text]
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 2, 3])):
            text += "\n" + self.writer.text(1, 3)[0] + "\n"
            texts.append(text)
        return texts

    def finish(self):
        self.changes.sort()
        place = self.data / "meta" / "_dokuwiki.changes"
        place.write_text("\n".join(self.changes) + "\n")


def fill(wiki):
    chosen = list(articles())
    starts = [one for one in chosen if one[0] == one[1]]
    chosen = starts + wiki.random.sample([one for one in chosen if one[0] != one[1]],
                                         PAGES - len(starts))
    pages = {}
    for module, name, text in chosen:
        space = space_of(module)
        page = f"{space}:start" if module == name else f"{space}:{clean(name)}"
        pages.setdefault(page, (module, name, text))
    names = list(pages)
    for page, (module, name, text) in pages.items():
        space = page.rpartition(":")[0]
        inside = [f"  * [[.:{other.rpartition(':')[2]}]]" for other in names
                  if other.rpartition(":")[0] == space and other != page][:40]
        others = [f"  * [[{other}]]" for other in wiki.random.sample(names, 3)]
        if module == name:
            heading = f"The {module} module"
        else:
            heading = f"{module}.{name}"
        parts = [f"====== {heading} ======", *text]
        parts += [f"===== {wiki.writer.heading()} =====", *wiki.writer.text(2, 8)]
        if module == name and inside:
            parts += ["===== Contents =====", "\n".join(inside)]
        parts += ["===== See also =====", "\n".join(others),
                  f"[[{page.split(':')[0]}:start|{page.split(':')[0].title()}]] | [[.:start|Up]]"]
        wiki.save(page, wiki.revisions("\n\n".join(parts) + "\n"))
    for area in AREAS:
        listed = "\n".join(f"  * [[{page.rpartition(':')[0]}:|{module}]]"
                           for page, (module, name, _) in pages.items()
                           if module == name and page.startswith(area + ":"))
        text = "\n\n".join(wiki.writer.text(3, 6))
        wiki.save(f"{area}:start", wiki.revisions(f"====== {area.title()} ======\n\n{text}\n\n{listed}\n"))
    talks = []
    for count in range(40):
        page = f"project:meeting_{2022 + count // 14}-{count % 14 % 12 + 1:02}-{count % 27 + 1:02}"
        talks.append(page)
        text = [f"====== Meeting {page[-10:]} ======"]
        for _ in range(wiki.random.randint(2, 4)):
            text += [f"===== {wiki.writer.heading()} =====", *wiki.writer.text(2, 6)]
        wiki.save(page, wiki.revisions("\n\n".join(text) + "\n"))
    wiki.save("project:start", wiki.revisions(
        "====== The project ======\n\n" + "\n".join(f"  * [[{talk}]]" for talk in talks) + "\n"))
    wiki.save("start", wiki.revisions(
        "====== Welcome ======\n\n" + "\n\n".join(wiki.writer.text(4, 8)) +
        "\n\n" + "".join(f"  * [[{area}:]]\n" for area in AREAS) +
        "  * [[project:]]\n  * [[project:plans|Plans]]\n"))
    wiki.save("sidebar", ["  * [[:start|Home]]\n" + "".join(
        f"  * [[{area}:start|{area.title()}]]\n" for area in [*AREAS, "project"])])


def main():
    wiki = Wiki(sys.argv[1])
    fill(wiki)
    wiki.finish()


if __name__ == "__main__":
    main()
