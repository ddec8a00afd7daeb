"""Spark and Sail: what they learn and find is what one process learns and finds.

Sail runs wherever pysail is installed. Spark itself takes minutes and needs Java: it runs where
UNDUST_SPARK names the interpreter of an environment of the executors' own."""

import gzip
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import undust
from undust import spark as steps

from conftest import REPOSITORY, story_rows

pytest.importorskip("pyspark", reason="pyspark is not installed")

CRAWLS = [REPOSITORY / "data" / f"{name}.jsonl.gz" for name in ("blog", "shop", "roundup-1")]
ENGINES = ["sail", "spark"]


@pytest.fixture(scope="session", params=ENGINES)
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A session of each engine."""
    from pyspark.sql import SparkSession

    if request.param == "sail":
        pytest.importorskip("pysail", reason="pysail is not installed")
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer()
        server.start(background=True)
        _, port = server.listening_address
        session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
        yield session
        session.stop()
        server.stop()
        return
    if "UNDUST_SPARK" not in os.environ:
        pytest.skip("UNDUST_SPARK is not set")
    os.environ["PYSPARK_PYTHON"] = os.environ["UNDUST_SPARK"]
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    builder = builder.config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 4)
    # Java's own, which loads no library of the machine.
    session = builder.config("spark.sql.parquet.compression.codec", "gzip").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three crawls of real software, and one whose redirects end on another site."""
    away = tmp_path_factory.mktemp("archives") / "away.jsonl"
    rows = [dict(row, title="t") for row in story_rows()]
    for number in range(100, 160):
        to = f"http://b.test/moved/{number}"
        rows.append({"url": f"http://a.test/old/{number}", "status": 301, "location": to})
        rows.append({"url": to, "status": 301, "location": f"http://c.test/{number}"})
        rows.append({"url": f"http://c.test/{number}", "status": 200, "digest": f"{number}"})
    write_jsonl(away, rows)
    return [*map(str, CRAWLS), str(away)]


@pytest.fixture(scope="session")
def local(archives: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process learns from them as one crawl."""
    folder = tmp_path_factory.mktemp("local")
    together = folder / "crawl.jsonl"
    with together.open("wb") as file:
        for path in archives:
            opened = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
            with opened as archive:
                file.write(archive.read())
    undust.train(together, models=folder / "models")
    return folder


@pytest.fixture(scope="session")
def pages(spark: Any, archives: list[str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows of the archives, written and read again."""
    path = str(tmp_path_factory.mktemp("pages") / "pages")
    steps.ingest(spark, archives).write.parquet(path)
    return spark.read.parquet(path)


def program(*arguments: str) -> str:
    """What the program says, where it is built."""
    built = REPOSITORY / "target" / "release" / "undust"
    if not built.exists():
        pytest.skip("the program is not built")
    return subprocess.run([built, *arguments], check=True, capture_output=True, text=True).stdout


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def folders(models: Path) -> dict[str, dict[str, bytes]]:
    """The files of each model."""
    return {
        site.name: {file.name: file.read_bytes() for file in site.iterdir()}
        for site in models.iterdir()
    }


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_models_are_those_of_one_process(
    pages: Any, local: Path, tmp_path: Path, partitions: int
) -> None:
    outcomes = steps.save(steps.train(pages, partitions=partitions), tmp_path / "models")
    expected = folders(local / "models")
    assert outcomes["trained"] == len(expected) >= 4
    assert folders(tmp_path / "models") == expected


def test_models_of_several_crawls_are_those_of_one_process(spark: Any, tmp_path: Path) -> None:
    crawls = [str(REPOSITORY / "data" / f"roundup-{number}.jsonl.gz") for number in (1, 2)]
    undust.train(*crawls, models=tmp_path / "local")
    one, other = (steps.ingest(spark, [path], crawl=at) for at, path in enumerate(crawls))
    steps.save(steps.train(one.union(other), crawls=2), tmp_path / "models")
    assert folders(tmp_path / "models") == folders(tmp_path / "local")
    with pytest.raises(Exception, match="pass crawls=2"):
        steps.train(one.union(other)).collect()


def test_a_pack_answers_as_the_folder_does(pages: Any, local: Path, tmp_path: Path) -> None:
    pack = tmp_path / "models.undust"
    outcomes = steps.save(steps.train(pages, partitions=3), pack)
    assert outcomes["trained"] == len(folders(local / "models"))
    first = pack.read_bytes()
    steps.save(steps.train(pages, partitions=2), pack)
    assert pack.read_bytes() == first
    urls = [row["url"] for row in pages.where("site is not null").limit(2000).collect()]
    forms = undust.Models(pack).canonicalize_many(urls)
    assert forms == undust.Models(local / "models").canonicalize_many(urls) != urls


def test_redirects_to_other_sites_are_followed(pages: Any, local: Path) -> None:
    models = undust.Models(local / "models")
    assert models.canonicalize("http://a.test/old/7777") != "http://a.test/old/7777"
    rows = {row["site"]: row for row in steps.train(pages, method="tree").collect()}
    assert rows["a.test"]["pages"] == 180
    alone = {row["site"]: row for row in steps.train(pages, method="tree", follow=False).collect()}
    assert alone["a.test"]["pages"] == 120


def test_clusters_are_those_of_the_program(pages: Any, archives: list[str]) -> None:
    found: dict[int, set[str]] = {}
    for row in steps.clusters(pages.where("site = 'shop.test'")).collect():
        found.setdefault(row["cluster"], set()).add(row["url"])
    lines = program("cluster", "-q", "--min-size", "1", archives[1]).splitlines()
    expected = [set(json.loads(line)["urls"]) for line in lines]
    assert len(expected) > 100 and any(len(urls) > 1 for urls in expected)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))


