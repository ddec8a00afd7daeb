"""undust on Apache Spark, and on engines that speak its protocol, such as Sail: archives become
pages, pages become models, a queue gets its canonical forms.

    >>> pages = ingest(spark, ["s3://bucket/a.warc.gz", ...])
    >>> pages.write.parquet("s3://bucket/pages")
    >>> pages = spark.read.parquet("s3://bucket/pages")
    >>> save(train(pages), "models")
    >>> forms = translate(spark.read.parquet("s3://bucket/queue"), "models")

Each function takes and returns data frames and nothing else, so it runs on Spark Connect, too.
``undust`` must be installed where the executors run.
"""

from undust.spark._clusters import clusters
from undust.spark._evaluate import evaluate
from undust.spark._index import from_index
from undust.spark._ingest import archives, ingest
from undust.spark._schema import CLUSTERS, FIGURES, LABELS, MODELS, PAGES
from undust.spark._train import save, train
from undust.spark._translate import translate

__all__ = [
    "CLUSTERS",
    "FIGURES",
    "LABELS",
    "MODELS",
    "PAGES",
    "archives",
    "clusters",
    "evaluate",
    "from_index",
    "ingest",
    "save",
    "train",
    "translate",
]
