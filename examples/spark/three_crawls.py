"""Three crawls of the clone on Sail, from archives to the URLs worth fetching.

    pip install ./python pysail 'pyspark-client==4.1.*' pyarrow
    python examples/spark/three_crawls.py

With Spark in place of Sail: SparkSession.builder.getOrCreate(), and nothing else changes.
"""

from pathlib import Path
from tempfile import mkdtemp

from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from undust import spark as steps

DATA = Path(__file__).resolve().parents[2] / "data"
OUT = Path(mkdtemp())

server = SparkConnectServer()
server.start(background=True)
_, port = server.listening_address
spark = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()

# 1. Archives become rows, one a response. They are written, for more than one thing is made of them.
archives = [str(DATA / f"{name}.jsonl.gz") for name in ("blog", "forum", "shop")]
steps.ingest(spark, archives).write.parquet(str(OUT / "pages"))
pages = spark.read.parquet(str(OUT / "pages"))
steps.archives(pages).show(truncate=False)

# 2. What would it save?
steps.evaluate(pages, methods=["keep-all", "auto"]).select(
    "site", "method", "fetched", "redundant", "lost", F.round("f1", 3).alias("f1")
).orderBy("site", "method").show()

# 3. A model for every site, in one file.
print(steps.save(steps.train(pages), OUT / "models.undust"))

# 4. A queue gets its forms; the first URL of each form is worth a fetch.
queue = pages.where("url is not null").select("url").distinct()
forms = steps.translate(queue, OUT / "models.undust")
print(f"{queue.count():,} URLs, {forms.select('form').distinct().count():,} worth a fetch")

spark.stop()
server.stop()
