"""The rows of each site come together, in crawl order."""

from collections.abc import Callable
from typing import Any

from undust import _undust
from undust.spark._worker import Batches, arrow_schema, grouped, mapped

MAX_HOPS = 10
"""Most redirects that are followed, as `undust train` follows them."""

_PARTS = 1 << 20


def by_site(
    pages: Any,
    work: Callable[..., Batches],
    arguments: tuple[Any, ...],
    table: str,
    *,
    site_by: str,
    cap: int,
    follow: bool,
    partitions: int | None,
) -> Any:
    """What `work` makes of each site. It is called with the name, the batches, and `arguments`."""
    rows = capped(pages.where("site is not null"), cap)
    if follow:
        rows = with_targets(rows, site_by)
    spread = (partitions, "site") if partitions else ("site",)
    ordered = rows.repartition(*spread).sortWithinPartitions("site", "crawl", "seq", "url")
    return ordered.groupBy("site").applyInArrow(grouped(work, *arguments), table)


def capped(rows: Any, cap: int) -> Any:
    """The rows, of sites with more than `cap` those of about as many URLs, drawn by the hash of the
    URL. Their column `capped_from` says how many rows there were."""
    from pyspark.sql import functions as F

    counts = rows.groupBy("site").agg(F.count("*").alias("capped_from"))
    giants = F.broadcast(counts.where(F.col("capped_from") > cap))
    drawn = F.pmod(F.col("hash"), F.lit(_PARTS)) < F.lit(cap * _PARTS) / F.col("capped_from")
    return rows.join(giants, "site", "left").where(F.col("capped_from").isNull() | drawn)


def with_targets(rows: Any, site_by: str) -> Any:
    """The rows, and those of other sites to which redirects lead: a page shows what its redirects
    end at, wherever that is. Such a row has the site that it was fetched for."""
    own = rows.select("site", *_CARRIED)
    known, frontier = rows, rows
    for _ in range(MAX_HOPS):
        away = (
            frontier.where("status between 300 and 399 and location is not null")
            .select("site", "location")
            .mapInArrow(mapped(_targets, site_by), "site string, url string")
            .distinct()
        )
        if away.isEmpty():
            break
        targets = own.drop("site").dropDuplicates(["crawl", "seq", "url"])
        frontier = away.join(targets, "url").select("site", *_CARRIED)
        known = known.unionByName(frontier, allowMissingColumns=True)
    return known


_CARRIED = (
    "crawl", "seq", "url", "status", "location", "title", "simhash", "digest", "words", "length",
    "canonical", "time", "importance",
)  # fmt: skip


def _targets(batches: Batches, site_by: str) -> Batches:
    import pyarrow

    for batch in batches:
        yield pyarrow.record_batch(_undust.redirects_away(batch, site_by))


def taken(site: str, batches: Batches, site_by: str, crawls: int) -> tuple[Any, int | None]:
    """The pages of a site, and from how many rows they were drawn where it was capped."""
    pages = _undust.SitePages(site, site_by=site_by, crawls=crawls)
    capped_from = None
    for batch in batches:
        pages.push(batch)
        if batch.num_rows and "capped_from" in batch.schema.names:
            capped_from = batch.column("capped_from")[0].as_py() or capped_from
    return pages, capped_from


def rows_of(table: str, rows: list[dict[str, Any]]) -> Any:
    """A record batch of these rows."""
    import pyarrow

    return pyarrow.RecordBatch.from_pylist(rows, arrow_schema(table))
