"""The duplicate clusters of sites that are too large for one task."""

from collections.abc import Mapping
from typing import Any

from undust import _undust
from undust.spark._schema import names
from undust.spark._sites import Rows
from undust.spark._worker import Batches, arrow_schema, conformed, grouped, mapped

_ROWS = 200_000
"""Rows of URLs that one task takes, more or less."""

_NODES = """
    site string, url string, hash long, crawl int, seq long, own int, outcome int,
    title long, simhash long, short_text long, digest long, targets binary
"""
"""A row a URL of a site, what it shows, and where its redirect leads."""

_ENTRIES = """
    bucket int, site string, block int, blocking_key long, bits long, simhash long, hash long
"""
"""A row for each key under which a page may meet others that are the same."""

_LINKS = "site string, hash long, other long"
"""A row for two pages that are the same."""

_ENDS = "site string, hash long"

_NUMBERED = "site string, hash long, cluster long, size long"


def clusters_of_skewed_sites(
    rows: Rows, count: int, settings: Mapping[str, Any] | None, site_by: str
) -> Any:
    """What `clusters` gives, of sites of any size, which have `count` rows together: their pages
    meet under blocks of their fingerprints, and no task holds more of a site than some 50 bytes a
    URL."""
    from pyspark.sql import functions as F

    buckets = max(1, count // _ROWS)
    bucket = F.pmod(F.xxhash64("site", "url"), F.lit(buckets)).cast("int")
    nodes = rows.all.withColumn("bucket", bucket).groupBy("bucket")
    nodes = nodes.applyInArrow(grouped(_url_nodes, site_by), _NODES)
    pages = nodes.where("outcome = 1")
    if rows.has_targets:
        ends = nodes.groupBy("site").applyInArrow(grouped(_ends_elsewhere), _ENDS)
        own, others = pages.where("own = 1"), pages.where("own = 0")
        pages = own.unionByName(others.join(ends, ["site", "hash"], "left_semi"))
    met = pages.mapInArrow(mapped(_entries, settings, buckets), _ENTRIES)
    linked = met.groupBy("bucket").applyInArrow(grouped(_links, settings), _LINKS)

    of_site = nodes.withColumn("other", F.lit(None).cast("long"))
    of_site = of_site.drop("title", "simhash", "short_text", "digest")
    of_site = of_site.unionByName(linked, allowMissingColumns=True).repartition("site")
    # Links come after all URLs, which come in the order of the crawl.
    is_link = F.col("other").isNotNull()
    of_site = of_site.sortWithinPartitions("site", is_link, "crawl", "seq", "url")
    numbered = of_site.groupBy("site").applyInArrow(grouped(_number), _NUMBERED)
    return nodes.select("site", "hash", "url").join(numbered, ["site", "hash"]).drop("hash")


def _url_nodes(_: int, batches: Batches, site_by: str) -> Batches:
    yield from _whole(_undust.url_nodes(list(batches), site_by), _NODES)


def _entries(
    batches: Batches, settings: Mapping[str, Any] | None, buckets: int
) -> Batches:
    for batch in batches:
        yield from _whole(_undust.bucket_entries(batch, settings, buckets), _ENTRIES)


def _links(_: int, batches: Batches, settings: Mapping[str, Any] | None) -> Batches:
    yield from _whole(_undust.page_links(list(batches), settings), _LINKS)


def _ends_elsewhere(site: str, batches: Batches) -> Batches:
    yield from _of_site(site, _pushed(batches).ends_elsewhere(), _ENDS)


def _number(site: str, batches: Batches) -> Batches:
    yield from _of_site(site, _pushed(batches).finish(), _NUMBERED)


def _pushed(batches: Batches) -> _undust.SiteClusters:
    found = _undust.SiteClusters()
    for batch in batches:
        found.push(batch)
    return found


def _of_site(site: str, found: Any, table: str) -> Batches:
    import pyarrow

    rows = pyarrow.record_batch(found)
    yield from _whole(rows.append_column("site", pyarrow.repeat(site, rows.num_rows)), table)


def _whole(rows: Any, table: str) -> Batches:
    yield conformed(rows, names(table), arrow_schema(table))
