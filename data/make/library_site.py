#!/usr/bin/env python3
"""A small town's library: fills calibre-web's data bases.

    library_site.py FOLDER        420 books by 144 authors, eight public shelves

FOLDER has calibre's metadata.sql, an empty folder books, and app.db as calibre-web makes it. Whoever is not
logged in may read; no page shows books drawn at random beside its own.
"""

import datetime
import pathlib
import random
import sqlite3
import sys
import uuid

from texts import MODULES, Writer

FOLDER = pathlib.Path(sys.argv[1])
SITE = "http://library.test"
FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Jean", "Karen",
         "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Robin", "Sophie", "Tony"]
LAST = ["Arden", "Birch", "Cole", "Dale", "Eastman", "Frost", "Gray", "Hall", "Ives", "Jordan", "Kent", "Lane",
        "Marsh", "North", "Oakes", "Park"]
PUBLISHERS = ["Harbour Press", "Lantern Books", "Old Mill", "North Gate", "Quill and Son", "Riverside", "Signal House",
              "Town Printers", "University of Samples Press", "Vellum", "Weaver", "Attic Editions", "Bellows",
              "Cobble Street", "Dovecote", "Ember", "Folio and Frame", "Gable"]
LANGUAGES = ["eng", "fra", "deu", "spa", "ita"]
FORMATS = ["EPUB", "PDF", "MOBI", "TXT"]
SHELVES = ["Staff picks", "For the summer", "Reading circle", "New this spring", "Short ones", "Classics",
           "For beginners", "Local authors"]
# Role of guests: none but to look, read and download. Views: all but the random ones beside lists.
VIEWER, DOWNLOAD, ANONYMOUS = 1 << 8, 1 << 1, 1 << 5
VIEWS = (1 << 18) - 1 & ~(1 << 0)
BOOKS = 420


