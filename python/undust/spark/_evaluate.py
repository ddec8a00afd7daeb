"""Rows become figures: what methods would have saved and lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from undust import _undust
from undust.spark._schema import FIGURES
from undust.spark._settings import Settings, checked
from undust.spark._sites import Spread, by_site, rows_of, taken
from undust.spark._train import CAP
from undust.spark._worker import Batches


def evaluate(
    pages: Any,
    *,
    methods: Sequence[str] = ("keep-all", "auto"),
    settings: Settings = None,
    split: float = 0.75,
    site_by: str = "host",
    cap: int = CAP,
    follow: bool = True,
    partitions: int | None = None,
) -> Any:
    """A row for every site and method (`FIGURES`): learned from the share `split` of its pages, the
    first ones, and replayed over the rest, as `undust evaluate --site-by host` does. The other
    arguments are those of `train`."""
    if isinstance(methods, str):
        raise TypeError("methods is one str: pass a list of them")
    for method in methods:
        settings = checked(method, settings, pages)
    arguments = (list(methods), settings, split, site_by)
    spread = Spread(site_by, cap, follow, partitions)
    return by_site(pages, _evaluate, arguments, FIGURES, spread)


def _evaluate(
    site: str,
    batches: Batches,
    methods: list[str],
    settings: Mapping[str, Any] | None,
    split: float,
    site_by: str,
) -> Batches:
    pages, capped_from = taken(site, batches, settings, site_by, 1)
    try:
        result = pages.evaluate(methods, split)
    except _undust.Error as error:
        yield rows_of(FIGURES, [{"site": site, "error": str(error)}])
        return
    if result is not None:
        told = {"capped_from": capped_from, "bad_rows": pages.bad_rows}
        yield rows_of(FIGURES, [_row(result, method) | told for method in result["methods"]])


def _row(result: Mapping[str, Any], method: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: result[name] for name in ("site", "train_pages", "test_pages", "test_clusters")}
    row |= {"method": method["name"], "fetched": method.get("crawled")}
    figures = ("precision", "recall", "f1", "redundant", "lost", "error")
    return row | {name: method.get(name) for name in figures}
