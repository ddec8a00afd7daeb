"""Packs of models in storage elsewhere, read in ranges."""

import base64
import http.client
import os
import queue
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any, TypeVar

from undust._undust import Address, Error

T = TypeVar("T")

_FIRST = 4096
"""Bytes that opening an object of a web server reads, which a pack's header is among."""
_DENIED = re.compile("ACCESS_DENIED|FORBIDDEN|UNAUTHORIZED|code: 40[13]")
"""What clouds' libraries say of one that may not be read, in `OSError`."""
_OUTSIDE = re.compile("HTTP status 416|INVALID_RANGE|InvalidRange")
"""What they say of a range that lies outside of the object, which is shorter than it was."""
_S3 = {"region", "scheme", "endpoint_override"}
"""Parameters of an address of S3 that are known here."""
_WHERE = {"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"}
"""What the environment says of where S3 is."""
_PAUSE = 0.2
"""Seconds before a web server that failed is asked once more."""


class ReplacedError(OSError):
    """Another object may have taken the place of the one that is read."""


class _UnsteadyError(OSError):
    """What may work when it is tried once more."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """What `work` gives, if it does so in time. Else it is left to itself: not every library that
    reads storage can be told how long to wait.
    """
    done: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:
            done.put((None, error))

    threading.Thread(target=run, name="undust reads storage", daemon=True).start()
    try:
        given, error = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"it did not answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return given  # type: ignore[return-value]


class Storage:
    """An object in storage by its address. `open` gives it as it is now."""

    def __init__(self, address: Address, timeout: float) -> None:
        self._address = address
        self._timeout = timeout
        self._open: Callable[[], Any]
        if scheme_of(address) in ("http", "https"):
            self._open = lambda: _WebObject(address, timeout)
        else:
            self._open = _file_opener(address, timeout)

    def open(self) -> "Opened":
        return Opened(self, within(self._timeout, lambda: self._told(self._open)))

    def read(self, object_: Any, length: int, at: int) -> bytes:
        read: bytes = within(self._timeout, lambda: self._told(lambda: object_.read_at(length, at)))
        return read

    def _told(self, work: Callable[[], T]) -> T:
        """What libraries say of what they cannot read, in our words where they are known."""
        try:
            return work()
        except (ReplacedError, Error):
            raise
        except TimeoutError:
            raise TimeoutError(f"it did not answer within {self._timeout:g} s") from None
        except FileNotFoundError:
            raise FileNotFoundError("there is no such object") from None
        except Exception as error:
            raw, said = str(error), told(error, self._address)
            if isinstance(error, PermissionError):
                raise PermissionError(said) from None
            if _DENIED.search(raw):
                raise PermissionError(f"access is denied ({said})") from None
            if _OUTSIDE.search(raw):
                raise ReplacedError(f"another object took its place ({said})") from None
            if "Timeout was reached" in raw:
                raise TimeoutError(f"it answers late ({said})") from None
            raise OSError(said) from None


class Opened:
    """An object as it was opened: what the library asks for."""

    def __init__(self, storage: Storage, found: Any) -> None:
        self._storage, self._found = storage, found
        self.length: int = found.length
        self.version: str = found.version

    def read_at(self, length: int, at: int) -> bytes:
        """Bytes from a position on; fewer where the object ends before."""
        length = max(0, min(length, self.length - at))
        return self._storage.read(self._found, length, at) if length else b""


def told(error: BaseException, address: Address) -> str:
    """What an error says in its first line. Where that quotes a secret of the address, what it is."""
    said = next(iter(str(error).splitlines()), "")
    return address.quiet(said) or type(error).__name__


def scheme_of(address: Address) -> str:
    return address.reveal().partition("://")[0]


def _login_of(scheme: str, before: str) -> tuple[str, str]:
    """The login in an address before its parameters, if there is one, and what is behind it. A secret of
    S3 may have a `/` that is not escaped; elsewhere an `@` behind a `/` is one of the path.
    """
    host, slash, path = before.partition("/")
    if "@" in host:
        login, _, host = host.rpartition("@")
        return login, host + slash + path
    # Behind the brackets of an address of version 6.
    _, colon, port = host.rpartition("]")[2].partition(":")
    is_secret = colon and (scheme == "s3" or not port.isdecimal())
    if is_secret and "@" in path:
        login, _, place = before.partition("@")
        return login, place
    return "", before


def parts_of(address: Address) -> tuple[urllib.parse.SplitResult, str | None, str | None]:
    """The parts of an address without its login, and who asks and by which secret."""
    scheme, _, rest = address.reveal().partition("://")
    end = min((at for at in map(rest.find, "?#") if at >= 0), default=len(rest))
    login, place = _login_of(scheme, rest[:end])
    try:
        parts = urllib.parse.urlsplit(f"{scheme}://{place}{rest[end:]}")
    except ValueError:
        raise OSError("it is no address") from None
    if not login:
        return parts, None, None
    user, colon, secret = login.partition(":")
    return parts, urllib.parse.unquote(user), urllib.parse.unquote(secret) if colon else None


def web_request(address: Address) -> urllib.request.Request:
    """A request whose URL has no login: that is a header, which no other server gets."""
    parts, user, secret = parts_of(address)
    request = urllib.request.Request(parts.geturl())
    if user is not None:
        login = base64.b64encode(f"{user}:{secret or ''}".encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {login}")
    return request


def local_path(address: str) -> str:
    """The path that a ``file://`` address means."""
    return urllib.request.url2pathname(address.partition("://")[2])


