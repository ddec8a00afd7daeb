"""Fetches the pairs that `undust validate` wrote, politely: robots.txt, a pause, one host at a time.

    python3 fetch_pairs.py PAIRS FETCHED [SECONDS]
"""
import hashlib, json, sys, time, urllib.error, urllib.request, urllib.robotparser
from urllib.parse import urljoin, urlsplit

AGENT, LONGEST = "undust-validate", 8 << 20  # bytes of a page


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # A redirect is an answer of its own.


def get(url):
    """The status, where a redirect leads, the type and the body; status 0 if nothing came."""
    request = urllib.request.Request(url, headers={"User-Agent": AGENT})
    try:
        with urllib.request.build_opener(StayHere).open(request, timeout=30) as page:
            return page.status, None, page.headers.get_content_type(), page.read(LONGEST)
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers.get("Location"), "", b""
    except (OSError, ValueError):
        return 0, None, "", b""


def rules_of(origin):
    """What robots.txt allows: all if there is none, nothing if it cannot be had (RFC 9309)."""
    status, _, _, text = get(origin + "/robots.txt")
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(text.decode("utf-8", "replace").splitlines() if status == 200 else [])
    rules.disallow_all = status == 0 or status >= 500
    return rules


def answer_of(url):
    status, location, kind, body = get(url)
    # Every line has the field `html`: by its first line undust sees that the file holds pages.
    html = body.decode("utf-8", "replace") if "html" in kind else ""
    answer = {"url": url, "status": status, "html": html}
    if location:
        answer["location"] = urljoin(url, location)
    if status == 200 and not html:
        answer["digest"] = hashlib.sha1(body).hexdigest()
    return answer


def main(pairs, fetched, seconds=1.0):
    hosts = {}
    for line in open(pairs, encoding="utf-8"):
        for url in (json.loads(line)[name] for name in ("url", "form")):
            if urlsplit(url).scheme in ("http", "https"):
                hosts.setdefault("{0.scheme}://{0.netloc}".format(urlsplit(url)), {})[url] = None
    with open(fetched, "w", encoding="utf-8") as out:
        for origin, urls in hosts.items():
            rules, queue = rules_of(origin), list(urls)
            pause = max(float(seconds), float(rules.crawl_delay(AGENT) or 0))
            for url in queue:  # The targets of redirects join it at its end.
                if not rules.can_fetch(AGENT, url):
                    continue
                time.sleep(pause)
                answer = answer_of(url)
                out.write(json.dumps(answer) + "\n")
                target = answer.get("location", "")
                if target.startswith(origin + "/") and target not in urls:
                    urls[target] = None
                    queue.append(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
