"""``python -m undust.spark``: the steps as commands, also for ``spark-submit``."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import undust
from undust import spark as steps
from undust._undust import Address

EPILOG = """
examples:
  python -m undust.spark ingest s3://bucket/a.warc.gz s3://bucket/b.warc.gz -o s3://bucket/pages
  python -m undust.spark train s3://bucket/pages --models models
  python -m undust.spark translate s3://bucket/queue --models s3://bucket/models.undust -o s3://bucket/forms

Tables are Parquet. train, clusters and evaluate also take archives. By spark-submit: spark-submit [...] `python -m undust.spark where`
"""


def main(given: Sequence[str] | None = None) -> int:
    """Runs a command; 0 if it is done, 1 if it is not."""
    args = _parser().parse_args(given)
    if args.command == "where":
        print(__file__)
        return 0
    try:
        with _Session(args) as spark:
            return int(args.run(spark, args))
    except undust.Error as error:
        print(f"undust.spark: {error}", file=sys.stderr)
    except Exception as error:
        # What the engine says: of a path that is not there, of Java, of its server.
        if type(error).__module__.partition(".")[0] not in ("pyspark", "py4j", "grpc"):
            raise
        print(f"undust.spark: {_told(error, args)}", file=sys.stderr)
    return 1


def _told(error: Exception, args: argparse.Namespace) -> str:
    """The first line of an error. Engines quote the addresses that they are given: where that would
    show a secret, what the error is.
    """
    said = next((line for line in str(error).splitlines() if line.strip()), "")
    given = [text for value in vars(args).values() for text in _texts(value)]
    is_quiet = all(Address(text).quiet(said) is not None for text in given)
    return said if said and is_quiet else type(error).__name__


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


class _Session:
    """The session that the arguments ask for."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.server: Any = None

    def __enter__(self) -> Any:
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise undust.Error(
                "pyspark is not installed: pip install pyspark, which needs Java; or "
                "pip install pysail pyspark-client and --sail, which does not"
            ) from None
        builder = SparkSession.builder.appName("undust")
        remote = self.args.remote
        if self.args.sail:
            remote = self._sail()
        if remote:
            builder = builder.remote(remote)
        self.session: Any = builder.getOrCreate()
        return self.session

    def _sail(self) -> str:
        try:
            from pysail.spark import SparkConnectServer
        except ImportError:
            raise undust.Error("pysail is not installed: pip install pysail") from None
        self.server = SparkConnectServer()
        self.server.start(background=True)
        _, port = self.server.listening_address
        return f"sc://localhost:{port}"

    def __exit__(self, *_: object) -> None:
        self.session.stop()
        if self.server is not None:
            self.server.stop()


def _ingest(spark: Any, args: argparse.Namespace) -> int:
    _read_archives(spark, args).write.mode("overwrite").parquet(args.output)
    return _report_archives(spark.read.parquet(args.output))


def _train(spark: Any, args: argparse.Namespace) -> int:
    trained = steps.train(
        _pages(spark, args),
        method=args.method,
        settings=args.config,
        site_by=args.site_by,
        cap=args.cap,
        partitions=args.partitions,
    )
    if args.output:
        trained.write.mode("overwrite").parquet(args.output)
        trained = spark.read.parquet(args.output)
    if args.models:
        outcomes = steps.save(trained, args.models, append=args.append)
        counts = sorted(outcomes.items(), key=lambda item: -item[1])
        print(", ".join(f"{count:,} {outcome}" for outcome, count in counts), file=sys.stderr)
        return 0 if outcomes.get("trained") else 1
    return 0


def _clusters(spark: Any, args: argparse.Namespace) -> int:
    found = steps.clusters(
        _pages(spark, args), settings=args.config, site_by=args.site_by, cap=args.cap,
        partitions=args.partitions,
    )  # fmt: skip
    found.write.mode("overwrite").parquet(args.output)
    return 0


def _evaluate(spark: Any, args: argparse.Namespace) -> int:
    figures = steps.evaluate(
        _pages(spark, args), methods=args.methods.split(","), settings=args.config,
        site_by=args.site_by, cap=args.cap, partitions=args.partitions,
    )  # fmt: skip
    if args.output:
        figures.write.mode("overwrite").parquet(args.output)
    else:
        figures.orderBy("site", "method").show(1000, truncate=False)
    return 0


