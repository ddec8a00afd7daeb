#!/usr/bin/env python3
"""Makes the data bases that Datasette shows: a library's catalogue and a weather service's records.

    datasette_fill.py FOLDER        writes library.db, weather.db and metadata.json into FOLDER
"""

import json
import pathlib
import random
import sqlite3
import sys
from datetime import date, timedelta

from texts import Writer

SUBJECTS = ["algorithms", "biology", "chemistry", "cooking", "gardens", "history", "languages", "law",
            "mathematics", "music", "networks", "painting", "physics", "travel"]
LANGUAGES = ["Dutch", "English", "English", "English", "French", "German", "Norwegian"]
FORMATS = ["hardcover", "paperback", "paperback", "paperback", "map", "score"]
CITIES = [("Amsterdam", "Netherlands"), ("Bergen", "Norway"), ("Berlin", "Germany"), ("Boston", "USA"),
          ("Cambridge", "UK"), ("Leiden", "Netherlands"), ("London", "UK"), ("New York", "USA"),
          ("Oslo", "Norway"), ("Paris", "France"), ("Vienna", "Austria"), ("Zurich", "Switzerland")]
FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Jean",
         "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Sophie", "Tony", "Whitfield"]
LAST = ["Berg", "Carter", "Dahl", "Fischer", "Haugen", "Jansen", "Keller", "Lund", "Martin", "Moore",
        "Olsen", "Petit", "Smith", "Visser", "Weber"]
BRANCHES = ["Central", "Harbour", "Hill", "Market", "North", "Station"]
WEATHER = ["clear", "cloudy", "cloudy", "fog", "rain", "rain", "sleet", "snow"]

LIBRARY = """
CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, born INTEGER, country TEXT, note TEXT);
CREATE TABLE subjects (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE branches (id INTEGER PRIMARY KEY, name TEXT, opened INTEGER);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES authors(id),
    publisher INTEGER REFERENCES publishers(id), subject TEXT REFERENCES subjects(code), year INTEGER,
    language TEXT, format TEXT, pages INTEGER, summary TEXT);
CREATE TABLE copies (book INTEGER REFERENCES books(id), number INTEGER,
    branch INTEGER REFERENCES branches(id), state TEXT, acquired TEXT, PRIMARY KEY (book, number));
CREATE INDEX books_author ON books(author);
CREATE INDEX books_publisher ON books(publisher);
CREATE INDEX books_subject ON books(subject);
CREATE INDEX copies_branch ON copies(branch);
CREATE VIEW recent_books AS SELECT id, title, author, year, subject FROM books WHERE year >= 2020;
"""
WEATHER_TABLES = """
CREATE TABLE stations (id TEXT PRIMARY KEY, name TEXT, region TEXT, height INTEGER, since INTEGER);
CREATE TABLE days (station TEXT REFERENCES stations(id), day TEXT, low REAL, high REAL, rain REAL,
    wind INTEGER, weather TEXT, PRIMARY KEY (station, day));
CREATE INDEX days_day ON days(day);
CREATE VIEW wet_days AS SELECT * FROM days WHERE rain > 12;
"""


def library(place):
    chance, writer = random.Random(8), Writer(8)
    base = sqlite3.connect(place)
    base.executescript(LIBRARY)

    def add(table, *values):
        base.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    for number in range(1, 25):
        city, country = chance.choice(CITIES)
        add("publishers", number, f"{chance.choice(LAST)} & {chance.choice(['Sons', 'Daughters', 'Co'])}, "
            f"{city}", city, country)
    for number in range(1, 121):
        add("authors", number, f"{chance.choice(FIRST)} {chance.choice(LAST)}",
            chance.randint(1900, 1995), chance.choice(CITIES)[1],
            writer.text(1, 1)[0] if chance.random() < 0.5 else "")
    for subject in SUBJECTS:
        add("subjects", subject[:3], subject)
    for number, name in enumerate(BRANCHES, 1):
        add("branches", number, name, chance.randint(1890, 2010))
    for number in range(1, 761):
        # A few write much.
        author = min(int(chance.expovariate(0.03)) + 1, 120)
        add("books", number, writer.heading(3, 8), author, chance.randint(1, 24),
            chance.choice(SUBJECTS)[:3], chance.choice([*range(1960, 2020, 3), *range(2015, 2025)]),
            chance.choice(LANGUAGES), chance.choice(FORMATS), chance.randrange(40, 900),
            " ".join(writer.text(1, 3)))
        for copy in range(1, chance.choice([1, 1, 1, 2, 2, 3]) + 1):
            add("copies", number, copy, chance.randint(1, len(BRANCHES)),
                chance.choice(["good", "good", "good", "worn", "lost"]),
                str(date(2010, 1, 4) + timedelta(days=chance.randrange(5400))))
    base.commit()
    base.execute("VACUUM")
    base.close()


def weather(place):
    chance = random.Random(9)
    base = sqlite3.connect(place)
    base.executescript(WEATHER_TABLES)
    for number, name in enumerate(["Airport", "Bridge", "Castle", "Forest", "Harbour", "Lighthouse",
                                   "Mountain", "University"]):
        code, height = name[:3].upper(), chance.randrange(2, 1200)
        base.execute("INSERT INTO stations VALUES (?, ?, ?, ?, ?)", (
            code, name, ["coast", "inland", "hills"][number % 3], height, chance.randint(1920, 2005)))
        for count in range(180):
            day = date(2024, 1, 1) + timedelta(days=count)
            low = round(chance.gauss(count / 12 - height / 160, 3), 1)
            rain = round(chance.expovariate(0.25), 1) if chance.random() < 0.5 else 0.0
            base.execute("INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?)", (
                code, str(day), low, round(low + chance.uniform(2, 12), 1), rain,
                chance.randrange(0, 95, 5), chance.choice(WEATHER[4:] if rain else WEATHER[:4])))
    base.commit()
    base.execute("VACUUM")
    base.close()


# As its owners describe it: what to count by at first, what to sort by, and queries with names.
METADATA = {
    "title": "Open data of the town",
    "license": "CC0",
    "databases": {
        "library": {
            "description": "The catalogue of the town's library",
            "tables": {
                "books": {"label_column": "title", "facets": ["language", "format"],
                          "description": "One row a title; see copies for what stands where."},
                "copies": {"facets": ["branch", "state"]},
                "authors": {"sort": "name"},
            },
            "queries": {
                "by_country": {"title": "Books by their author's country",
                               "sql": "select country, count(*) as books from books join authors on "
                                      "books.author = authors.id group by country order by books desc"},
                "by_subject": {"title": "Books of a subject", "params": ["subject"],
                               "sql": "select books.id, title, authors.name as author, year from books join "
                                      "authors on books.author = authors.id where subject = :subject "
                                      "order by year, books.id"},
            },
        },
        "weather": {
            "description": "Daily records of eight stations",
            "tables": {"days": {"facets": ["station", "weather"], "sort_desc": "day"}},
            "queries": {
                "coldest": {"title": "The coldest days",
                            "sql": "select station, day, low from days order by low limit 25"},
            },
        },
    },
}


def main():
    folder = pathlib.Path(sys.argv[1])
    library(folder / "library.db")
    weather(folder / "weather.db")
    (folder / "metadata.json").write_text(json.dumps(METADATA, indent=1))


if __name__ == "__main__":
    main()
