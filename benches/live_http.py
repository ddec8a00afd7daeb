"""Events a minute of `undust serve --live`: stories under two URLs each, on five hosts, in batches of 1,000.

    python benches/live_http.py target/release/undust 200000
"""

import http.client
import json
import re
import subprocess
import sys
import tempfile
import time

BATCH = 1000


def urls(batch: int) -> list[str]:
    """The stories of a batch, every second time under their second URLs."""
    first = batch // 2 * BATCH
    mark = f"?from={batch % 7}" if batch % 2 else ""
    return [f"http://a{n % 5}.test/story/{n}{mark}" for n in range(first, first + BATCH)]


def page(url: str) -> str:
    """What a story shows."""
    number = url.split("/")[-1].partition("?")[0]
    return json.dumps({"url": url, "status": 200, "title": f"story {number}", "digest": number})


def main(program: str, count: int) -> None:
    """Asks for all, and tells what came back."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "serve", "--live", f"{folder}/state", "--models", f"{folder}/none"]
        command += ["--listen", "127.0.0.1:0"]
        service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        port = re.search(r":(\d+)$", service.stderr.readline().strip())[1]
        connection = http.client.HTTPConnection("127.0.0.1", int(port))

        def post(path: str, lines: list[str]) -> bytes:
            connection.request("POST", f"/v1/live/{path}", "\n".join(lines), {"content-type": "application/x-ndjson"})
            return connection.getresponse().read()

        events, skipped, begin = 0, 0, time.time()
        for batch in range(count // BATCH):
            decided = [json.loads(line) for line in post("decide", urls(batch)).splitlines()]
            pages = [page(one["url"]) for one in decided if one["do"] != "skip"]
            post("saw", pages)
            events += len(decided) + len(pages)
            skipped += len(decided) - len(pages)
        seconds = time.time() - begin
        print(f"{events} events in {seconds:.1f} s, {60 * events / seconds / 1e6:.2f} M a minute; {skipped} skipped")
        service.terminate()
        service.communicate()


main(sys.argv[1], int(sys.argv[2]))
