"""Rows become duplicate clusters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from undust.spark._schema import CLUSTERS, names
from undust.spark._settings import Settings, checked
from undust.spark._sites import Spread, followed, grouped_by_site, of_sites, skewed_sites, taken
from undust.spark._skewed import clusters_of_skewed_sites
from undust.spark._train import CAP
from undust.spark._worker import Batches, arrow_schema, conformed


def clusters(
    pages: Any,
    *,
    settings: Settings = None,
    site_by: str = "host",
    crawls: int = 1,
    cap: int = CAP,
    follow: bool = True,
    partitions: int | None = None,
) -> Any:
    """A row for every page (`CLUSTERS`): the number of its duplicate cluster within its site, as
    `undust cluster` finds them in a crawl of one site. The clusters of a site with more than `cap`
    rows are found by many tasks, those of a smaller one by one. The other arguments are those of
    `train`.
    """
    from pyspark.sql import functions as F

    settings = checked("keep-all", settings, pages)
    spread = Spread(site_by, cap, follow, partitions)
    rows = of_sites(pages)
    large = skewed_sites(rows, cap)
    count = large.agg(F.sum("capped_from")).first()[0]
    found = followed(rows, spread)
    arguments = (settings, site_by, crawls)
    if count is None:
        return grouped_by_site(found.all, _cluster, arguments, CLUSTERS, partitions)
    large = F.broadcast(large.select("site"))
    small = found.all.join(large, "site", "left_anti")
    of_small = grouped_by_site(small, _cluster, arguments, CLUSTERS, partitions)
    of_skewed = replace(found, all=found.all.join(large, "site", "left_semi"))
    return of_small.unionByName(clusters_of_skewed_sites(of_skewed, count, settings, site_by))


def _cluster(
    site: str, batches: Batches, settings: Mapping[str, Any] | None, site_by: str, crawls: int
) -> Batches:
    import pyarrow

    pages, _ = taken(site, batches, settings, site_by, crawls)
    rows = pyarrow.record_batch(pages.clusters())
    rows = rows.append_column("site", pyarrow.repeat(site, rows.num_rows))
    yield conformed(rows, names(CLUSTERS), arrow_schema(CLUSTERS))
