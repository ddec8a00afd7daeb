#!/usr/bin/env python3
"""Makes the seeds: small real inputs, from the crawls of data/ and the model folders of tests/.

    PATH=target/release:$PATH python3 fuzz/seeds.py
"""

import base64
import gzip
import json
import subprocess
import tempfile
import zlib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
MODELS = ROOT / "tests" / "formats" / "4"
CRAWLS = ["blog", "cgit", "cs", "dokuwiki", "forum", "shop", "tracker-1", "wiki"]


def seed(target, name, content):
    place = CORPUS / target
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_bytes(content)


def lines(crawl, count, step=97):
    """Every so-manieth line of a crawl of data/."""
    with gzip.open(ROOT / "data" / f"{crawl}.jsonl.gz", "rt", encoding="utf-8") as file:
        every = [line for number, line in enumerate(file) if number % step == 0]
    return every[:count]


def record(kind, uri, block, more=""):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\n{more}"
    return f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(body, head="Content-Type: text/html"):
    return f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body


def main():
    html = (
        b"<!doctype html><html><head><title>A &amp; B</title><base href=/x/><link rel=canonical"
        b" href='?a=1&amp;b=2'></head><body><p>Some <b>words</b> of a page.<!-- not this -->"
        b"<script>nor(this)</script><svg><title>drawn</title></svg>"
    )
    odd = (
        b"<!DOCTYPE html><?xml?><meta charset=utf-8><title></title><textarea><b></textarea>"
        b"<template><p>no</template>&eacute;&#233;&bogus;<a b='c\"d' e=f>x</a ><plaintext></p>"
    )
    deflate = zlib.compressobj(wbits=-15)
    raw = deflate.compress(html) + deflate.flush()
    chunked = b"5;x=y\r\n<html\r\n6\r\n>words\r\n0\r\n\r\n"
    redirect = b"HTTP/1.1 301 Moved\r\nLocation: /b?c#d\r\n\r\n"
    blocks = {
        "plain": response(html),
        "gzip": response(gzip.compress(html, mtime=0), "Content-Type: text/html\r\nContent-Encoding: gzip"),
        "zlib": response(zlib.compress(html), "Content-Encoding: deflate\r\nContent-Type: text/html"),
        "deflate": response(raw, "Content-Encoding: deflate\r\nContent-Type: text/html"),
        "brotli": response(b"\x0b\x05\x80hello world\x03", "Content-Encoding: br\r\nContent-Type: text/html"),
        "chunked": response(chunked, "Transfer-Encoding: chunked\r\nContent-Type: text/html"),
        "redirect": redirect,
        "continued": b"HTTP/2 200\nContent-Type: text/html;\n charset=\"latin1\"\nno field\n\n\xe9t\xe9",
    }
    for name, block in blocks.items():
        seed("http", name, block)
    for number, page in enumerate([html, odd, "Ünïcode <title>日本</title>".encode()]):
        for charset in range(3):
            seed("page", f"{number}-{charset}", bytes([charset]) + page)
    seed("page", "utf-16", b"\x04" + "<title>wide</title> text".encode("utf-16-le"))
    seed("page", "iso-2022-jp", b"\x03<title>" + "日本".encode("iso2022_jp") + b"</title>")

    records = [
        record("warcinfo", "urn:x", b"software: x\r\n"),
        record("response", "http://h.test/a", response(html), "WARC-Date: 2026-01-02T03:04:05Z\r\n"),
        record("revisit", "http://h.test/b", redirect, "WARC-Payload-Digest: sha1:ABC\r\n"),
        record("resource", "<http://h.test/c#d>", html, "Content-Type: text/html\r\n"),
        record("response", "http://h.test/e", response(b"&")),
    ]
    whole = b"".join(records)
    long = record("response", "http://h.test/f", response(b"x")).replace(b"Length: 46", b"Length: 999")
    seed("warc", "plain", whole)
    seed("warc", "gzip", b"".join(gzip.compress(record, mtime=0) for record in records[1:4]))
    seed("warc", "one-member", gzip.compress(whole, mtime=0))
    seed("warc", "cut", whole[: len(whole) * 2 // 3])
    seed("warc", "wrong-length", long + whole)
    seed("warc", "no-block", b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 8388608\r\n\r\n" * 9)

    for crawl in CRAWLS:
        seed("manifest", crawl, "".join(lines(crawl, 6)).encode())
        urls = "\n".join(json.loads(line)["url"] for line in lines(crawl, 12, 61))
        seed("url", crawl, b"~:\0" + urls.encode())
        seed("queue", crawl, b"\x40" + urls.encode() + b"\n")
    redirects = [
        {"url": f"http://h.test/{n}", "status": 302, "location": f"http://h.test/{(n + 1) % 4}"}
        for n in range(4)
    ]
    seed("manifest", "redirects", "\n".join(map(json.dumps, redirects)).encode())
    odd_urls = [
        "http://u:p@[::1]:80/a//b/./../c;d=e?f&g=h;i=j&f#!k", "HTTPS://WWW.X.TEST:443", "//x", "x",
        "http://x/%7E%2f%zz?%41=%", "http://bücher.example/ä?ö=ü", "http://x.test?q", "mailto:a@b",
    ]
    seed("url", "odd", b"_-\0" + "\n".join(odd_urls).encode())
    served = [
        "http://a.test/users/9x/bob", "HTTP://b.test:80/story/7/print#top\r", "", "no URL",
        "http://c.test/story/7777/print", "https://www.c.test/story/1/print?utm_source=x",
    ]
    seed("queue", "served", b"\x03" + "\n".join(served).encode() + b"\n\xff\xfe\nlast")
    # Longer than what is held; what is told of it ends inside a character.
    long = "http://a.test/users/1/" + 32768 * "é"
    seed("queue", "long", b"\xff" + f"{served[0]}\n{long}\r\n{served[0]}\n".encode())

    log = (
        '1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 5 "http://r/" "agent"\n'
        'h.test:443 ::1 - frank smith [17/May/2015:10:05:03 +0000] "HEAD /\\x22\\"\\\\ HTTP/1.0" 304 -\n'
        '[::1]:80 1.2.3.4 - - [17/May/2015:10:05:03 -0130] "POST / HTTP/2" 404 0\n'
        '1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET http://o.test/x#y HTTP/1.1" 200 5\n\n'
        '1.2.3.4 - - [no time] "\\x16\\x03\\x01" 400 -\n'
    )
    seed("access_log", "formats", log.encode())
    seed("access_log", "first", log.splitlines()[0].encode())

    for name, text in entries().items():
        seed("entries", name, text.encode())

    files = [
        ("a.test", "model.json"), ("a.test", "tokenizer.json"), ("a.test", "weights.safetensors"),
        ("a.test", "conventions.json"), ("b.test", "model.json"), ("b.test", "rules.json"),
        ("b.test", "conventions.json"), ("c.test", "gate.json"), ("c.test", "conventions.json"),
    ]
    for number, (site, name) in enumerate(files):
        content = (MODELS / site / name).read_bytes()
        if name == "model.json":
            content = json.dumps({**json.loads(content), "record": None}).encode()
        seed("folder", f"{site}-{name}", bytes([number]) + content)
    usage = {
        "hosts": {"c.test": {"https": {"all": True, "urls": [9, 9], "same": 9, "different": 0},
                             "www": {"all": True, "urls": [9, 9], "same": 9, "different": 0}}},
        "arguments": {"groups": [["a", "b"], ["id"]], "bare": True, "same": 4, "different": 0},
    }
    seed("folder", "c.test-usage-full", b"\x08" + json.dumps(usage).encode())
    pairs = {"same": 9, "different": 0}
    usage["lists"] = {"?id": {"separator": "comma", **pairs}, "?a": {"separator": "bar", **pairs},
                      "tags:": {"separator": "comma", **pairs}}
    usage["path_case"] = {"c.test/story": {"words": {"0": pairs, "2": pairs}, "tokens": {"1": pairs}}}
    seed("folder", "c.test-usage-values", b"\x08" + json.dumps(usage).encode())
    for name, change in {
        "whole": b"",
        "slot": b"\x40\0\0\0\1",
        "version": b"\x08\0\0\0\x09",
        "index": b"\x64\0\1\0\x07",
        "models": b"\0\x40\2\0\x07\0\x80\2\0\x08",
        "cut": b"\0\x80\2\xff\0",
        "appended": b"tail",
    }.items():
        seed("pack", name, change)
    seed("gate", "sample", (MODELS / "c.test" / "gate.json").read_bytes())
    seed("gate", "places", (MODELS / "d.test" / "gate.json").read_bytes())
    sample = json.loads((ROOT / "models" / "wiki.example.test" / "gate.json").read_text())
    sample["shapes_xxh3"], sample["refused"] = sample["shapes_xxh3"][:3], sample["refused"][:2]
    sample["rules"] = sample["rules"][:12]
    seed("gate", "wiki", json.dumps(sample).encode() + b"\0" + "\n".join(
        json.loads(line)["url"] for line in lines("wiki", 4)).encode())

    seed("gate", "known-values", json.dumps(known_values()).encode() + b"\0" + b"\n".join(
        [b"http://f.test/view?t=7&p=9", b"http://f.test/view?t=101&p=9", b"http://f.test/view?p=9&t=101-"]))

    for method in ["rewrite", "tree", "dustbuster", "duster"]:
        for crawl in ["wiki", "cs"]:
            urls = "\n".join(json.loads(line)["url"] for line in lines(crawl, 4))
            rules = json.dumps({"method": method, "rules": learned(method, crawl)})
            seed("rules", f"{method}-{crawl}", rules.encode() + b"\0" + urls.encode())


def entries():
    """A few entries of each kind of crawl that is neither archive nor manifest nor access log."""
    digest = "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"
    body = "<title>T &amp; U</title><p>some words"
    packed = base64.b64encode(body.encode()).decode()
    http = f"HTTP/1.1 200 OK\n\n{body}"
    ended = " ".join(["text/html #002 20120329000102002+12", f"sha1:{digest} -"])
    item = f"<url>http://x.test/a</url><status>200</status><body>{escape(body)}</body>"
    return {
        "arc": "filedesc://x 1.2.3.4 20140216050221 text/plain 10\n1 0 Some\n\n\n" + "".join(
            f"http://x.test/{n} 1.2.3.4 20140216050221 text/html {len(http)}\n{http}\n" for n in range(2)),
        "cdx": " CDX N b a m s k r M S V g\n"
            f"test,x)/ 20140127171200 http://x.test text/html 200 {digest} - - 1046 334 f\n"
            f"test,x)/a 20140127171251 http://x.test/a warc/revisit - {digest} - - 553 11875 f\n"
            "no line\ntest,x)/r 20140127171238 http://x.test/r unk 302 - http://x.test/a - 343 1858 f\n",
        "cdxj": f'test,x)/ 20140127171200 {{"url": "http://x.test", "status": "200", "digest": "{digest}"}}\n'
            'test,x)/r 20140127171238 {"url": "http://x.test/r", "status": 302, "redirect": "/a"}\n',
        "index-server": f'{{"urlkey": "test,x)/", "timestamp": "20140127171200", "url": "http://x.test", '
            f'"mime": "text/html", "status": "200", "digest": "{digest}"}}\n{{"message": "No Captures found"}}\n',
        "crawl-log": f"2012-03-29T00:01:03.345Z   200  1234 http://x.test/ L http://y.test/ {ended} -\n"
            f"2012-03-29T00:01:04.345Z   301     0 http://x.test/s L http://x.test/ {ended} -\nno line\n"
            f"2012-03-29T00:01:05.345Z   200  1234 http://x.test/a LR http://x.test/s {ended} duplicate:digest\n",
        "table": "\ufeff\"Address\",\"Content Type\",\"Status Code\",\"Title 1\",\"Hash\",\"Redirect URL\"\n"
            '"http://x.test/","text/html","200","A ""title""\nover two lines","d41d8cd98f00b204",""\n'
            '"http://x.test/r","","301","","","http://x.test/a"\n"too","few"\n',
        "feed-lines": json.dumps({"url": "http://x.test/#f", "status": 200, "body": body}) + "\n"
            + json.dumps({"url": "http://x.test/a", "body": packed}) + '\n{"name": "no url"}\nno json\n',
        "feed-array": json.dumps([{"url": "http://x.test/", "text": "a < b", "title": "Own"}, {"url": 1}], indent=1),
        "feed-csv": f"title;url;status;body\r\nT;http://x.test/#f;200;\"{body};\r\n\"\"x\"\"\"\r\n;http://x.test/a;;{packed}\r\n"
            "too;few\r\n",
        "feed-xml": f"<?xml version=\"1.0\"?>\n<items>\n<item>{item}<tags><value>url</value></tags></item>\n"
            f"<item><title>T</title>{item}</item><item><url>http://x.test/</ur></item>\n</items>",
        "urls": "http://x.test/a?b=c\n# no URL\nHTTPS://X.test:443/%7e\n\nno URL\nhttp://x.test/last",
    }


def known_values():
    """The model of topics of one page and of several, with links to their posts."""
    urls = []
    for topic in range(100, 160):
        address = f"http://f.test/view?t={topic}"
        for post in ["", "&p=1", "&p=2", "&p=3", "&p=4"]:
            urls.append((address + post, f"{topic}{post}" if topic % 2 else str(topic)))
    with tempfile.TemporaryDirectory() as models:
        crawl = Path(models) / "f.jsonl"
        pages = ({"url": url, "status": 200, "digest": page} for url, page in urls)
        crawl.write_text("".join(json.dumps(page) + "\n" for page in pages))
        train = ["undust", "train", crawl, "--method", "slots", "--models", models]
        subprocess.run(train, check=True)
        model = json.loads((Path(models) / "f.test" / "gate.json").read_text())
    (known,) = model["known_values"]
    known["values"] = known["values"][:3]
    model["shapes_xxh3"], model["refused"] = model["shapes_xxh3"][:3], model["refused"][:1]
    return model


def learned(method, crawl):
    """The first rules that a learner learns of a crawl, without their figures."""
    with tempfile.TemporaryDirectory() as models:
        train = ["undust", "train", ROOT / "data" / f"{crawl}.jsonl.gz"]
        subprocess.run([*train, "--method", method, "--models", models], check=True)
        (rules,) = Path(models).glob("*/rules.json")
        return [{"rule": rule["rule"]} for rule in json.loads(rules.read_text())["rules"][:6]]


if __name__ == "__main__":
    main()
