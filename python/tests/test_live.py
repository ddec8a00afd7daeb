"""Deciding while a crawl goes on."""

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import undust
from undust import Live

SITE = "http://a.test"


def links() -> Iterator[str]:
    """Stories, each under three URLs, in the order in which a crawler meets them."""
    for number in range(400):
        # One value of an argument would say nothing of others.
        for end in ("", f"?from=page{number % 9}", "/print"):
            yield f"{SITE}/story/{number}{end}"


def content(url: str) -> str:
    """A story's page, whatever its URL."""
    return "story " + url.split("/")[4].partition("?")[0]


def crawl(live: Live) -> tuple[int, set[str]]:
    """Crawls the stories; how many fetches that takes, and the pages."""
    fetches, pages = 0, set()
    for url in links():
        if live.decide(url):
            fetches += 1
            pages.add(content(url))
            live.saw(url, 200, title="a story", digest=content(url))
    return fetches, pages


def test_a_site_is_learned_while_it_is_crawled(tmp_path: Path) -> None:
    with Live(tmp_path / "state", background=False) as live:
        fetches, pages = crawl(live)
        stats = live.stats()["a.test"]
    assert len(pages) == 400 and fetches < 900
    assert (stats.fetched, stats.distinct) == (fetches, 400)
    assert stats.skipped == 1200 - fetches and stats.learnings > 1
    assert stats.audits.audited > 0 and 0 < stats.lost_share_bound <= 1
    with Live(tmp_path / "state", background=False) as live:
        assert live.stats()["a.test"].skipped == stats.skipped
        assert live.decide(SITE + "/story/7").why == "fetched before"
        live.begin_crawl()
        again, pages = crawl(live)
    assert len(pages) == 400 and again < fetches


def test_a_decision_says_what_and_why() -> None:
    live = Live(background=False)
    url = SITE + "/story/1"
    first = live.decide(url)
    assert first and first.fetches and (first.do, first.loss) == ("fetch", 0)
    assert first.form is first.why is first.hypothesis is None
    assert repr(first) == "<Decision fetch>"
    crawl(live)
    with pytest.raises(TypeError, match="urls is one str"):
        live.decide_many(url)
    decided = live.decide_many([f"{SITE}/story/{n}{end}" for n in range(390) for end in ("", "?from=x")])
    (skip, *_) = [one for one in decided if one.do == "skip" and one.why != "fetched before"]
    assert not skip and not skip.fetches and 0 < skip.loss < 0.02
    assert skip.form and skip.why and skip.hypothesis is None and skip.form in repr(skip)
    (probe, *_) = [one for one in decided if one.do == "probe"]
    assert probe and probe.hypothesis and repr(probe) == f"<Decision probe: {probe.hypothesis}>"


def test_the_same_events_on_the_same_state_give_the_same_decisions(tmp_path: Path) -> None:
    def decided(state: Path) -> list[str]:
        with Live(state, background=False) as live:
            crawl(live)
            return [repr(live.decide(f"{SITE}/story/{number}?from=x")) for number in range(400)]

    Live(tmp_path / "one").close()
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    # The secret of a state draws its audits.
    assert decided(tmp_path / "one") == decided(tmp_path / "copy") != decided(tmp_path / "other")


def test_a_page_is_told_in_any_of_its_forms() -> None:
    words = " ".join(f"word{n}" for n in range(50))
    page = f"<title>é</title><p>{words}"
    row: Any = undust.page(SITE, page)
    forms: list[dict[str, Any]] = [
        {"html": page},
        {"html": page.encode(), "content_type": "text/html; charset=utf-8"},
        {"html": page.encode("latin-1"), "content_type": "text/html; charset=latin-1"},
        {name: row[name] for name in ("title", "simhash", "text_hash", "words")},
    ]
    live = Live()
    for number, form in enumerate(forms):
        assert live.saw(f"{SITE}/{number}", 200, **form) is None
    stats = live.stats()["a.test"]
    assert (stats.fetched, stats.distinct) == (4, 1)


def test_what_is_no_page_is_none() -> None:
    live = Live()
    live.saw(SITE + "/gone", 404, html="<title>gone</title>gone")
    assert live.decide(f"{SITE}/down") and live.stats() == {}
    live.saw(SITE + "/", 200, digest="front")
    for url in ("gone", "down", "picture", "moved"):
        assert live.decide(f"{SITE}/{url}")
    assert live.stats()["a.test"].pending == 4
    live.saw(SITE + "/gone", 404, html="<title>gone</title>gone")
    live.saw(SITE + "/down", 0)
    live.saw(SITE + "/picture", 200, html=b"\x89PNG", content_type="image/png")
    live.saw(SITE + "/moved", 301, location=SITE + "/here")
    stats = live.stats()["a.test"]
    assert (stats.fetched, stats.pending) == (1, 1)
    live.saw(SITE + "/here", 200, digest="x", time="2024-01-01T00:00:00Z")
    stats = live.stats()["a.test"]
    assert (stats.fetched, stats.distinct, stats.pending) == (3, 2, 0)


