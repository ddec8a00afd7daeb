"""The fingerprinter, the add-on and the manifest, in a Scrapy that fetches nothing."""

import gzip
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.utils.request import RequestFingerprinter
from scrapy.utils.request import fingerprint as own
from scrapy.utils.test import get_crawler

import undust
from undust.scrapy import ManifestFeed, UndustFingerprinter

from conftest import FORM, LOGIN, SAMPLE

OTHER = "http://elsewhere.test/a?b=1"


class WithHeaders(RequestFingerprinter):
    """A project's own."""

    def fingerprint(self, request: Request) -> bytes:
        assert isinstance(request, Request)
        return b"mine " + own(request, include_headers=["X"])


def crawler(**settings: Any) -> Crawler:
    settings = {"ADDONS": {"undust.scrapy.Addon": 300}, "UNDUST_MODELS": str(SAMPLE), **settings}
    made = get_crawler(settings_dict=settings)
    return made


def fingerprinter(made: Crawler) -> UndustFingerprinter:
    assert isinstance(made.request_fingerprinter, UndustFingerprinter)
    return made.request_fingerprinter


def stats(made: Crawler) -> dict[str, Any]:
    assert made.stats is not None
    made.signals.send_catch_log(signals.spider_closed, spider=None, reason="finished")
    counts = made.stats.get_stats()
    return {key.removeprefix("undust/"): counts[key] for key in counts if key.startswith("undust/")}


def test_the_key_is_scrapys_own_of_the_form() -> None:
    made = crawler()
    key = fingerprinter(made).fingerprint
    assert key(Request(LOGIN)) == key(Request(FORM)) == own(Request(FORM))
    assert key(Request(LOGIN + "#part")) == own(Request(FORM))
    assert key(Request(OTHER)) == own(Request(OTHER))
    assert stats(made) == {"changed": 2, "unchanged/no_rule": 1, "unchanged/no_model": 1}


@pytest.mark.parametrize(
    "request_",
    [
        Request(LOGIN, meta={"undust": False}),
        Request(LOGIN, meta={"verbatim_url": True}),
        Request(LOGIN, method="POST"),
        Request(LOGIN, body=b"x"),
    ],
)
def test_what_is_left_alone(request_: Request) -> None:
    made = crawler()
    assert fingerprinter(made).fingerprint(request_) == own(request_)
    assert stats(made) == {"off": 1}


def test_a_projects_own_fingerprinter_is_the_fallback() -> None:
    made = crawler(REQUEST_FINGERPRINTER_CLASS=WithHeaders)
    request = Request(LOGIN, headers={"X": "1"})
    key = fingerprinter(made).fingerprint(request)
    assert key == WithHeaders().fingerprint(request.replace(url=FORM))
    assert key != fingerprinter(made).fingerprint(Request(LOGIN))


def test_without_the_add_on() -> None:
    name = "undust.scrapy.UndustFingerprinter"
    made = crawler(ADDONS={}, REQUEST_FINGERPRINTER_CLASS=name)
    assert fingerprinter(made).fingerprint(Request(LOGIN)) == own(Request(FORM))


def test_switched_off() -> None:
    for settings in ({"UNDUST_ENABLED": False}, {"UNDUST_MODELS": None, "UNDUST_MANIFEST": "m"}):
        made = crawler(**settings)
        assert fingerprinter(made).fingerprint(Request(LOGIN)) == own(Request(LOGIN))


def test_nothing_to_do_is_said(caplog: pytest.LogCaptureFixture) -> None:
    made = crawler(UNDUST_MODELS=None)
    assert type(made.request_fingerprinter) is RequestFingerprinter
    assert "Disabled undust.scrapy.Addon: none of UNDUST_LIVE" in caplog.text


