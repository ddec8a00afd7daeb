"""Training on files, dicts, data frames and Arrow tables."""

import gzip
import json
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pyarrow.parquet
import pytest

import undust
from undust import Models

from conftest import story_rows

Rows = list[dict[str, Any]]
PRINT = "http://a.test/story/7777/print"
STORY = "http://a.test/story/7777"


def form_after(folder: Path, *crawls: Any, **options: Any) -> str:
    (site,) = undust.train(*crawls, models=folder, **{"method": "tree", **options})
    assert (site.site, site.outcome, site.pages, site.clusters) == ("a.test", "trained", 120, 60)
    assert site.folder == folder / "a.test"
    return Models(folder).canonicalize(PRINT)


def test_rows_files_frames_and_tables_teach_the_same(tmp_path: Path, rows: Rows) -> None:
    manifest = tmp_path / "crawl.jsonl.gz"
    with gzip.open(manifest, "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    frame = pandas.DataFrame([{**row, "title": None, "words": float("nan")} for row in rows])
    table = pyarrow.Table.from_pylist(rows)
    crawls = [manifest, str(manifest), rows, iter(rows), frame, table, table.to_reader()]
    for number, crawl in enumerate(crawls):
        assert form_after(tmp_path / str(number), crawl) == STORY


def test_pages_are_read_where_rows_have_html(tmp_path: Path, rows: Rows) -> None:
    def page(row: dict[str, Any]) -> dict[str, Any]:
        words = " ".join(f"word{row['digest']}x{n}" for n in range(200))
        return {"url": row["url"], "status": 200, "html": f"<title>t</title><p>{words}".encode()}

    assert form_after(tmp_path, map(page, rows)) == STORY


def test_feeds_have_fields_of_any_name(tmp_path: Path, rows: Rows) -> None:
    feed = tmp_path / "feed.jsonl"
    words = [" ".join(f"word{row['digest']}x{n}" for n in range(200)) for row in rows]
    items = [
        {"link": row["url"], "raw": f"<title>t</title><p>{text}", "url": "none"}
        for row, text in zip(rows, words, strict=True)
    ]
    feed.write_text("".join(json.dumps(item) + "\n" for item in items))
    fields = {"url": "link", "body": "raw"}
    assert form_after(tmp_path / "models", feed, fields=fields) == STORY


def test_indexes_and_tables_are_crawls(tmp_path: Path, rows: Rows) -> None:
    index, table = tmp_path / "index.cdxj", tmp_path / "internal_html.csv"
    index.write_text(
        "".join(
            f"test,a)/{number} 20240101000000 "
            + json.dumps({"url": row["url"], "status": "200", "mime": "text/html", "digest": row["digest"]})
            + "\n"
            for number, row in enumerate(rows)
        )
    )
    lines = [f'"{row["url"]}","text/html","200","{row["digest"]}"' for row in rows]
    table.write_text("\n".join(['"Address","Content Type","Status Code","Hash"', *lines, ""]))
    columns = tmp_path / "crawl.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), columns)
    for number, crawl in enumerate([index, table, columns]):
        assert form_after(tmp_path / str(number), crawl) == STORY


def test_the_default_method(tmp_path: Path, rows: Rows) -> None:
    assert form_after(tmp_path, rows, method="auto") == STORY


def test_several_crawls(tmp_path: Path, rows: Rows) -> None:
    assert form_after(tmp_path, rows[:60], rows[60:]) == STORY


def test_settings_are_those_of_train_toml(tmp_path: Path, rows: Rows) -> None:
    with pytest.raises(undust.Error, match="no site has the 500 pages"):
        undust.train(rows, models=tmp_path, settings={"site": {"min_pages": 500}})
    with pytest.raises(undust.SettingsError, match="min_page"):
        undust.train(rows, models=tmp_path, settings={"site": {"min_page": 5}})
    with pytest.raises(undust.SettingsError, match="must be"):
        undust.train(rows, models=tmp_path, site_by="planet")
    with pytest.raises(undust.Error, match="`three`"):
        undust.train(rows, models=tmp_path, method="three")


def test_a_site_with_too_little_is_told(tmp_path: Path, rows: Rows) -> None:
    trained = undust.train(rows + story_rows("b.test")[:9], models=tmp_path, method="tree")
    assert [(site.site, site.outcome) for site in trained] == [
        ("a.test", "trained"),
        ("b.test", "too little"),
    ]


def test_bad_rows_are_named_or_skipped(tmp_path: Path, rows: Rows) -> None:
    bad: list[Any] = [{"url": "http://a.test/"}, {"url": "", "status": 200}, "text", {"status": 200}]
    for row in bad:
        with pytest.raises(undust.CrawlError, match=r"^row 121: .*lenient=True"):
            undust.train([*rows, row], models=tmp_path, method="tree")
    assert form_after(tmp_path, [*rows, *bad], lenient=True) == STORY


def test_bad_crawls(tmp_path: Path) -> None:
    with pytest.raises(undust.Error, match="cannot read"):
        undust.train(tmp_path / "none.jsonl", models=tmp_path)
    with pytest.raises(undust.CrawlError, match="no page to learn from"):
        undust.train([], models=tmp_path)
    with pytest.raises(undust.CrawlError, match="there is no crawl"):
        undust.train(models=tmp_path)
    with pytest.raises(undust.CrawlError, match="one dict"):
        undust.train({"url": "http://a.test/"}, models=tmp_path)
    with pytest.raises(TypeError):
        undust.train(17, models=tmp_path)
    (tmp_path / "bad.jsonl").write_text('{"url": "http://a.test/", "simhash": null}\n')
    with pytest.raises(undust.CrawlError, match=r"bad\.jsonl:1: missing field.*lenient=True"):
        undust.train(tmp_path / "bad.jsonl", models=tmp_path)


def test_an_exception_of_the_rows_is_the_callers(tmp_path: Path, rows: Rows) -> None:
    def broken() -> Any:
        yield from rows
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        undust.train(broken(), models=tmp_path)


def test_networks_are_for_the_program(tmp_path: Path, rows: Rows) -> None:
    with pytest.raises(undust.Error, match="the wheel cannot train networks"):
        undust.train(rows, models=tmp_path, method="seq2seq")
