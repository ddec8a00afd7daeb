"""Packs and archives in storage: a web server with ranges, and an S3 that moto plays."""

import base64
import contextlib
import gzip
import http.server
import json
import os
import pickle
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import undust
from undust import Models, _storage, _undust
from undust._undust import Address
from undust.spark import _archives

from conftest import FORM, LOGIN, SAMPLE, story_rows

SITE = "wiki.example.test"
NONE = "http://nowhere.test/1"


def write_pack(path: Path, sites: list[str]) -> Path:
    """A pack in which these sites have the sample model."""
    writer = _undust.PackWriter(path)
    for site in sites:
        files = {file.name: file.read_bytes() for file in (SAMPLE / SITE).iterdir()}
        checked = json.loads(files["model.json"])["xxh3"]
        for name in files.keys() - checked:
            files[name] = files[name].replace(SITE.encode(), site.encode())
        writer.add(site, "host", files)
    writer.finish()
    return path


def login_of(site: str) -> str:
    return LOGIN.replace(SITE, site)


def form_of(site: str) -> str:
    return FORM.replace(SITE, site)


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("pack") / "models.undust"
    return write_pack(path, [SITE, "one.test", "two.test", "three.test"]).read_bytes()


class Web:
    """A web server of one object, which does as its fields say."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.etag: str | None = '"1"'
        self.status = 0
        self.ignores_range = False
        self.late = 0.0
        self.ends_early = 0
        self.breaks = 0
        self.ranges: list[str] = []
        self.login: str | None = None
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                web._answer(self)

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/models.undust"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, asked: http.server.BaseHTTPRequestHandler) -> None:
        self.ranges.append(asked.headers["Range"])
        self.login = asked.headers["Authorization"]
        time.sleep(self.late)
        if self.breaks:
            self.breaks -= 1
            asked.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.status:
            asked.send_error(self.status)
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", asked.headers["Range"])
        assert found, asked.headers["Range"]
        begin, end = int(found[1]), min(int(found[2]), len(self.body) - 1)
        if self.ignores_range:
            asked.send_response(200)
            part = self.body
        elif begin >= len(self.body):
            asked.send_error(416)
            return
        else:
            asked.send_response(206)
            asked.send_header("Content-Range", f"bytes {begin}-{end}/{len(self.body)}")
            part = self.body[begin : end + 1]
        if self.etag:
            asked.send_header("ETag", self.etag)
        asked.send_header("Content-Length", str(len(part)))
        asked.end_headers()
        with contextlib.suppress(ConnectionError):
            asked.wfile.write(part[: len(part) - self.ends_early])


@pytest.fixture
def web(pack: bytes) -> Iterator[Web]:
    web = Web(pack)
    yield web
    web.close()


def refusal(address: str, **options: Any) -> str:
    """The sentence by which a pack at an address is refused."""
    begun = time.monotonic()
    with pytest.raises(undust.Error) as refused:
        Models(address, **options)
    assert time.monotonic() - begun < 15
    sentence = str(refused.value)
    assert "\n" not in sentence and "secret" not in sentence
    return sentence


def eventually(done: Any) -> None:
    begun = time.monotonic()
    while not done():
        assert time.monotonic() - begun < 10
        time.sleep(0.02)


def test_a_pack_of_a_web_server_is_read_in_ranges(web: Web) -> None:
    models = Models(web.address)
    assert web.ranges == ["bytes=0-4095"]
    assert models.canonicalize(LOGIN) == FORM
    # A bucket, the directory with the first of the files, and the rest of these.
    assert 3 <= len(web.ranges) <= 4
    asked = len(web.ranges)
    assert models.canonicalize_many([LOGIN, LOGIN + "&x=1"])[0] == FORM
    assert models.translation(LOGIN).canonical == FORM
    assert models.ask(LOGIN).form == FORM
    assert len(web.ranges) == asked
    assert models.canonicalize(NONE) is NONE
    assert len(web.ranges) == asked + 1
    plain = Models(SAMPLE)
    assert models.explain(LOGIN) == plain.explain(LOGIN)
    assert repr(models) == f'Models("{web.address}")'
    assert pickle.loads(pickle.dumps(models)).canonicalize(LOGIN) == FORM
    with pytest.raises(undust.Error, match="nothing is written"):
        models.observe(LOGIN, FORM, False)


def test_an_address_may_hold_a_login_which_nobody_is_told(web: Web) -> None:
    address = web.address.replace("://", "://me:s%40secret@")
    models = Models(address + "?signature=secret")
    assert web.login == "Basic " + base64.b64encode(b"me:s@secret").decode()
    assert models.canonicalize(LOGIN) == FORM
    assert repr(models) == f'Models("{web.address}")'
    web.status = 401
    assert refusal(address).endswith("access is denied (HTTP 401 Unauthorized)")


def test_file_addresses_are_files(pack: bytes, tmp_path: Path) -> None:
    path = tmp_path / "my models.undust"
    path.write_bytes(pack)
    assert Models(path.as_uri()).canonicalize(LOGIN) == FORM
    assert Models(SAMPLE.as_uri()).canonicalize(LOGIN) == FORM
    assert "none.undust" in refusal((tmp_path / "none.undust").as_uri())


def test_many_sites_are_read_at_once(web: Web) -> None:
    sites = [SITE, "one.test", "two.test", "three.test"]
    models = Models(web.address)
    web.late = 0.5
    begun = time.monotonic()
    forms = models.canonicalize_many([login_of(site) for site in sites])
    assert forms == [form_of(site) for site in sites]
    # One after another they would take four times three ranges.
    assert time.monotonic() - begun < 4.5
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(models.canonicalize, [LOGIN] * 200)) == {FORM}


def test_a_new_pack_is_served(web: Web, tmp_path: Path) -> None:
    models = Models(web.address, refresh=0.1)
    new = login_of("new.test")
    assert models.canonicalize(new) is new
    assert models.canonicalize(LOGIN) == FORM
    web.body, web.etag = write_pack(tmp_path / "pack", ["new.test"]).read_bytes(), '"2"'
    eventually(lambda: models.canonicalize(new) == form_of("new.test"))
    assert models.canonicalize(LOGIN) is LOGIN


@pytest.mark.parametrize("etag", ['"2"', None])
def test_a_pack_in_place_of_another_is_noticed(web: Web, tmp_path: Path, etag: str | None) -> None:
    """A longer one, and a shorter one, in which the ranges of the one before do not exist."""
    web.etag = etag and '"1"'
    models = Models(web.address, refresh=3600)
    assert models.canonicalize(LOGIN) == FORM
    for count in (9, 2):
        sites = [f"site{count}-{number}.test" for number in range(count)]
        web.body, web.etag = write_pack(tmp_path / f"{count}", sites).read_bytes(), etag
        for site in (sites[0], sites[-1]):
            assert models.canonicalize(login_of(site)) == form_of(site)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (404, "there is no such object"),
        (403, "access is denied (HTTP 403 Forbidden)"),
        (500, "HTTP 500 Internal Server Error"),
    ],
)
def test_a_web_server_that_refuses_is_told_in_a_sentence(web: Web, status: int, said: str) -> None:
    models = Models(web.address)
    web.status = status
    told = f"cannot read {web.address}: {said}"
    assert refusal(web.address) == told
    for ask in (models.canonicalize, models.translation):
        with pytest.raises(undust.Error, match=re.escape(told)):
            ask(LOGIN)
    with pytest.raises(undust.Error, match=re.escape(told)):
        models.canonicalize_many([LOGIN] * 2000)
    assert models.ask(LOGIN).reason == "broken model"
    web.status = 0
    eventually(lambda: models.ask(LOGIN).form == FORM)
    # What is in memory is served all the same.
    web.status = status
    assert models.canonicalize(LOGIN) == FORM


def test_one_broken_connection_is_no_failure(web: Web) -> None:
    web.breaks = 1
    models = Models(web.address)
    web.breaks = 1
    assert models.canonicalize(LOGIN) == FORM
    web.breaks = 2
    assert "the connection broke" in refusal(web.address)


def test_a_server_that_ignores_ranges_is_refused(web: Web) -> None:
    web.ignores_range = True
    assert "ignores Range" in refusal(web.address)


def test_an_answer_that_ends_early_is_an_error(web: Web) -> None:
    models = Models(web.address)
    web.ends_early = 10
    assert "the answer ended at byte 4,086 of 4,096" in refusal(web.address)
    with pytest.raises(undust.Error, match="the answer ended at byte"):
        models.canonicalize(LOGIN)


def test_a_cut_pack_is_refused(web: Web) -> None:
    whole = web.body
    web.body = whole[:-1]
    assert f"ends at byte {len(whole) - 1} of {len(whole)}" in refusal(web.address)
    web.body = b""
    assert "it is empty" in refusal(web.address)
    web.body = b"something else" * 1000
    assert "is no pack of models" in refusal(web.address)


def test_late_answers_are_bounded(web: Web) -> None:
    models = Models(web.address, timeout=0.3)
    web.late = 5
    said = f"cannot read {web.address}: it did not answer within 0.3 s"
    assert refusal(web.address, timeout=0.3) == said
    begun = time.monotonic()
    with pytest.raises(undust.Error, match="did not answer within 0.3 s"):
        models.canonicalize_many([login_of(f"{number}.test") for number in range(2000)])
    assert time.monotonic() - begun < 3


def test_a_server_that_trickles_is_late(pack: bytes) -> None:
    server = socket.create_server(("127.0.0.1", 0))

    def trickle() -> None:
        connection, _ = server.accept()
        with contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 206 Partial Content\r\n")
            while True:
                connection.sendall(b"X: y\r\n")
                time.sleep(0.1)

    threading.Thread(target=trickle, daemon=True).start()
    address = f"http://127.0.0.1:{server.getsockname()[1]}/models.undust"
    assert "did not answer within 1 s" in refusal(address, timeout=1)
    server.close()


def test_addresses_that_lead_nowhere_are_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    assert "refused" in refusal(f"http://127.0.0.1:{port}/models.undust")
    pytest.importorskip("pyarrow")
    said = refusal("foo://key:secret@bucket/models.undust")
    assert said.startswith("cannot read foo://bucket/models.undust: ")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e300])
def test_times_that_are_none_are_refused(web: Web, seconds: float) -> None:
    for name in ("timeout", "refresh"):
        with pytest.raises(undust.SettingsError, match=name):
            Models(web.address, **{name: seconds})


def test_without_pyarrow_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.fs", None)
    said = refusal("s3://key:secret@bucket/models.undust")
    assert said == "s3://bucket/models.undust: s3:// is read by pyarrow: pip install pyarrow"


def test_an_interrupt_is_one(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(web.address)

    def interrupted(*_: Any) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(_storage.Opened, "read_at", interrupted)
    # The tests of Scrapy leave another handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            models.canonicalize(LOGIN)
    finally:
        signal.signal(signal.SIGINT, before)


class Bucket:
    """A bucket of an S3 of this process."""

    def __init__(self, port: int) -> None:
        import boto3

        self.port = port
        self._client: Any = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{port}",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
        )
        self._client.create_bucket(Bucket="bucket")

    def put(self, key: str, body: bytes) -> None:
        self._client.put_object(Bucket="bucket", Key=key, Body=body)

    def address(self, key: str, port: int | None = None) -> str:
        where = f"endpoint_override=http://127.0.0.1:{port or self.port}&scheme=http"
        return f"s3://key:secret@bucket/{key}?{where}&region=us-east-1"


@pytest.fixture(scope="session")
def bucket() -> Iterator[Bucket]:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pytest.importorskip("boto3", reason="boto3 is not installed")
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield Bucket(server.get_host_and_port()[1])
    server.stop()


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    held.append(server.accept())

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]


def test_a_pack_in_a_bucket(bucket: Bucket, pack: bytes, tmp_path: Path) -> None:
    bucket.put("a/models.undust", pack)
    address = bucket.address("a/models.undust")
    models = Models(address, refresh=0.2)
    assert models.canonicalize(LOGIN) == FORM
    assert models.canonicalize(NONE) is NONE
    assert repr(models) == 'Models("s3://bucket/a/models.undust")'
    assert pickle.loads(pickle.dumps(models)).canonicalize(LOGIN) == FORM
    new = login_of("new.test")
    bucket.put("a/models.undust", write_pack(tmp_path / "pack", ["new.test"]).read_bytes())
    eventually(lambda: models.canonicalize(new) == form_of("new.test"))
    assert models.canonicalize(LOGIN) is LOGIN
    # Without waiting for the next look, whether the new one is longer or shorter.
    models = Models(address, refresh=3600)
    for count in (9, 2):
        sites = [f"site{count}-{number}.test" for number in range(count)]
        bucket.put("a/models.undust", write_pack(tmp_path / f"{count}", sites).read_bytes())
        forms = models.canonicalize_many([login_of(site) for site in sites])
        assert forms == [form_of(site) for site in sites]


def test_what_a_bucket_does_not_give_is_told(bucket: Bucket, silent: int) -> None:
    name = "s3://bucket/none.undust"
    said = refusal(bucket.address("none.undust"))
    assert said == f"cannot read {name}: there is no such object"
    said = refusal(bucket.address("none.undust", port=silent), timeout=1)
    assert said == f"cannot read {name}: it did not answer within 1 s"
    bucket.put("cut.undust", b"undustPK" + bytes(20))
    assert "ends at byte 28 of 192" in refusal(bucket.address("cut.undust"))


def test_a_bucket_that_may_not_be_read() -> None:
    pytest.importorskip("pyarrow")
    web = Web(b"")
    web.status = 403
    # S3 asks for the length first.
    web._server.RequestHandlerClass.do_HEAD = web._server.RequestHandlerClass.do_GET  # type: ignore[attr-defined]
    port = web._server.server_address[1]
    where = f"endpoint_override=http://127.0.0.1:{port}&scheme=http&region=us-east-1"
    said = refusal(f"s3://key:secret@bucket/models.undust?{where}")
    assert said.startswith("cannot read s3://bucket/models.undust: access is denied (")
    web.close()


def test_an_archive_in_a_bucket_is_copied(
    bucket: Bucket, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(json.dumps(row) + "\n" for row in story_rows())
    bucket.put("crawl.jsonl.gz", gzip.compress(rows.encode()))
    with _archives.local(Address(bucket.address("crawl.jsonl.gz"))) as path:
        assert gzip.decompress(Path(path).read_bytes()).decode() == rows
    assert not os.path.exists(path)
    with pytest.raises(FileNotFoundError), _archives.local(Address(bucket.address("none.jsonl"))):
        pass
    monkeypatch.setattr(_archives, "TIMEOUT", 1)
    begun = time.monotonic()
    with pytest.raises(TimeoutError, match="did not answer within 1 s"):
        with _archives.local(Address(bucket.address("crawl.jsonl.gz", port=silent))):
            pass
    assert time.monotonic() - begun < 3


def test_a_queue_gets_its_forms_from_a_bucket(bucket: Bucket, pack: bytes, silent: int) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    spark_server = pytest.importorskip("pysail.spark", reason="pysail is not installed")
    from pyspark.sql import SparkSession

    from undust.spark import translate

    bucket.put("models.undust", pack)
    server = spark_server.SparkConnectServer()
    server.start(background=True)
    session = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}")
    spark = session.create()
    queue = spark.createDataFrame([(LOGIN,), (NONE,), (None,)], "url string")
    forms = translate(queue, bucket.address("models.undust")).collect()
    assert [row["form"] for row in forms] == [FORM, NONE, None]
    with pytest.raises(Exception, match="cannot read s3://bucket/none.undust"):
        translate(queue, bucket.address("none.undust")).collect()
    spark.stop()
    server.stop()


def test_what_is_asked_is_what_a_folder_answers(bucket: Bucket, tmp_path: Path) -> None:
    """Real models, of a crawl with every kind of URL."""
    models = tmp_path / "models"
    shutil.copytree(SAMPLE, models)
    undust.train(story_rows("one.test") + story_rows("two.test"), models=models)
    writer = _undust.PackWriter(tmp_path / "models.undust")
    for site in sorted(path for path in models.iterdir() if path.is_dir()):
        files = {file.name: file.read_bytes() for file in site.iterdir()}
        writer.add(site.name, "host", files)
    writer.finish()
    bucket.put("real.undust", (tmp_path / "models.undust").read_bytes())
    stored, folder = Models(bucket.address("real.undust")), Models(models)
    urls = [row["url"] for host in ("one.test", "two.test", "b.test") for row in story_rows(host)]
    urls += [LOGIN, FORM, "no URL", ""]
    forms = stored.canonicalize_many(urls)
    assert forms == folder.canonicalize_many(urls) != urls
