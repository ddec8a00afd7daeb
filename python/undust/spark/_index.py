"""Common Crawl's index becomes rows, without a single archive."""

from typing import Any

from undust import _undust
from undust.spark._schema import PAGES, names
from undust.spark._worker import Batches, arrow_schema, conformed, mapped

_NEEDED = ("url", "fetch_status", "content_digest")
_KNOWN = (*_NEEDED, "fetch_time", "fetch_redirect", "content_mime_detected", "content_mime_type",
          "subset")

HTML = ("text/html", "application/xhtml+xml")


def from_index(index: Any, *, crawl: int = 0, site_by: str = "host") -> Any:
    """The rows of Common Crawl's columnar index (`spark.read.parquet` of ``cc-index/table``) as
    pages: learned from digests and redirects alone.

    The digest is of the raw bytes, so any byte that differs hides a duplicate: what is found is
    right, and much is not found. Robots.txt files and what is not HTML are left out.
    """
    from pyspark.sql import functions as F

    have = set(index.columns)
    missing = [name for name in _NEEDED if name not in have]
    if missing:
        raise _undust.CrawlError(
            f"this is not Common Crawl's index: it has no column {', '.join(missing)}; it has "
            f"{', '.join(index.columns)}"
        )
    if "subset" in have:
        index = index.where("subset in ('warc', 'crawldiagnostics')")
    mime = next((name for name in _KNOWN if name in have and name.startswith("content_mime")), None)
    if mime is not None:
        is_no_page = F.col("fetch_status") != 200
        index = index.where(is_no_page | F.col(mime).isin(*HTML) | F.col(mime).isNull())

    def text(name: str) -> Any:
        return F.col(name).cast("string") if name in have else F.lit(None).cast("string")

    columns = index.select(
        "url",
        F.col("fetch_status").cast("int").alias("status"),
        text("fetch_redirect").alias("location"),
        text("content_digest").alias("digest"),
        text("fetch_time").alias("time"),
        (
            F.coalesce(F.unix_micros(F.col("fetch_time").cast("timestamp")), F.lit(0))
            if "fetch_time" in have
            else F.lit(0)
        ).cast("long").alias("seq"),
        F.lit(crawl).cast("int").alias("crawl"),
    )
    return columns.mapInArrow(mapped(_with_keys, site_by), PAGES)


def _with_keys(batches: Batches, site_by: str) -> Batches:
    import pyarrow

    table, schema = names(PAGES), arrow_schema(PAGES)
    for batch in batches:
        keys = pyarrow.record_batch(_undust.site_keys(batch.column("url"), site_by))
        for name in keys.schema.names:
            batch = batch.append_column(name, keys.column(name))
        yield conformed(batch, table, schema)
