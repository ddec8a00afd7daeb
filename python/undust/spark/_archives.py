"""Archives wherever they lie, as files of this machine."""

import contextlib
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from undust._storage import filesystem, scheme_of, web_request, within
from undust._undust import Address

TIMEOUT = 60
"""Seconds after which a server is given up: without a byte, or, by `pyarrow.fs`, without a MiB."""

_COPIED = 1 << 20


@contextlib.contextmanager
def local(address: Address) -> Iterator[str]:
    """The path of an archive as a file here: itself, or a copy that is gone afterwards.

    ``http`` and ``https`` are fetched; ``s3``, ``gs``, ``hdfs`` and what else `pyarrow.fs` knows
    is read by it.
    """
    path = address.reveal()
    _, separator, rest = path.partition("://")
    if not separator:
        yield path
    elif scheme_of(address) == "file":
        yield urllib.request.url2pathname(rest)
    else:
        # The end of the name says how it is packed. What is shown of the address has no secret.
        with tempfile.NamedTemporaryFile(suffix=Path(str(address)).name[-80:]) as copy:
            with _opened(address) as source:
                shutil.copyfileobj(source, copy, _COPIED)
                _check_whole(source, copy.tell())
            copy.flush()
            yield copy.name


def _check_whole(source: Any, copied: int) -> None:
    """A server that ends early looks like the end of the file."""
    length = getattr(source, "headers", {}).get("Content-Length")
    if length is not None and copied != int(length):
        raise OSError(f"ended at byte {copied:,} of {int(length):,}")


def _opened(address: Address) -> Any:
    if scheme_of(address) in ("http", "https"):
        return urllib.request.urlopen(web_request(address), timeout=TIMEOUT)
    return _Stream(address)


class _Stream:
    """An archive that `pyarrow.fs` reads. Each step has its time: what reads some storage has bounds
    of its own, and what reads other storage has none."""

    def __init__(self, address: Address) -> None:
        self._stream = within(TIMEOUT, lambda: self._open(address))

    def _open(self, address: Address) -> Any:
        system, name = filesystem(address, TIMEOUT)
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
