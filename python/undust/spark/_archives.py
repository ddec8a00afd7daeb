"""Archives wherever they lie, as files of this machine."""

import contextlib
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

TIMEOUT = 60
"""Seconds without a byte after which a server is given up."""

_COPIED = 1 << 20


@contextlib.contextmanager
def local(path: str) -> Iterator[str]:
    """The path of an archive as a file here: itself, or a copy that is gone afterwards.

    ``http`` and ``https`` are fetched; ``s3``, ``gs``, ``hdfs`` and what else `pyarrow.fs` knows
    is read by it.
    """
    scheme, separator, rest = path.partition("://")
    if not separator:
        yield path
    elif scheme == "file":
        yield urllib.request.url2pathname(rest)
    else:
        with tempfile.NamedTemporaryFile(suffix=Path(rest).name[-80:]) as copy:
            with _opened(scheme, path) as source:
                shutil.copyfileobj(source, copy, _COPIED)
                _check_whole(source, copy.tell())
            copy.flush()
            yield copy.name


def _check_whole(source: Any, copied: int) -> None:
    """A server that ends early looks like the end of the file."""
    length = getattr(source, "headers", {}).get("Content-Length")
    if length is not None and copied != int(length):
        raise OSError(f"ended at byte {copied:,} of {int(length):,}")


def _opened(scheme: str, path: str) -> IO[bytes]:
    if scheme in ("http", "https"):
        opened: IO[bytes] = urllib.request.urlopen(path, timeout=TIMEOUT)
        return opened
    import pyarrow.fs

    system: Any
    system, name = pyarrow.fs.FileSystem.from_uri(path)
    stream: IO[bytes] = system.open_input_stream(name)
    return stream
