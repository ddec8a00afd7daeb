"""What the steps of `undust.spark` cost beside the program, in processor time.

    python benches/spark.py archives UNDUST ARCHIVE...   a job on Sail, and `undust train` on the same
    python benches/spark.py small SITES                  many sites of twenty pages in one job
    python benches/spark.py skewed PAGES                 one site in one task: time and memory
    python benches/spark.py clusters PAGES               the clusters of one site, by one task and by many
    python benches/spark.py graph PAGES                  the last of those tasks by itself: time and memory

UNDUST is the program. Sail runs inside this process, so its time is all that the job takes.
"""

import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow

from undust import _undust
from undust import spark as steps
from undust.spark._train import _learn

BATCH = 10_000


def main() -> None:
    kind, *given = sys.argv[1:]
    kinds = {
        "archives": archives, "small": small, "skewed": skewed, "clusters": clusters,
        "graph": graph,
    }  # fmt: skip
    kinds[kind](*given)


def archives(undust: str, *paths: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        # As one crawl, as the job takes them.
        together = Path(folder, "crawl.jsonl")
        subprocess.run([undust, "ingest", "-q", *paths, "-o", together], check=True)
        command = [undust, "train", "-q", together, "--models", Path(folder, "local")]
        subprocess.run(command, check=True)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        alone = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
        job = run_job(list(paths), folder, {})
        report("undust", job["pages"], alone)
        report("on Sail", job["pages"], job["seconds"])
        print(f"pages a second of a core, on Sail / undust: {alone / job['seconds']:.3f}")


def small(sites: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for archive in range(10):
            path = Path(folder, f"{archive}.jsonl")
            with path.open("w") as file:
                for site in range(archive, int(sites), 10):
                    file.writelines(map(line, story_rows(f"site{site}.test", 10)))
            paths.append(str(path))
        settings = {"site": {"min_pages": 20, "min_clusters": 5}}
        job = run_job(paths, folder, settings)
        report("on Sail", job["pages"], job["seconds"])
        print(f"{job['outcomes']}; {job['seconds'] / int(sites) * 1e3:.2f} ms a site")


def skewed(pages: str) -> None:
    rows = story_rows("a.test", int(pages) // 2)
    start = time.process_time()
    (batch,) = _learn("a.test", batches(rows), "auto", None, "host", 1)
    seconds = time.process_time() - start
    row = batch.to_pylist()[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report(row["outcome"], row["pages"], seconds)
    print(f"peak memory of the process: {peak:.0f} MiB")


def clusters(pages: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "crawl.jsonl")
        with path.open("w") as file:
            file.writelines(map(line, near_rows("a.test", int(pages) // 2)))
        with sail() as spark:
            table = str(Path(folder, "pages"))
            steps.ingest(spark, [str(path)]).write.parquet(table)
            stored = spark.read.parquet(table)
            found = []
            for name, cap in (("by one task", int(pages)), ("by many", int(pages) - 1)):
                start, begun = time.process_time(), time.perf_counter()
                clustered = steps.clusters(stored, cap=cap, follow=False)
                found.append(clustered.selectExpr("max(cluster)", "sum(size)", "count(*)").first())
                report(name, int(pages), time.process_time() - start)
                print(f"{time.perf_counter() - begun:.1f} s by the clock")
            assert found[0] == found[1], found
            print(f"{found[0][0] + 1:,} clusters")


def graph(pages: str) -> None:
    count = int(pages)
    start = time.process_time()
    found = _undust.SiteClusters()
    for at in range(0, count, BATCH):
        urls = pyarrow.array([spread(number) for number in range(at, at + BATCH)], pyarrow.int64())
        kinds = pyarrow.array([1] * BATCH, pyarrow.int32())
        names = ["hash", "own", "outcome"]
        found.push(pyarrow.RecordBatch.from_arrays([urls, kinds, kinds], names))
    for at in range(0, count, BATCH):
        urls = pyarrow.array([spread(number) for number in range(at, at + BATCH)], pyarrow.int64())
        pairs = pyarrow.RecordBatch.from_arrays([urls[::2], urls[1::2]], ["hash", "other"])
        found.push(pairs)
    rows = found.finish()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report("graph", len(rows), time.process_time() - start)
    print(f"peak memory of the process: {peak:.0f} MiB")


def spread(number: int) -> int:
    """A number for each, as hashes are."""
    return (number * 0x9E3779B97F4A7C15 & (1 << 64) - 1) - (1 << 63)


@contextlib.contextmanager
def sail() -> Iterator[Any]:
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer()
    server.start(background=True)
    _, port = server.listening_address
    spark = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    yield spark
    spark.stop()
    server.stop()


def run_job(paths: list[str], folder: str, settings: dict[str, Any]) -> dict[str, Any]:
    with sail() as spark:
        start = time.process_time()
        table = str(Path(folder, "pages"))
        steps.ingest(spark, paths).write.parquet(table)
        stored = spark.read.parquet(table)
        ingested = time.process_time()
        trained = steps.train(stored, settings=settings)
        outcomes = steps.save(trained, Path(folder, "models.undust"))
        seconds = time.process_time() - start
        pages = stored.where("url is not null").count()
        took = ingested - start
        print(f"on Sail: {took:.1f} s to ingest, {seconds - took:.1f} s to train")
        return {"pages": pages, "seconds": seconds, "outcomes": outcomes}


def report(name: str, pages: int, seconds: float) -> None:
    print(f"{name}: {pages:,} pages, {seconds:.1f} s of a processor, {pages / seconds:,.0f} a second")


def story_rows(host: str, stories: int) -> Iterator[dict[str, Any]]:
    """Stories, each under two URLs."""
    for number in range(stories):
        story = f"http://{host}/story/{number}"
        for url in (f"{story}?print=1", story):
            yield {"url": url, "status": 200, "title": f"Story {number}", "digest": f"{number:032x}"}


def near_rows(host: str, stories: int) -> Iterator[dict[str, Any]]:
    """Stories, each under two URLs with fingerprints that differ in a bit. Ten thousand have a title."""
    for number in range(stories):
        simhash = spread(number) & (1 << 64) - 1
        story, title = f"http://{host}/story/{number}", f"Stories {number // 10_000}"
        for url, value in ((f"{story}?print=1", simhash ^ 1 << number % 64), (story, simhash)):
            yield {"url": url, "status": 200, "title": title, "simhash": f"{value:016x}"}


def line(row: dict[str, Any]) -> str:
    return json.dumps(row) + "\n"


def batches(rows: Iterator[dict[str, Any]]) -> Iterator[pyarrow.RecordBatch]:
    seq, batch = 0, []
    for row in rows:
        batch.append({**row, "crawl": 0, "seq": seq})
        seq += 1
        if len(batch) == BATCH:
            yield pyarrow.RecordBatch.from_pylist(batch)
            batch = []
    if batch:
        yield pyarrow.RecordBatch.from_pylist(batch)


if __name__ == "__main__":
    main()
