"""Rows become models, one a site."""

import io
import json
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undust import _undust
from undust.spark._schema import MODELS
from undust.spark._settings import checked
from undust.spark._sites import Spread, by_site, rows_of, taken
from undust.spark._worker import Batches

CAP = 1_000_000
"""Most rows of a site that one task takes."""


def train(
    pages: Any,
    *,
    method: str = "auto",
    settings: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    site_by: str = "host",
    crawls: int = 1,
    cap: int = CAP,
    follow: bool = True,
    partitions: int | None = None,
) -> Any:
    """A row for every site (`MODELS`): what became of it, and its model, the same to the byte as
    `undust train` makes from the same archives, whatever the number of partitions.

    Of a site with more than `cap` rows, about `cap` are drawn by the hash of their URLs; then
    ``capped_from`` says how many there were. `crawls` is the number of crawls that `pages` holds.
    With `follow`, redirects to other sites are followed, which takes a join for each step of the
    longest chain. `settings` are those of `undust.train`; a file is read here, by the driver.
    """
    arguments = (method, checked(method, settings, pages), site_by, crawls)
    spread = Spread(site_by, cap, follow, partitions)
    return by_site(pages, _learn, arguments, MODELS, spread)


def _learn(
    site: str,
    batches: Batches,
    method: str,
    settings: Mapping[str, Any] | None,
    site_by: str,
    crawls: int,
) -> Batches:
    pages, capped_from = taken(site, batches, settings, site_by, crawls)
    row: dict[str, Any] = {**pages.train(method), "site": site}
    row |= {"capped_from": capped_from, "bad_rows": pages.bad_rows}
    files = row.pop("files")
    row["model"] = _archive(files) if files else None
    yield rows_of(MODELS, [row])


def _archive(files: Mapping[str, bytes]) -> bytes:
    """A tar file of files. Nothing of the machine or the time is in it."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


def save(
    trained: Any, models: str | os.PathLike[str], *, append: bool = False
) -> dict[str, int]:
    """Writes the models of `train`; how many sites came out how. The driver holds one partition of
    them at a time.

    `models` is a folder, in which each model takes the place of the one before; or a pack, where
    the name ends in ``.undust``: one file, which is quicker to write where sites are many. A pack
    is replaced whole, unless `append` puts the models behind those that it has. Where no site has a
    model, nothing is written.
    """
    path = Path(models)
    store = _Pack(path, append) if path.suffix == ".undust" else _Folder(path)
    outcomes: dict[str, int] = {}
    # Kept, for Spark looks at all rows once before it sorts them.
    kept = trained.select("site", "outcome", "model").persist()
    for row in kept.orderBy("site").toLocalIterator():
        outcomes[row["outcome"]] = outcomes.get(row["outcome"], 0) + 1
        if row["model"] is not None:
            store.put(row["site"], _files(bytes(row["model"])))
    kept.unpersist()
    if outcomes.get("trained"):
        store.end()
    return outcomes


def _files(model: bytes) -> dict[str, bytes]:
    """The files of a model, by name."""
    with tarfile.open(fileobj=io.BytesIO(model)) as archive:
        opened = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read() for name, file in opened if file is not None}


class _Pack:
    def __init__(self, path: Path, append: bool) -> None:
        self.writer = _undust.PackWriter(path, append=append)

    def put(self, site: str, files: Mapping[str, bytes]) -> None:
        self.writer.add(site, json.loads(files["model.json"])["site_by"], files)

    def end(self) -> None:
        self.writer.finish()


class _Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, site: str, files: Mapping[str, bytes]) -> None:
        _undust.save_model(self.path, site, files)

    def end(self) -> None:
        pass
