"""Archives wherever they lie, as files of this machine."""

import contextlib
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from undust._storage import filesystem, within

TIMEOUT = 60
"""Seconds after which a server is given up: without a byte, or, by `pyarrow.fs`, without a MiB."""

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


def _opened(scheme: str, path: str) -> Any:
    if scheme in ("http", "https"):
        return urllib.request.urlopen(path, timeout=TIMEOUT)
    return _Stream(path)


class _Stream:
    """An archive that `pyarrow.fs` reads. Each step has its time: what reads some storage has bounds
    of its own, and what reads other storage has none."""

    def __init__(self, path: str) -> None:
        self._stream = within(TIMEOUT, lambda: self._open(path))

    def _open(self, path: str) -> Any:
        system, name = filesystem(path, TIMEOUT)
        # Not unpacked on the way: its name says what it is.
        return system.open_input_stream(name, compression=None)

    def read(self, length: int) -> bytes:
        read: bytes = within(TIMEOUT, lambda: self._stream.read(length))
        return read

    def __enter__(self) -> "_Stream":
        return self

    def __exit__(self, kind: object, _error: object, _trace: object) -> None:
        # One that answers late may still be read, and closing it might wait for that.
        if kind is not TimeoutError:
            self._stream.close()