def test_a_site_is_learned_when_that_is_asked_for() -> None:
    live = Live()
    for url in list(links())[:150]:
        live.saw(url, 200, digest=content(url))
    assert live.stats()["a.test"].learnings == 0
    live.learn("a.test")
    assert live.stats()["a.test"].learnings == 1
    live.learn("unknown.test")


def test_learning_goes_on_beside_the_crawl() -> None:
    live = Live()
    learned = [live.saw(url, 200, digest=content(url)) for url in links()]
    live.settle()
    assert set(learned) <= {None, "a.test"} and live.stats()["a.test"].learnings > 0


def test_threads_share_one() -> None:
    live = Live()

    def work(number: int) -> None:
        for page in range(200):
            url = f"http://{number % 4}.test/{number}/{page}"
            if live.decide(url):
                live.saw(url, 200, digest=url)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(16)))
    assert sum(site.fetched + site.skipped for site in live.stats().values()) == 3200


def test_other_threads_run_while_a_site_is_learned() -> None:
    live = Live(background=False)
    for url in list(links())[:199]:
        live.saw(url, 200, digest=content(url))
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0)

    def ticks_meanwhile() -> bool:
        before = ticks
        live.learn("a.test")
        return ticks > before

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # From now on a thread runs until it waits.
    sys.setswitchinterval(1000)
    thread.start()
    try:
        # A busy machine may have no time for the other thread during one learning.
        assert any(ticks_meanwhile() for _ in range(100))
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_one_at_a_time_uses_a_state(tmp_path: Path) -> None:
    live = Live(tmp_path)
    with pytest.raises(undust.StateError, match="is in use"):
        Live(tmp_path)
    live.close()
    live.close()
    with pytest.raises(undust.StateError, match="closed"):
        live.decide(SITE)
    Live(tmp_path).close()


def test_what_was_told_is_kept_without_a_close(tmp_path: Path) -> None:
    live = Live(tmp_path)
    live.saw(SITE + "/1", 200, digest="1")
    del live
    assert not Live(tmp_path).decide(SITE + "/1")


def test_an_exception_of_the_crawler_closes_it(tmp_path: Path) -> None:
    with pytest.raises(LookupError), Live(tmp_path):
        raise LookupError
    Live(tmp_path)


def test_bad_input_is_an_exception_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(undust.SettingsError, match="risk is 2"):
        Live(risk=2)
    with pytest.raises(undust.SettingsError, match="audits is -1"):
        Live(audits=-1)
    with pytest.raises(undust.SettingsError, match="min_page"):
        Live(settings={"site": {"min_page": 5}})
    live = Live(settings={"seed": 5})
    assert live.decide("no URL").do == live.decide("").do == "fetch"
    assert live.saw("no URL", 200, digest="1") is None
    with pytest.raises(undust.CrawlError, match="16 hex digits"):
        live.saw(SITE, 200, simhash="17")
    with pytest.raises(OverflowError):
        live.saw(SITE, -1)
    with pytest.raises(TypeError):
        live.decide(b"http://a.test/")  # type: ignore[arg-type]
    (tmp_path / "file").write_text("")
    with pytest.raises(undust.StateError, match="is a file"):
        Live(tmp_path / "file")
    state = tmp_path / "state"
    Live(state).close()
    (state / "live.jsonl").write_text('{"format":7}\n')
    with pytest.raises(undust.StateError, match="another version"):
        Live(state)


def test_a_full_disk_is_an_exception(tmp_path: Path) -> None:
    """By a limit of the size of files, which stands in for it."""
    resource = pytest.importorskip("resource")
    signal = pytest.importorskip("signal")
    live = Live(tmp_path)
    live.saw(SITE + "/1", 200, digest="1")
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        with pytest.raises(undust.Error, match=r"cannot write .*live\.jsonl"):
            live.saw(SITE + "/2", 200, digest="2")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    live.saw(SITE + "/2", 200, digest="2")
    live.close()
    assert Live(tmp_path).stats()["a.test"].fetched == 2
