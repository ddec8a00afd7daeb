"""What `undust live` loses by applications' own records: python3 benches/live_records.py target/release/undust CRAWL...

Clusters may split the URLs of one record, such as a product whose page differs in its breadcrumbs. A skip of one of them
then looks like a loss. Each crawl with the field `record` (data/make/truth.py) is replayed in its order through `undust
live`. A page is lost if none of its URLs is fetched. Each run differs, for a new state draws other audits and probes.
"""
import collections
import gzip
import json
import subprocess
import sys
import tempfile
import time

# Sites are learned beside the crawl, for which a crawler that waits for pages leaves time.
FIRST_LEARNING, GROWTH = 200, 1.5


def clusters(undust, crawl):
    """The cluster of each URL."""
    lines = subprocess.run([undust, "cluster", "--min-size", "1", crawl], capture_output=True, check=True).stdout
    return {url: one["cluster"] for one in map(json.loads, lines.splitlines()) for url in one["urls"]}


def fetched(undust, pages):
    """The URLs that a crawler fetches which asks of each."""
    with tempfile.TemporaryDirectory() as state:
        command = [undust, "live", "--quiet", "--state", f"{state}/state"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as live:
            urls, next_learning = set(), FIRST_LEARNING
            for page in pages:
                print(json.dumps({"decide": page["url"]}), file=live.stdin, flush=True)
                answer = {}
                while "do" not in answer:
                    answer = json.loads(live.stdout.readline())
                if answer["do"] == "skip":
                    continue
                came = {name: value for name, value in page.items() if name not in ("url", "record")}
                print(json.dumps({"saw": page["url"], **came}), file=live.stdin, flush=True)
                urls.add(page["url"])
                if len(urls) >= next_learning:
                    next_learning *= GROWTH
                    time.sleep(0.5)
            live.stdin.close()
    return urls


def lost(of, urls, seen):
    """How many pages are not among those seen, and how many there are."""
    pages = {of[url] for url in urls}
    return len(pages - {of[url] for url in seen if url in of}), len(pages)


def main():
    undust, crawls = sys.argv[1], sys.argv[2:]
    total = collections.Counter()
    for crawl in crawls:
        with gzip.open(crawl, "rt", encoding="utf-8") as lines:
            pages = [json.loads(line) for line in lines]
        of_cluster = clusters(undust, crawl)
        of_record = {page["url"]: page["record"] for page in pages if page.get("record")}
        # Both are of the same URLs.
        urls = of_cluster.keys() & of_record.keys()
        seen = fetched(undust, pages)
        by_cluster, by_record = lost(of_cluster, urls, seen), lost(of_record, urls, seen)
        print(f"{crawl}: {by_cluster[0]} of {by_cluster[1]} clusters and {by_record[0]} of {by_record[1]} records lost")
        names = "clusters lost", "clusters", "records lost", "records"
        total.update(dict(zip(names, by_cluster + by_record)))
    print(dict(total))


if __name__ == "__main__":
    main()
