"""The rows of each site come together, in crawl order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from undust import _undust
from undust.spark._worker import Batches, arrow_schema, grouped, mapped

MAX_HOPS = 10
"""Most redirects that are followed, as `undust train` follows them."""

_PARTS = 1 << 20


@dataclass(frozen=True)
class Spread:
    """How sites are spread to tasks."""

    site_by: str
    cap: int
    follow: bool
    partitions: int | None


def by_site(
    pages: Any, work: Callable[..., Batches], arguments: tuple[Any, ...], table: str, spread: Spread
) -> Any:
    """What `work` makes of each site, of a skewed site what it makes of the rows drawn. It is
    called with the name, the batches, and `arguments`."""
    rows = followed(capped(of_sites(pages), spread.cap), spread).all
    return grouped_by_site(rows, work, arguments, table, spread.partitions)


def grouped_by_site(
    rows: Any,
    work: Callable[..., Batches],
    arguments: tuple[Any, ...],
    table: str,
    partitions: int | None,
) -> Any:
    """The same of all rows that there are."""
    keys = (partitions, "site") if partitions else ("site",)
    ordered = rows.repartition(*keys).sortWithinPartitions("site", "crawl", "seq", "url")
    return ordered.groupBy("site").applyInArrow(grouped(work, *arguments), table)


def of_sites(pages: Any) -> Any:
    """The rows that belong to a site."""
    return pages.where("site is not null")


def skewed_sites(rows: Any, cap: int) -> Any:
    """The sites with more than `cap` rows, and in ``capped_from`` how many they have."""
    from pyspark.sql import functions as F

    counts = rows.groupBy("site").agg(F.count("*").alias("capped_from"))
    return counts.where(F.col("capped_from") > cap)


def capped(rows: Any, cap: int) -> Any:
    """The rows, of skewed sites those of about `cap` URLs, drawn by the hash of the URL. Their column
    `capped_from` says how many rows there were."""
    from pyspark.sql import functions as F

    large = skewed_sites(rows, cap)
    # Most jobs have none, and are spared the join.
    if large.isEmpty():
        return rows.withColumn("capped_from", F.lit(None).cast("long"))
    drawn = F.pmod(F.col("hash"), F.lit(_PARTS)) < F.lit(cap * _PARTS) / F.col("capped_from")
    joined = rows.join(F.broadcast(large), "site", "left")
    return joined.where(F.col("capped_from").isNull() | drawn)


@dataclass(frozen=True)
class Rows:
    """The rows of sites."""

    all: Any
    has_targets: bool
    """Whether rows of other sites, to which redirects lead, are among them."""


def followed(rows: Any, spread: Spread) -> Rows:
    """The rows, and if it is asked for those of other sites to which redirects lead: a page shows
    what its redirects end at, wherever that is. Such a row has the site that it was fetched for."""
    carried = [name for name in _CARRIED if name in rows.columns]
    own = rows.select(*carried)
    known, frontier, has_targets = rows, rows, False
    for _ in range(MAX_HOPS if spread.follow else 0):
        away = (
            frontier.where("status between 300 and 399 and location is not null")
            .select("site", "location")
            .mapInArrow(mapped(_targets, spread.site_by), "site string, url string")
            .distinct()
        )
        if away.isEmpty():
            break
        has_targets = True
        frontier = away.join(own, "url").select("site", *carried)
        # A circle of redirects would come again and again.
        frontier = frontier.join(known.select("site", "url", "seq"), ["site", "url", "seq"], "left_anti")
        known = known.unionByName(frontier, allowMissingColumns=True)
    return Rows(known, has_targets)


_CARRIED = (
    "crawl", "seq", "url", "status", "location", "title", "simhash", "text_hash", "digest", "words",
    "length", "canonical", "time", "importance", "og_url", "no_vary_search",
    "alternates",
)  # fmt: skip


def _targets(batches: Batches, site_by: str) -> Batches:
    import pyarrow

    for batch in batches:
        yield pyarrow.record_batch(_undust.redirects_away(batch, site_by))


def taken(
    site: str, batches: Batches, settings: Mapping[str, Any] | None, site_by: str, crawls: int
) -> tuple[Any, int | None]:
    """The pages of a site, and from how many rows they were drawn where it was capped."""
    import pyarrow.compute

    pages = _undust.SitePages(site, settings, site_by=site_by, crawls=crawls)
    capped_from = None
    for batch in batches:
        pages.push(batch)
        if batch.num_rows and "capped_from" in batch.schema.names:
            # Rows of other sites, to which redirects lead, have none.
            capped_from = pyarrow.compute.max(batch.column("capped_from")).as_py() or capped_from
    return pages, capped_from


def rows_of(table: str, rows: list[dict[str, Any]]) -> Any:
    """A record batch of these rows."""
    import pyarrow

    return pyarrow.RecordBatch.from_pylist(rows, arrow_schema(table))
