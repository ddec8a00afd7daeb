"""A real web application on loopback: the django-machina board of `data/make`, small."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

MAKE = Path(__file__).parents[2] / "data" / "make"
SITE = str(MAKE / "forum_site.py")


@contextlib.contextmanager
def board(folder: Path, share: float) -> Iterator[str]:
    """Fills a board with this share of its topics, serves it, and gives its address."""
    environment = {**os.environ, "SHARE": str(share), "PYTHONPATH": str(MAKE)}
    home = str(folder / "board")
    subprocess.run([sys.executable, SITE, "fill", home], check=True, env=environment)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, SITE, "serve", home, str(port)], env=environment)
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait_for(address, server)
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(120):
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=30):
            return
        if server.poll() is not None:
            break
        time.sleep(0.5)
    raise RuntimeError(f"the board does not answer at {address}")