@pytest.mark.parametrize("settings", [None, {"clusters": {"bits": 6, "title": False}}])
def test_the_clusters_of_skewed_sites_are_those_of_one_task(pages: Any, settings: Any) -> None:
    def found(cap: int) -> list[Any]:
        clusters = steps.clusters(pages, settings=settings, cap=cap)
        return list(clusters.orderBy("site", "url").collect())

    whole = found(1_000_000)
    assert sum(row["size"] > 1 for row in whole) > 1000
    # Of some sites, and of all.
    for cap in (500, 1):
        assert found(cap) == whole


def test_short_pages_are_the_same_only_if_their_words_are(spark: Any, tmp_path: Path) -> None:
    rows = [
        {
            "url": f"http://a.test/{number}", "status": 200, "title": "A form", "words": 230,
            "simhash": f"{number % 2:016x}", "text_hash": f"{number % 10:016x}",
        }
        for number in range(40)
    ]  # fmt: skip
    write_jsonl(tmp_path / "crawl.jsonl", rows)
    pages = steps.ingest(spark, [str(tmp_path / "crawl.jsonl")])
    for cap in (1_000_000, 1):
        found = steps.clusters(pages, cap=cap).collect()
        assert {row["cluster"] for row in found} == set(range(10)), cap


def test_figures_are_those_of_the_program(pages: Any, archives: list[str], tmp_path: Path) -> None:
    methods = ["keep-all", "slots"]
    figures = steps.evaluate(pages.where("site = 'shop.test'"), methods=methods)
    rows = {row["method"]: row.asDict() for row in figures.collect()}
    output = tmp_path / "figures.json"
    program("evaluate", "-q", "--methods", ",".join(methods), "--json", str(output), archives[1])
    result = json.loads(output.read_text())
    assert [method["name"] for method in result["methods"]] == methods
    for method in result["methods"]:
        row = rows[method["name"]]
        assert row["fetched"] == method["crawled"] and row["test_pages"] == result["test_pages"]
        for name in ("precision", "recall", "f1", "redundant", "lost"):
            assert row[name] == method[name], name


