"""Which short pages the rule of clusters loses: python3 benches/short_pages.py target/release/undust

Makes pages of several kinds, each a menu and a few words of its own, and clusters them with the text
hash and without. One URL of each cluster is fetched. *Lost* are the pages that none of them shows;
*left* are the fetches that show a page again.
"""
import json
import random
import subprocess
import sys

PAGES = 200
COPIES = 3
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


KINDS = [(225, form), (120, profile), (150, version), (150, counter), (150, render_time),
         (150, grown_counter), (150, slogan), (150, captcha), (450, form), (450, counter)]


def feed(menu, kind):
    menu = words(menu)
    for page in range(PAGES):
        for copy in range(COPIES):
            url = f"http://a.test/{page}/{copy}"
            html = f"<title>Site</title>{menu}<p>{kind(page, copy)}"
            yield json.dumps({"url": url, "status": 200, "html": html})


def run(*command, given):
    given = "\n".join(given) + "\n"
    return subprocess.run([sys.argv[1], *command, "-"], input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout.splitlines()


def lost_and_left(manifest):
    clusters = [json.loads(line)["urls"] for line in run("cluster", "--min-size", "1", given=manifest)]
    shown = {urls[0].split("/")[3] for urls in clusters}
    return PAGES - len(shown), len(clusters) - len(shown)


def without(field, line):
    response = json.loads(line)
    del response[field]
    return json.dumps(response)


print("| kind | words | without: lost / left | with: lost / left |\n|---|---|---|---|")
for menu, kind in KINDS:
    manifest = run("ingest", given=feed(menu, kind))
    before = lost_and_left([without("text_hash", without("digest", line)) for line in manifest])
    after = lost_and_left([without("digest", line) for line in manifest])
    count = json.loads(manifest[0])["words"]
    print(f"| {kind.__name__} | {count} | {before[0]} / {before[1]} | {after[0]} / {after[1]} |")