class Library:
    def __init__(self):
        self.random, self.writer = random.Random(10), Writer(10)
        self.base = sqlite3.connect(FOLDER / "books" / "metadata.db")
        self.base.create_function("title_sort", 1, self.title_sort)
        self.base.create_function("uuid4", 0, lambda: str(uuid.UUID(int=self.random.getrandbits(128), version=4)))
        self.base.executescript((FOLDER / "metadata.sql").read_text())
        self.base.execute("INSERT INTO library_id (uuid) VALUES (uuid4())")
        self.known = {}

    @staticmethod
    def title_sort(title):
        head, _, rest = title.partition(" ")
        return f"{rest}, {head}" if head in ("A", "An", "The") and rest else title

    def one(self, table, field, value, **more):
        """The number of an author, tag and so on, entered at its first mention."""
        key = table, value
        if key not in self.known:
            fields = {field: value, **more}
            names, marks = ", ".join(fields), ", ".join("?" * len(fields))
            done = self.base.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(fields.values()))
            self.known[key] = done.lastrowid
        return self.known[key]

    def link(self, kind, field, book, number):
        self.base.execute(f"INSERT INTO books_{kind}_link (book, {field}) VALUES (?, ?)", (book, number))

    def author(self):
        # Some write a lot, most of them one book.
        count = min(int(self.random.expovariate(0.02)), 319)
        first, last = FIRST[count % 20], LAST[(count * 7 + count // 20) % 16]
        return f"{first} {last}", f"{last}, {first}"

    def blurb(self, book):
        """What it is about, with a link as people copy it from the browser's line now and then."""
        parts = self.writer.text(4, 16)
        if book > 20 and self.random.random() < 0.2:
            other = self.random.randrange(1, book)
            path = self.random.choice([f"/book/{other}", f"/book/{other}", f"/author/stored/{1 + other % 40}",
                                       f"/series/stored/{1 + other % 20}"])
            parts.append(f'See also <a href="{SITE}{path}">{self.random.choice(["this", "that one", "there"])}</a>.')
        return "".join(f"<p>{part}</p>" for part in parts)

    def book(self, book, series):
        title = self.writer.heading(2, 6)
        authors = {name: sort for name, sort in
                   (self.author() for _ in range(self.random.choice([1, 1, 1, 1, 2, 3])))}
        if series:
            authors = series["authors"]
        added = datetime.datetime(2023, 1, 9, 10) + datetime.timedelta(days=book * 2, minutes=self.random.randrange(400))
        printed = datetime.datetime(1990, 1, 1) + datetime.timedelta(days=self.random.randrange(12000))
        stamp = "%Y-%m-%d %H:%M:%S+00:00"
        path = f"{next(iter(authors))}/{title} ({book})"
        self.base.execute(
            "INSERT INTO books (id, title, sort, timestamp, pubdate, series_index, author_sort, path, uuid, has_cover,"
            " last_modified) VALUES (?, ?, title_sort(?), ?, ?, ?, ?, ?, uuid4(), 0, ?)",
            (book, title, title, added.strftime(stamp), printed.strftime(stamp), series["count"] if series else 1.0,
             " & ".join(authors.values()), path, added.strftime(stamp)))
        for name, sort in authors.items():
            self.link("authors", "author", book, self.one("authors", "name", name, sort=sort))
        if series:
            self.link("series", "series", book, self.one("series", "name", series["name"], sort=series["name"]))
            series["count"] += 1
        if self.random.random() < 0.9:
            name = PUBLISHERS[min(int(self.random.expovariate(0.2)), len(PUBLISHERS) - 1)]
            self.link("publishers", "publisher", book, self.one("publishers", "name", name, sort=name))
        subjects = {MODULES[min(int(self.random.expovariate(0.04)), len(MODULES) - 1)].replace(".", " ")
                    for _ in range(self.random.choice([0, 1, 2, 2, 3]))}
        for subject in sorted(subjects):
            self.link("tags", "tag", book, self.one("tags", "name", subject.title()))
        if self.random.random() < 0.6:
            rating = self.random.choice([4, 6, 6, 8, 8, 8, 10])
            self.link("ratings", "rating", book, self.one("ratings", "rating", rating))
        language = LANGUAGES[min(int(self.random.expovariate(1.4)), 4)]
        self.link("languages", "lang_code", book, self.one("languages", "lang_code", language))
        for kind in self.random.sample(FORMATS, self.random.choice([1, 1, 2, 2, 3])):
            self.base.execute("INSERT INTO data (book, format, uncompressed_size, name) VALUES (?, ?, ?, ?)",
                              (book, kind, self.random.randrange(90_000, 4_000_000), title))
        if self.random.random() < 0.5:
            self.base.execute("INSERT INTO identifiers (book, type, val) VALUES (?, 'isbn', ?)",
                              (book, str(9780000000000 + self.random.randrange(10 ** 9))))
        if self.random.random() < 0.95:
            self.base.execute("INSERT INTO comments (book, text) VALUES (?, ?)", (book, self.blurb(book)))

    def fill(self):
        series = []
        for at in range(34):
            name, sort = self.author()
            series.append({"name": self.writer.heading(2, 4), "count": 1, "authors": {name: sort}})
        for book in range(1, BOOKS + 1):
            self.book(book, self.random.choice(series) if self.random.random() < 0.3 else None)
        self.base.commit()

    def settings(self):
        base = sqlite3.connect(FOLDER / "app.db")
        base.execute("UPDATE settings SET config_calibre_dir = ?, config_anonbrowse = 1, config_public_reg = 1,"
                     " config_calibre_web_title = 'Town Library'", (str(FOLDER / "books"),))
        base.execute("UPDATE user SET role = ?, sidebar_view = ? WHERE name = 'Guest'",
                     (ANONYMOUS | VIEWER | DOWNLOAD, VIEWS))
        moment = datetime.datetime(2025, 3, 3, 9)
        for number, name in enumerate(SHELVES, 1):
            base.execute("INSERT INTO shelf (id, uuid, name, is_public, user_id, created, last_modified)"
                         " VALUES (?, ?, ?, 1, 1, ?, ?)", (number, f"shelf-{number}", name, moment, moment))
            chosen = self.random.sample(range(1, BOOKS + 1), self.random.randint(1, 30))
            for order, book in enumerate(chosen, 1):
                base.execute("INSERT INTO book_shelf_link (book_id, \"order\", shelf, date_added) VALUES (?, ?, ?, ?)",
                             (book, order, number, moment + datetime.timedelta(hours=order)))
        for _ in range(300):
            base.execute("INSERT INTO downloads (book_id, user_id) VALUES (?, 1)",
                         (1 + int(self.random.expovariate(0.02)) % BOOKS,))
        base.commit()


if __name__ == "__main__":
    library = Library()
    library.fill()
    library.settings()