def test_a_queue_gets_its_forms(spark: Any, local: Path) -> None:
    urls: list[Any] = ["http://a.test/story/7777/print", None, "no URL", "http://elsewhere.test/é"]
    rows = [(number, url) for number, url in enumerate(urls)]
    queue = spark.createDataFrame(rows, "number long, link string")
    models = local / "models"
    found = steps.translate(queue, models, column="link").orderBy("number").collect()
    form = undust.Models(models).canonicalize(urls[0])
    assert form != urls[0]
    expected = [form, None, "no URL", "http://elsewhere.test/é"]
    assert [row["form"] for row in found] == expected
    explained = steps.translate(queue, models, column="link", explain=True).orderBy("number")
    how = [row["how"] for row in explained.collect()]
    assert how == ["rules", None, "unchanged", "unchanged"]


def test_a_model_of_another_version_costs_its_site(spark: Any, local: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    shutil.copytree(local / "models", models)
    described = json.loads((models / "shop.test" / "model.json").read_text())
    (models / "shop.test" / "model.json").write_text(json.dumps(described | {"format": 99}))
    urls = ["http://a.test/story/7777/print", "http://shop.test/?a=1"]
    queue = spark.createDataFrame([(url,) for url in urls], "url string")
    rows = steps.translate(queue, models, explain=True).collect()
    found = {row["url"]: (row["form"], row["reason"]) for row in rows}
    assert found[urls[0]] == (undust.Models(models).canonicalize(urls[0]), None)
    assert found[urls[0]][0] != urls[0]
    form, reason = found[urls[1]]
    assert (form, reason) == (urls[1], "broken model")


def test_a_bad_archive_costs_itself(spark: Any, tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "none.jsonl"
    write_jsonl(good, story_rows())
    bad.write_text('{"url": "http://a.test/", "status": 200}\n{"url": \n')
    pages = steps.ingest(spark, [str(bad), str(good), str(missing)]).collect()
    receipts = {row["archive"]: row for row in pages if row["archive"]}
    assert receipts[str(good)]["error"] is None and "120" in receipts[str(good)]["report"]
    assert "bad.jsonl" in receipts[str(bad)]["error"]
    assert "none.jsonl" in receipts[str(missing)]["error"]
    assert sum(row["url"] is not None for row in pages) == 120


def test_rows_that_cannot_be_read_are_counted(spark: Any) -> None:
    columns = "site string, hash long, crawl int, seq long, url string, status int, digest string, location string"
    for name in ("title", "simhash", "canonical", "time"):
        columns += f", {name} string"
    columns += ", words long, length long, importance double"
    rest = ("t", None, None, None, None, None, None)
    rows: list[Any] = [
        ("a.test", at, 0, at, row["url"], 200, row["digest"], None, *rest)
        for at, row in enumerate(story_rows())
    ]
    rows.append(("a.test", 1, 0, 1000, None, 200, "x", None, *rest))
    rows.append(("a.test", 1, 0, 1001, "http://a.test/x", 99999, "x", None, *rest))
    rows.append(("a.test", 1, 0, 1002, "http://a.test/y", 200, "x", None, "t", "no hex", *rest[2:]))
    (row,) = steps.train(spark.createDataFrame(rows, columns), method="tree").collect()
    assert (row["outcome"], row["pages"], row["bad_rows"]) == ("trained", 120, 3)


def test_a_skewed_site_is_capped_and_reported(pages: Any) -> None:
    rows = steps.train(pages, method="tree", cap=400).collect()
    counts = {row["site"]: (row["pages"], row["capped_from"]) for row in rows}
    assert counts["a.test"][1] is None
    kept, of = counts["shop.test"]
    assert of > 1000 and 250 < kept <= 550


def test_the_index_of_common_crawl_is_enough(spark: Any, tmp_path: Path) -> None:
    index = [
        {"url": row["url"], "fetch_status": 200, "content_digest": row["digest"],
         "fetch_time": None, "fetch_redirect": None, "content_mime_detected": "text/html",
         "subset": "warc"}
        for row in story_rows()
    ]  # fmt: skip
    index.append(dict(index[0], url="http://a.test/robots.txt", subset="robotstxt"))
    index.append(dict(index[0], url="http://a.test/feed", content_mime_detected="application/rss+xml"))
    path = tmp_path / "index.parquet"
    schema = pyarrow.schema(
        [("url", "string"), ("fetch_status", "int16"), ("content_digest", "string"),
         ("fetch_time", pyarrow.timestamp("ms", "UTC")), ("fetch_redirect", "string"),
         ("content_mime_detected", "string"), ("subset", "string")]
    )  # fmt: skip
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(index, schema), path, compression="gzip")
    (row,) = steps.train(steps.from_index(spark.read.parquet(str(path))), method="tree").collect()
    assert (row["site"], row["outcome"], row["pages"]) == ("a.test", "trained", 120)
    with pytest.raises(undust.CrawlError, match="no column fetch_status"):
        steps.from_index(spark.read.parquet(str(path)).drop("fetch_status"))


def test_mistakes_are_told_by_the_driver(spark: Any, pages: Any) -> None:
    with pytest.raises(undust.Error, match="no-such"):
        steps.train(pages, method="no-such")
    with pytest.raises(undust.SettingsError, match="min_pages"):
        steps.train(pages, settings={"site": {"min_pages": "many"}})
    with pytest.raises(undust.Error, match="no column 'link'"):
        steps.translate(pages, "models", column="link")
    with pytest.raises(undust.CrawlError, match="no archive"):
        steps.ingest(spark, [])
    with pytest.raises(TypeError, match="paths is one str"):
        steps.ingest(spark, "crawl.warc.gz")
    with pytest.raises(TypeError, match="methods is one str"):
        steps.evaluate(pages, methods="auto")


def test_a_dead_executor_costs_nothing(
    spark: Any, request: pytest.FixtureRequest, pages: Any, local: Path, tmp_path: Path
) -> None:
    if "spark" not in request.node.callspec.id:
        pytest.skip("Sail runs in this process")
    context, ended, killed = spark.sparkContext, threading.Event(), threading.Event()
    partitions = 7

    def is_training() -> bool:
        tracker = context.statusTracker()
        stages = (tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds())
        return any(
            stage.numTasks == partitions and stage.numActiveTasks and stage.numCompletedTasks
            for stage in stages
            if stage is not None
        )

    def kill_one() -> None:
        while not ended.wait(0.05) and not killed.is_set():
            if is_training():
                of_driver = ["pgrep", "-P", str(context._gateway.proc.pid), "-f", "CoarseGrained"]
                found = subprocess.run(of_driver, capture_output=True, text=True).stdout.split()
                if found:
                    os.kill(int(found[0]), signal.SIGKILL)
                    killed.set()

    killer = threading.Thread(target=kill_one)
    killer.start()
    outcomes = steps.save(steps.train(pages, partitions=partitions), tmp_path / "models")
    ended.set()
    killer.join()
    assert killed.is_set(), "no executor was killed while sites were trained"
    assert outcomes["trained"] == len(folders(tmp_path / "models"))
    assert folders(tmp_path / "models") == folders(local / "models")


def test_labels_are_learned_from_where_rows_have_them(
    spark: Any, pages: Any, tmp_path: Path
) -> None:
    rows = [
        {
            "url": f"http://a.test/story/{number}{suffix}", "status": 200, "title": f"Story {number}",
            "simhash": f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}",
            "og_url": f"http://a.test/story/{number}",
            "no_vary_search": f"http://a.test/story/{number}",
            "alternates": [f"http://a.test/{tongue}/story/{number}" for tongue in ("de", "fr")],
        }
        for number in range(60) for suffix in ("", f"?ref={number % 7}")
    ]  # fmt: skip
    write_jsonl(tmp_path / "crawl.jsonl", rows)
    settings = {"labels": {"og_url": "both", "hreflang": True}}
    undust.train(tmp_path / "crawl.jsonl", models=tmp_path / "local", settings=settings)
    read = steps.ingest(spark, [str(tmp_path / "crawl.jsonl")], labels=True)
    steps.save(steps.train(read, settings=settings), tmp_path / "models")
    assert folders(tmp_path / "models") == folders(tmp_path / "local")
    steps.save(steps.train(read), tmp_path / "without")
    assert folders(tmp_path / "without") != folders(tmp_path / "local"), "labels say nothing here"
    for label, value, told in (
        ("og_url", "same", "no column og_url"),
        ("no_vary_search", True, "no column no_vary_search"),
        ("hreflang", True, "no column alternates"),
        ("sitemap", True, "no sitemap is read"),
    ):
        with pytest.raises(undust.SettingsError, match=told):
            steps.train(pages, settings={"labels": {label: value}})


