"""No secret of an address is in a name, a message or a row."""

import argparse
import base64
import http.server
import pickle
import random
import string
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import undust
from undust import Models, _storage
from undust._undust import Address
from undust.spark import _ingest
from undust.spark.__main__ import _told as told

SIGNS = string.ascii_uppercase + string.digits + "/@:%?#&=+;,!$'()*~ []|\\-é"
"""Signs of secrets; hosts and paths below have small letters only."""


def secrets(seed: int, count: int) -> Iterator[str]:
    draw = random.Random(seed)
    for _ in range(count):
        yield "".join(draw.choice(SIGNS) for _ in range(draw.randint(6, 24)))


def addresses(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Addresses, and a secret that is in each."""
    for n, secret in enumerate(secrets(seed, count)):
        yield (
            [
                f"s3://KEY:{secret}@bucket/models.undust",
                f"https://USER:{secret}@127.0.0.1:9/crawl.warc",
                f"https://127.0.0.1:9/crawl.warc?X-Amz-Signature={secret}",
                f"gs://bucket/a/b?token={secret}&sig=1",
                f"https://USER:pw@127.0.0.1:9/a?sig={secret}",
            ][n % 5],
            secret,
        )


def shows(text: str, secret: str) -> bool:
    """Whether a text has four signs of a secret in a row."""
    return any(secret[at : at + 4] in text for at in range(len(secret) - 3))


def test_no_text_of_an_address_shows_its_secret() -> None:
    for address, secret in addresses(7, 1000):
        made = Address(address)
        for text in (str(made), repr(made), f"{made}", f"{made!r}", "%s" % made, str([made])):
            assert not shows(text, secret), (text, address)
        assert made.reveal() == address
        assert pickle.loads(pickle.dumps(made)) == made
        assert not shows(made.quiet(f"cannot parse {address}") or "", secret)


@pytest.mark.parametrize("offset", range(5))
def test_no_failure_shows_a_secret(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    options: dict[str, Any] = {
        "crawl": 0, "site_by": "host", "host": None, "lenient": False, "max_body": None,
        "labels": False, "fields": {},
    }  # fmt: skip
    seen = 0
    for n, (address, secret) in enumerate(addresses(offset, 60)):
        if n % 5 != offset or address.startswith(("gs:", "s3:")) and seen >= 2:
            continue
        seen += 1
        with pytest.raises(undust.Error) as refused:
            Models(address, timeout=2)
        error: BaseException | None = refused.value
        assert not shows(str(error), secret) and not shows(repr(error), secret), address
        if address.startswith("gs:"):
            # It is tried again for a minute.
            continue
        monkeypatch.setattr("undust.spark._archives.TIMEOUT", 2)
        (batch,) = _ingest._read_one(0, address, options)
        (row,) = batch.to_pylist()
        assert row["error"] and not any(shows(str(value), secret) for value in row.values()), row


@pytest.fixture
def web() -> Iterator[tuple[str, list[str]]]:
    """The address of a server of one archive, and the logins that came."""
    logins: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            logins.append(self.headers.get("Authorization", ""))
            body = b'{"url":"http://a.test/1","status":200,"digest":"x"}\n'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}", logins
    server.shutdown()
    server.server_close()


def test_a_login_is_sent_and_not_told(web: tuple[str, list[str]]) -> None:
    host, logins = web
    options: dict[str, Any] = {
        "crawl": 0, "site_by": "host", "host": None, "lenient": False, "max_body": None,
        "labels": False, "fields": {},
    }  # fmt: skip
    for login, expected in [
        ("me:pass%40word@", b"me:pass@word"),
        ("me:pa/ss@", b"me:pa/ss"),
        ("me@", b"me:"),
        ("", None),
    ]:
        rows = list(_ingest._read_one(0, f"http://{login}{host}/a@b/crawl.jsonl?sig=SECRET", options))
        row = rows[-1].to_pylist()[0]
        assert row["error"] is None and "1 response" in row["report"], row
        assert "SECRET" not in str(row) and "pass" not in str(row) and "pa/ss" not in str(row)
        sent = "Basic " + base64.b64encode(expected).decode() if expected else ""
        assert logins.pop() == sent


def test_where_a_login_ends() -> None:
    for address, host, path, user, secret in [
        ("s3://KEY:a/b+c@bucket/m@x", "bucket", "/m@x", "KEY", "a/b+c"),
        ("s3://KEY:12/34@bucket/m", "bucket", "/m", "KEY", "12/34"),
        ("s3://KEY:a%2Fb@bucket/m", "bucket", "/m", "KEY", "a/b"),
        ("s3://bucket/m@x", "bucket", "/m@x", None, None),
        ("https://h:80/a@2x/b", "h:80", "/a@2x/b", None, None),
        ("https://[::1]:80/a@2x/b", "[::1]:80", "/a@2x/b", None, None),
        ("https://u:p/w@h:80/a", "h:80", "/a", "u", "p/w"),
        ("https://u@h/a?x=@", "h", "/a", "u", None),
    ]:
        parts, *login = _storage.parts_of(Address(address))
        assert [parts.netloc, parts.path, *login] == [host, path, user, secret], address


def test_what_an_engine_quotes_is_left_out() -> None:
    args = argparse.Namespace(
        command="train", inputs=["s3://KEY:SECRET/x@bucket/a", "b.warc"], remote="sc://h/?token=TOKEN"
    )
    for said, expected in [
        ("\nPath does not exist: s3a://KEY:SECRET/x@bucket/a\nat line 1", "RuntimeError"),
        ("no answer of sc://h/?token=TOKEN", "RuntimeError"),
        ("Path does not exist: b.warc\nat line 1", "Path does not exist: b.warc"),
        ("", "RuntimeError"),
    ]:
        assert told(RuntimeError(said), args) == expected