def test_missing_models(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(undust.ModelError, match="no such folder"):
        crawler(UNDUST_MODELS=str(tmp_path / "none"))
    settings = {"UNDUST_MODELS": str(tmp_path / "none"), "UNDUST_MANIFEST": str(tmp_path / "m.jsonl")}
    made = crawler(**settings)
    assert fingerprinter(made).fingerprint(Request(LOGIN)) == own(Request(LOGIN))
    assert "no model yet" in caplog.text and "no_models" in stats(made)


def test_a_redirect_to_a_url_of_the_same_form_is_another_page() -> None:
    key = fingerprinter(crawler()).fingerprint
    within = Request(FORM, meta={"redirect_urls": [LOGIN]})
    assert key(within) not in (key(Request(LOGIN)), key(Request(FORM)), own(within))
    assert key(within) == key(within.copy())
    elsewhere = Request(FORM, meta={"redirect_urls": [OTHER]})
    assert key(elsewhere) == own(Request(FORM))


def test_what_is_skipped_is_counted_by_cause() -> None:
    made = crawler()
    key, cause = fingerprinter(made).fingerprint, undust.Models(SAMPLE).translation(LOGIN).cause

    def drop(url: str) -> None:
        request = Request(url)
        key(request)
        made.signals.send_catch_log(signals.request_dropped, request=request, spider=None)

    key(Request(LOGIN))
    drop(LOGIN)  # Scrapy would have skipped this, too.
    drop(FORM)
    drop(LOGIN.replace("Main+Page", "Other"))
    counts = {key: value for key, value in stats(made).items() if key.startswith("skipped")}
    assert counts == {"skipped": 2, "skipped/is_the_form_of_others": 1, f"skipped/{cause.replace(' ', '_')}": 1}


def test_the_models_close_with_a_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    made = crawler()
    key = fingerprinter(made).fingerprint
    for url in (LOGIN, OTHER, FORM):
        request = Request(url)
        key(request)
    made.signals.send_catch_log(signals.request_dropped, request=request, spider=None)
    made.signals.send_catch_log(signals.spider_closed, spider=None, reason="finished")
    assert (
        "undust: the models gave 1 of 3 requests another form, and 1 was skipped: a URL of their form was asked for before"
        in caplog.text
    )


def html(url: str, body: str, **options: Any) -> HtmlResponse:
    headers = {"Content-Type": "text/html; charset=utf-8"}
    return HtmlResponse(
        url, body=body.encode(), headers=headers, request=Request(url), encoding="utf-8", **options
    )


def exploring(folder: Path) -> Crawler:
    shutil.copytree(SAMPLE / "wiki.example.test", folder / "wiki.example.test")
    return crawler(UNDUST_MODELS=str(folder), UNDUST_EXPLORATION=1.0)


def fetch(made: Crawler, url: str, body: str) -> None:
    """As if Scrapy had asked for it and got it."""
    request = Request(url)
    assert fingerprinter(made).fingerprint(request) == own(request)
    page = html(url, f"<title>t</title><p>{body}").replace(request=request)
    made.signals.send_catch_log(
        signals.response_received, response=page, request=request, spider=None
    )


def test_what_is_explored_is_compared_with_the_page_of_its_form(tmp_path: Path) -> None:
    made = exploring(tmp_path)
    fetch(made, LOGIN + "0", "log in here please")  # It waits for its form.
    fetch(made, FORM, "log in here please")
    fetch(made, LOGIN + "1", "log in here please")
    fetch(made, OTHER, "something else")
    counts = stats(made)
    assert (counts["explored"], counts["observed"], counts["conflicts"]) == (2, 2, 0)
    assert counts["switched_off"] == 0


def test_what_disagrees_is_switched_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = exploring(tmp_path)
    fetch(made, FORM, "log in here please")
    for number in range(9):
        fetch(made, LOGIN + str(number), f"another page, of number {number}, this one")
    counts = stats(made)
    assert counts["explored"] == 9 and counts["conflicts"] >= 3 and counts["switched_off"] >= 1
    assert "Switched off until the next training: " in caplog.text
    assert undust.Models(tmp_path).canonicalize(LOGIN) != FORM


def test_nothing_is_explored_unless_that_is_asked_for() -> None:
    made = crawler()
    fingerprinter(made).fingerprint(Request(LOGIN))
    assert "explored" not in stats(made)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_the_manifest(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "crawls" / f"%(name)s-%(time)s.jsonl{suffix}"
    made = crawler(UNDUST_MANIFEST=str(path))
    feed, spider = ManifestFeed.from_crawler(made), Spider("site")
    feed.spider_opened(spider)
    url = "http://a.test/é?a=1"
    page = html(url, "<title>T</title>words")
    feed.response_received(page, page.request, spider)  # type: ignore[arg-type]
    gone = html("http://a.test/gone", "", status=404)
    feed.response_received(gone, gone.request, spider)  # type: ignore[arg-type]
    moved = Response("http://a.test/m", status=301, headers={"Location": "/new#x"})
    feed.response_downloaded(moved, Request("http://a.test/m"), spider)
    picture = Response("http://a.test/i", body=b"\x89PNG", headers={"Content-Type": "image/png"})
    feed.response_received(picture, Request("http://a.test/i"), spider)
    posted = page.replace(request=Request(url, method="POST"))
    feed.response_received(posted, Request(url, method="POST"), spider)
    assert [file.name[-5:] for file in path.parent.iterdir()] == [".part"]
    feed.spider_closed(spider)
    (file,) = path.parent.iterdir()
    text = gzip.decompress(file.read_bytes()) if suffix else file.read_bytes()
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["url"], row["status"]) for row in rows] == [
        (Request(url).url, 200),
        ("http://a.test/gone", 404),
        ("http://a.test/m", 301),
    ]
    assert rows[0]["title"] == "T" and rows[2]["location"] == "http://a.test/new"
    assert stats(made)["manifest_lines"] == 3
