"""The tables that go from one step to the next, as Spark writes their types."""

PAGES = """
    site string, hash long, crawl int, seq long,
    url string, status int, location string, title string, simhash string, text_hash string,
    digest string,
    words long, length long, canonical string, time string, importance double,
    archive string, report string, error string
"""
"""A row a response: the fields of a manifest's line, the site of its URL, a hash of the URL, the
number of its crawl, and its place in the crawl. One row an archive, too, whose ``archive`` is set:
what was read of it, or why it could not be read."""

LABELS = "og_url string, no_vary_search string, alternates array<string>"
"""What pages say of themselves beyond `canonical`, where `ingest` was asked for it: more columns of
`PAGES`."""

MODELS = """
    site string, outcome string, pages long, clusters long, capped_from long, bad_rows long,
    error string, model binary
"""
"""A row a site: what became of it, and its model as a tar file of its folder."""

CLUSTERS = "site string, url string, cluster long, size long"
"""A row a page: the number of its cluster within its site, and how many URLs that cluster has."""

FIGURES = """
    site string, method string, train_pages long, test_pages long, test_clusters long,
    precision double, recall double, f1 double, fetched long, redundant long, lost long,
    capped_from long, bad_rows long, error string
"""
"""A row a site and method: what it would have saved and lost on the last pages of the site."""


def names(table: str) -> list[str]:
    """The columns of a table, in their order."""
    return [column.split()[0] for column in table.split(",")]
