"""What duplicate-url-discarder makes of URLs: discard.py RULES < URLS, a line a URL, a line a key."""

import sys

from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer

canonicalizer = UrlCanonicalizer([sys.argv[1]])
for line in sys.stdin:
    print(canonicalizer.process_url(line.rstrip("\n")))