def filesystem(address: Address, timeout: float) -> tuple[Any, str]:
    """The filesystem of an address as `pyarrow.fs` has it, and the path in it.

    That of S3 gives up in about `timeout` seconds. As `FileSystem.from_uri` makes it, it tries again
    for more than a minute, and no other can be made as long.
    """
    import pyarrow.fs

    parts, user, secret = parts_of(address)
    options = dict(urllib.parse.parse_qsl(parts.query))
    if parts.scheme != "s3" or not options.keys() <= _S3 or (user is None) is not (secret is None):
        found: tuple[Any, str] = pyarrow.fs.FileSystem.from_uri(address.reveal())
        return found
    bucket = parts.netloc
    if not options.keys() & {"region", "endpoint_override"} and not os.environ.keys() & _WHERE:
        options["region"] = pyarrow.fs.resolve_s3_region(bucket)
    if user is not None and secret is not None:
        options["access_key"] = user
        options["secret_key"] = secret
    attempts = 3
    system = pyarrow.fs.S3FileSystem(
        **options,
        connect_timeout=max(1, timeout / attempts),
        request_timeout=max(1, timeout / attempts),
        retry_strategy=pyarrow.fs.AwsStandardS3RetryStrategy(max_attempts=attempts),
    )
    return system, bucket + urllib.parse.unquote(parts.path)


def _file_opener(address: Address, timeout: float) -> Callable[[], "_FileObject"]:
    """How an object of what `pyarrow.fs` knows is opened: ``s3``, ``gs``, ``hdfs``, ``abfs``."""
    try:
        import pyarrow
    except ImportError:
        scheme = scheme_of(address)
        raise Error(f"{address}: {scheme}:// is read by pyarrow: pip install pyarrow") from None
    made: list[tuple[Any, str]] = []

    def open_object() -> _FileObject:
        # Where it fails, the next look tries again.
        if not made:
            try:
                made.append(filesystem(address, timeout))
            except pyarrow.ArrowInvalid as error:
                # It may quote all of the address.
                raise OSError(told(error, address)) from None
        return _FileObject(*made[0])

    return open_object


class _FileObject:
    """An object that `pyarrow.fs` reads."""

    def __init__(self, system: Any, path: str) -> None:
        self._file = system.open_input_file(path)
        self.length = int(self._file.size())
        try:
            about = self._file.metadata() or {}
        except NotImplementedError:
            about = {}
        etag = about.get("ETag", b"")
        self.version = etag.decode("latin-1") or str(system.get_file_info(path).mtime_ns)

    def read_at(self, length: int, at: int) -> bytes:
        read: bytes = self._file.read_at(length, at)
        if len(read) != length:
            raise ReplacedError(f"the answer ended at byte {len(read):,} of {length:,}")
        return read


class _WebObject:
    """An object of a web server that answers with ranges."""

    def __init__(self, address: Address, timeout: float) -> None:
        self._timeout = timeout
        self._address = address
        try:
            self.version, self.length, self._first = self._range(0, _FIRST)
        except ReplacedError:
            raise OSError("it is empty") from None

    def read_at(self, length: int, at: int) -> bytes:
        if at + length <= len(self._first):
            return self._first[at : at + length]
        version, whole, read = self._range(at, length)
        if (version, whole) != (self.version, self.length):
            raise ReplacedError("another object took its place")
        if len(read) != length:
            raise OSError(f"the answer ended at byte {len(read):,} of {length:,}")
        return read

    def _range(self, at: int, length: int) -> tuple[str, int, bytes]:
        """Version and length of the object, and a range of it."""
        try:
            return self._asked(at, length)
        except _UnsteadyError:
            time.sleep(_PAUSE)
            return self._asked(at, length)

    def _asked(self, at: int, length: int) -> tuple[str, int, bytes]:
        try:
            return self._ask(at, length)
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except urllib.error.URLError as error:
            reason = error.reason
            if isinstance(reason, TimeoutError):
                raise reason from None
            raise _UnsteadyError(str(reason)) from None
        except http.client.IncompleteRead as error:
            ended = f"the answer ended at byte {len(error.partial):,} of {length:,}"
            raise _UnsteadyError(ended) from None
        except (http.client.HTTPException, ConnectionError) as error:
            raise _UnsteadyError(f"the connection broke ({error or type(error).__name__})") from None

    def _ask(self, at: int, length: int) -> tuple[str, int, bytes]:
        last = at + length - 1
        request = web_request(self._address)
        request.add_header("Range", f"bytes={at}-{last}")
        request.add_header("Accept-Encoding", "identity")
        # For each step of it; `within` bounds the whole.
        with urllib.request.urlopen(request, timeout=self._timeout) as answer:
            if answer.status == 200:
                raise OSError("the server ignores Range, and would send the whole object each time")
            part = re.fullmatch(
                r"bytes (\d+)-(\d+)/(\d+)", answer.headers.get("Content-Range", "").strip()
            )
            if answer.status != 206 or part is None:
                raise OSError(f"HTTP {answer.status} without the range that was asked for")
            begin, end, whole = map(int, part.groups())
            if begin != at or end != min(last, whole - 1):
                raise OSError(f"the server sends other bytes than {at:,} to {last:,}")
            read = answer.read(end - begin + 1)
            if len(read) != end - begin + 1:
                raise http.client.IncompleteRead(read)
            version = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
            return version, whole, read


def _refusal(error: urllib.error.HTTPError) -> OSError:
    with error:
        said = f"HTTP {error.code} {error.reason}".strip()
        if error.code in (404, 410):
            return FileNotFoundError("there is no such object")
        if error.code in (401, 403):
            return PermissionError(f"access is denied ({said})")
        if error.code == 416:
            return ReplacedError("another object took its place")
        if error.code >= 500 or error.code == 429:
            return _UnsteadyError(said)
        return OSError(said)
