"""The snippets of docs/using/frameworks.md, each where its framework is installed."""

from pathlib import Path
from typing import Any

import pyarrow
import pytest

import undust

from conftest import FORM, LOGIN, SAMPLE, story_rows

URLS = [LOGIN, FORM, "http://elsewhere.test/"]


def test_datatrove_drops_documents_of_one_canonical_url(tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason="datatrove is not installed")
    from datatrove.data import Document
    from datatrove.pipeline.dedup import ExactDedupFilter, ExactDedupSignature, ExactFindDedups
    from datatrove.pipeline.dedup.exact_dedup import ExactDedupConfig

    from undust.datatrove import CanonicalUrl

    config = ExactDedupConfig(content_getter=CanonicalUrl(SAMPLE))
    documents = [
        Document(text="", id=str(number), metadata={"url": url} if url else {})
        for number, url in enumerate([*URLS, None, None])
    ]
    signatures, found = str(tmp_path / "signatures"), str(tmp_path / "found")
    ExactDedupSignature(signatures, config)(iter(documents), 0, 1)
    ExactFindDedups(signatures, found, config)(None, 0, 1)
    kept = ExactDedupFilter(found, config)(iter(documents), 0, 1)
    assert [document.id for document in kept] == ["0", "2", "3", "4"]


def test_ray_adds_a_column_and_trains_by_site(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is not installed")
    import ray
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        forms = ray.data.from_arrow(pyarrow.table({"url": URLS})).map_batches(
            AddForms, fn_constructor_args=(str(SAMPLE),), batch_format="pyarrow", concurrency=1
        )
        assert [row["form"] for row in forms.take_all()] == [FORM, FORM, URLS[2]]

        def train(site: Any) -> Any:
            (done,) = undust.train(site.drop_columns("site"), models=tmp_path, method="tree")
            return pyarrow.table({"site": [done.site], "outcome": [done.outcome]})

        rows = pyarrow.Table.from_pylist([{**row, "site": "a.test"} for row in story_rows()])
        sites = ray.data.from_arrow(rows).groupby("site")
        trained = sites.map_groups(train, batch_format="pyarrow")
        assert [row["outcome"] for row in trained.take_all()] == ["trained"]
    finally:
        ray.shutdown()
    url = "http://a.test/story/7/print"
    assert undust.Models(tmp_path).canonicalize(url) != url


class AddForms:
    def __init__(self, models: str) -> None:
        self.models = undust.Models(models)

    def __call__(self, table: Any) -> Any:
        return table.append_column("form", self.models.canonicalize_many(table.column("url")))


def test_polars_has_an_expression(models: undust.Models) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"url": URLS}).lazy()
    form = polars.col("url").map_batches(models.canonicalize_many, return_dtype=polars.String)
    first = frame.with_columns(form=form).unique("form", keep="first", maintain_order=True)
    assert first.collect()["url"].to_list() == [LOGIN, URLS[2]]


def test_duckdb_has_a_function(models: undust.Models) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    connection.create_function(
        "canonical", models.canonicalize_many, ["VARCHAR"], "VARCHAR", type="arrow"
    )
    queue = pyarrow.table({"url": URLS})  # noqa: F841
    rows = connection.sql("select canonical(url) as form, count(*) from queue group by form")
    assert sorted(rows.fetchall()) == sorted([(FORM, 2), (URLS[2], 1)])
