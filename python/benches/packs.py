"""A pack of many small models: size, opening, look-ups, memory.

    python benches/packs.py MODELS FILE    writes the pack at FILE, and reads it in a process of its own

The models are one of the tests' under other names of sites: 10 million take 25 GB.
"""

import json
import os
import random
import resource
import sys
import time
from pathlib import Path

import undust
from undust import _undust

FROM = Path(__file__).resolve().parents[2] / "tests" / "formats" / "5" / "b.test"
ASKED = 20_000


def main() -> None:
    count, path = int(sys.argv[1]), Path(sys.argv[2])
    if sys.argv[3:] == ["read"]:
        read(count, path)
    else:
        write(count, path)
        os.execv(sys.executable, [sys.executable, *sys.argv, "read"])


def write(count: int, path: Path) -> None:
    model = short("model.json")
    others = {"rules.json": short("rules.json").encode()}
    others["conventions.json"] = (FROM / "conventions.json").read_bytes()
    start = time.perf_counter()
    writer = _undust.PackWriter(path)
    for number in range(count):
        site = f"site-{number}.test"
        described = model.replace('"site":"b.test"', f'"site":"{site}"').encode()
        writer.add(site, "host", {"model.json": described, **others})
    writer.finish()
    took, size = time.perf_counter() - start, path.stat().st_size / 1e9
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:,} models made in {took:.1f} s: {size:.2f} GB, peak of the writer {peak:.0f} MiB")


def short(name: str) -> str:
    return json.dumps(json.loads((FROM / name).read_text()), separators=(",", ":"))


def read(count: int, path: Path) -> None:
    before, start = own_memory(), time.perf_counter()
    models = undust.Models(path)
    took = time.perf_counter() - start
    print(f"opened in {took * 1e6:.0f} µs, {own_memory() - before:.1f} MiB")
    numbers = random.Random(17)
    for _ in range(2):
        urls = [f"http://site-{numbers.randrange(count)}.test/story/7" for _ in range(ASKED)]
        rate = asked(models, urls)
        print(f"loaded and asked: {rate:.0f} sites a second, {own_memory() - before:.1f} MiB")
    rate = asked(models, [f"http://nowhere-{number}.test/" for number in range(ASKED)])
    print(f"sites without a model: {rate:.0f} a second")


def asked(models: undust.Models, urls: list[str]) -> float:
    start = time.perf_counter()
    for url in urls:
        models.canonicalize(url)
    return len(urls) / (time.perf_counter() - start)


def own_memory() -> float:
    """MiB of this process that are no file's."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("RssAnon"))
    return int(line.split()[1]) / 1024


main()