def _translate(spark: Any, args: argparse.Namespace) -> int:
    queue = spark.read.parquet(*args.inputs)
    forms = steps.translate(queue, args.models, column=args.column, explain=args.explain)
    forms.write.mode("overwrite").parquet(args.output)
    return 0


def _pages(spark: Any, args: argparse.Namespace) -> Any:
    """The pages of a table, of Common Crawl's index, or of archives."""
    if args.index:
        return steps.from_index(spark.read.parquet(*args.inputs), site_by=args.site_by)
    if all(_is_archive(path) for path in args.inputs):
        pages = _read_archives(spark, args).persist()
        if _report_archives(pages):
            raise undust.CrawlError("no archive could be read")
        return pages
    return spark.read.parquet(*args.inputs)


def _is_archive(path: str) -> bool:
    packed = path.lower().removesuffix(".gz").removesuffix(".zst")
    return packed.endswith((".warc", ".arc", ".wet", ".jsonl", ".wacz", ".cdx", ".cdxj"))


def _read_archives(spark: Any, args: argparse.Namespace) -> Any:
    return steps.ingest(
        spark, args.inputs, site_by=args.site_by, lenient=args.lenient, labels=args.labels
    )


def _report_archives(pages: Any) -> int:
    """Names the archives that could not be read; 1 if none could be."""
    seen = [row.asDict() for row in steps.archives(pages).collect()]
    failed = [row for row in seen if row["error"]]
    for row in failed:
        print(f"undust.spark: {row['error']}", file=sys.stderr)
    print(f"{len(seen) - len(failed):,} of {len(seen):,} archives read", file=sys.stderr)
    return 1 if len(failed) == len(seen) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m undust.spark",
        description="Learn and apply canonical URLs on Apache Spark.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"undust {undust.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Any, described: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=described, description=described)
        added.set_defaults(run=run)
        if run is None:
            return added
        added.add_argument("inputs", nargs="+", metavar="PATH")
        where = added.add_mutually_exclusive_group()
        where.add_argument("--remote", metavar="URL", help="a Spark Connect server, sc://host:port")
        where.add_argument("--sail", action="store_true", help="a Sail server inside this process")
        if run is not _translate:
            added.add_argument("--site-by", choices=("host", "domain"), default="host")
            added.add_argument(
                "--lenient", action="store_true", help="skip and count bad lines of manifests"
            )
            added.add_argument(
                "--labels", action="store_true",
                help="keep og:url, No-Vary-Search and hreflang of archives, too",
            )
        return added

    def of_sites(added: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added.add_argument(
            "--index", action="store_true", help="PATH is Common Crawl's columnar index"
        )
        added.add_argument("--config", metavar="FILE", help="settings, as `undust train --config`")
        added.add_argument(
            "--cap", type=int, default=1_000_000, help="most rows of a site that one task takes: of more, train and evaluate draw about as many"
        )
        added.add_argument("--partitions", type=int, help="number of tasks that sites are spread to")
        return added

    added = command("ingest", _ingest, "make a table of pages from archives")
    added.add_argument("-o", "--output", required=True)
    added = of_sites(command("train", _train, "train a model for every site"))
    added.add_argument("--method", default="auto")
    added.add_argument("--models", help="folder or pack (.undust) on the driver's machine")
    added.add_argument("--append", action="store_true", help="keep the other models of the pack")
    added.add_argument("-o", "--output", help="write the table of models, too")
    added = of_sites(command("clusters", _clusters, "find the duplicate clusters of every site"))
    added.add_argument("-o", "--output", required=True)
    added = of_sites(command("evaluate", _evaluate, "tell what methods would save and lose"))
    added.add_argument("--methods", default="keep-all,auto")
    added.add_argument("-o", "--output")
    added = command("translate", _translate, "add canonical forms to a table of URLs")
    added.add_argument("--models", required=True, help="folder or pack that all executors see, or s3://…")
    added.add_argument("--column", default="url")
    added.add_argument("--explain", action="store_true", help="add how and cause, too")
    added.add_argument("-o", "--output", required=True)
    command("where", None, "print the path of this program, for spark-submit")
    return parser


if __name__ == "__main__":
    sys.exit(main())
