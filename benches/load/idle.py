"""Clients that are slow, and clients that say nothing: `python3 idle.py PORT SLOW SILENT`.

A slow one sends a byte a second, half of them of a request's headers, half of a body of lines. One
that is hung up on comes back.
"""

import select
import socket
import sys
import time

port, slow, silent = map(int, sys.argv[1:])
HEADERS = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: "
BODY = b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9999\r\n\r\n"


def connect(begin: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port))
    client.setblocking(False)
    client.send(begin)
    return client


starts = [HEADERS, BODY] * (slow // 2) + [b""] * silent
clients = [connect(start) for start in starts]
print("connected", flush=True)
closed = 0
while True:
    time.sleep(1)
    ready = set(select.select(clients, [], [], 0)[0])
    for at, client in enumerate(clients):
        try:
            is_closed = client in ready and not client.recv(4096)
            if starts[at] and not is_closed:
                client.send(b"x")
        except OSError:
            is_closed = True
        if is_closed:
            client.close()
            clients[at] = connect(starts[at])
            closed += 1
    print(f"hung up on {closed} times", flush=True)
