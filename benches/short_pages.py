"""What the rule of clusters loses on short pages: python3 benches/short_pages.py target/release/undust [MANIFEST]

Makes pages of several kinds, each a menu and a few words of its own, and clusters them by rules that were tried. One
URL of each cluster is fetched. *Lost* are the pages that none of them shows; *left* are the fetches that show a page
again. A manifest with the fields `text_hash` and `record` (data/make/truth.py) is judged by its records.
"""
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

PAGES = 200
COPIES = 3
LIMITS = (0, 200, 250, 300, 400, 600, None)
WORDS = [a + b + c for a in ("ba", "de", "ki", "lo", "mu", "ra") for b in ("n", "r", "s", "t")
         for c in ("a", "el", "ix", "or", "um", "y", "ens", "ing", "ost", "ult")]
random.seed(1)


def words(count):
    return " ".join(random.choices(WORDS, k=count))


# Each kind: words of the menu, then what a page shows on each of its URLs.
def form(page, copy):
    return f"submit a link to {WORDS[page]}"


def profile(page, copy):
    return f"member {WORDS[page]}{page}x joined 2019 posts {page * 7}"


def version(page, copy):
    return f"version {page} of {WORDS[page % 40]} changed {WORDS[page]} to {WORDS[-page]}"


def counter(page, copy):
    return f"{WORDS[page]} {WORDS[-page]} seen {random.randrange(100, 1000)} times"


def render_time(page, copy):
    return f"{WORDS[page]} {WORDS[-page]} made in 0.{random.randrange(10, 99)} seconds"


def grown_counter(page, copy):
    return f"{WORDS[page]} {WORDS[-page]} seen {('987', '1,234', '1,234,567')[copy]} times"


def slogan(page, copy):
    return f"{WORDS[page]} {WORDS[-page]} {words(4)}"


def captcha(page, copy):
    return f"{WORDS[page]} {WORDS[-page]} type {words(1)} to go on"


def release(page, copy):
    return f"release 1.{page} for all systems"


def weather(page, copy):
    return f"day {page} low {page * 37 % 83} high {page * 91 % 97} rain {page * 53 % 71} wind {page * 17 % 89}"


KINDS = [(225, form), (120, profile), (150, version), (150, counter), (150, render_time),
         (150, grown_counter), (150, slogan), (150, captcha), (450, form), (450, counter), (150, release), (30, weather)]


# Rules that were tried, each by what it makes of a page of a manifest.
def three_bits(page):
    return {**page, "text_hash": None}


def below(limit):
    """The text hash below a limit in words; None: on all pages."""
    def of(page):
        return {**page, "words": 0 if limit is None or page["words"] < limit else 300}
    return of


def hash_suffices(page):
    """On a short page the title and the text hash, whatever the fingerprint."""
    return {**page, "simhash": page["text_hash"]} if page["words"] < 300 else page


def undust(*command, given):
    given = "\n".join(given) + "\n"
    return subprocess.run([sys.argv[1], *command, "-"], input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout.splitlines()


def made(menu, kind):
    """The manifest of a kind's pages, each with the number of its page as its record."""
    menu = words(menu)
    urls = [(page, copy) for page in range(PAGES) for copy in range(COPIES)]
    feed = [json.dumps({"url": f"http://a.test/{page}/{copy}", "status": 200,
                        "html": f"<title>Site</title>{menu}<p>{kind(page, copy)}"})
            for page, copy in urls]
    pages = [json.loads(line) for line in undust("ingest", given=feed)]
    return [{**page, "record": record} for page, (record, _) in zip(pages, urls)]


def lost_and_left(manifest, rule, *options):
    record = {page["url"]: page["record"] for page in manifest if "record" in page}
    lines = [json.dumps(rule(page) if page.get("text_hash") else page) for page in manifest]
    clusters = [json.loads(line)["urls"]
                for line in undust("cluster", "--min-size", "1", *options, given=lines)]
    fetched = [[record[url] for url in urls if url in record][:1] for urls in clusters]
    shown = [one for some in fetched for one in some]
    return f"{len(set(record.values()) - set(shown))} / {len(shown) - len(set(shown)):,}"


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |")


row("kind", "words", "three bits", "and the text hash", "the text hash suffices")
row(*["---"] * 5)
for menu, kind in KINDS:
    pages = [{**page, "digest": None} for page in made(menu, kind)]
    rules = three_bits, below(300), hash_suffices
    row(kind.__name__, pages[0]["words"], *(lost_and_left(pages, rule) for rule in rules))

forms = [{**page, "digest": None} for page in made(225, form)]
given = sys.argv[2:] and [json.loads(line) for line in gzip.open(sys.argv[2], "rt")]
print()
row("the text hash below", "forms", *given and ["the manifest"])
row(*["---"] * (3 if given else 2))
for limit in LIMITS:
    crawls = [forms, given] if given else [forms]
    name = "all pages" if limit is None else f"{limit} words"
    row(name, *(lost_and_left(pages, below(limit)) for pages in crawls))
with tempfile.TemporaryDirectory() as folder:
    equal = os.path.join(folder, "equal.toml")
    with open(equal, "w") as settings:
        settings.write("[clusters]\nbits = 0\n")
    crawls = [forms, given] if given else [forms]
    row("equal fingerprints", *(lost_and_left(pages, three_bits, "--config", equal) for pages in crawls))
if given:
    row("the text hash suffices", lost_and_left(forms, hash_suffices), lost_and_left(given, hash_suffices))
