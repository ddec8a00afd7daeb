"""Rows become duplicate clusters."""

from collections.abc import Mapping
from typing import Any

from undust.spark._schema import CLUSTERS, names
from undust.spark._settings import Settings, checked
from undust.spark._sites import Spread, by_site, taken
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
    `undust cluster` finds them in a crawl of one site. Of a site with more than `cap` rows only those
    that are drawn have a cluster. The other arguments are those of `train`.
    """
    arguments = (checked("keep-all", settings), site_by, crawls)
    spread = Spread(site_by, cap, follow, partitions)
    return by_site(pages, _cluster, arguments, CLUSTERS, spread)


def _cluster(
    site: str, batches: Batches, settings: Mapping[str, Any] | None, site_by: str, crawls: int
) -> Batches:
    import pyarrow

    table, schema = names(CLUSTERS), arrow_schema(CLUSTERS)
    pages, capped_from = taken(site, batches, settings, site_by, crawls)
    rows = pyarrow.record_batch(pages.clusters())
    rows = rows.append_column("site", pyarrow.repeat(site, rows.num_rows))
    number = pyarrow.scalar(capped_from, pyarrow.int64())
    rows = rows.append_column("capped_from", pyarrow.repeat(number, rows.num_rows))
    yield conformed(rows, table, schema)