def test_a_pack_is_appended_to_and_never_emptied(pages: Any, tmp_path: Path) -> None:
    pack = tmp_path / "models.undust"
    steps.save(steps.train(pages.where("site = 'shop.test'")), pack)
    steps.save(steps.train(pages.where("site = 'blog.test'")), pack, append=True)
    before = pack.read_bytes()
    outcomes = steps.save(steps.train(pages.where("site = 'c.test'")), pack)
    assert "trained" not in outcomes and pack.read_bytes() == before
    steps.save(steps.train(pages.where("site in ('blog.test', 'shop.test')")), tmp_path / "models")
    urls = [row["url"] for row in pages.where("site in ('blog.test', 'shop.test')").collect()]
    forms = undust.Models(tmp_path / "models").canonicalize_many(urls)
    assert undust.Models(pack).canonicalize_many(urls) == forms


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends a crawl whole, or ends in the middle of it."""

    def do_GET(self) -> None:
        body = "".join(json.dumps(row) + "\n" for row in story_rows()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if "cut" in self.path else body)

    def log_message(self, *_: object) -> None:
        pass


def test_archives_come_over_http_whole_or_not_at_all(spark: Any) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_address[1]}"
    rows = steps.ingest(spark, [f"{root}/whole.jsonl", f"{root}/cut.jsonl"]).collect()
    server.shutdown()
    assert sum(row["url"] is not None for row in rows) == 120
    told = {row["archive"]: row["error"] for row in rows if row["archive"]}
    assert told[f"{root}/whole.jsonl"] is None
    assert told[f"{root}/cut.jsonl"].startswith(f"{root}/cut.jsonl: ")


def test_the_commands_do_the_same(
    request: pytest.FixtureRequest, spark: Any, archives: list[str], tmp_path: Path
) -> None:
    if "spark" in request.node.callspec.id:
        pytest.skip("a session of Spark classic is open in this process")
    models, missing = tmp_path / "models", str(tmp_path / "none.jsonl")
    command = [sys.executable, "-m", "undust.spark", "train", "--sail", archives[1], missing]
    command += ["--models", str(models)]
    # Elsewhere, or Python would take the package from the folder beside the tests.
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "none.jsonl" in done.stderr and "1 of 2 archives read" in done.stderr
    undust.train(archives[1], models=tmp_path / "local")
    assert folders(models) == folders(tmp_path / "local")
    forms = str(tmp_path / "forms")
    wrong = ["translate", "--sail", missing, "--models", str(models), "-o", forms]
    command = [sys.executable, "-m", "undust.spark", *wrong]
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert failed.returncode == 1 and "Traceback" not in failed.stderr, failed.stderr


def test_executors_with_another_version_are_refused(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = tmp_path / "crawl.jsonl"
    write_jsonl(crawl, story_rows())
    with monkeypatch.context() as patched:
        patched.setattr("undust._undust.__version__", "99.0.0")
        pages = steps.ingest(spark, [str(crawl)])
    with pytest.raises(Exception, match="the driver has 99.0.0"):
        pages.collect()
