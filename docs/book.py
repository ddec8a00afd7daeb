"""The documents as a site: `python3 docs/book.py OUT` stages them, has mdBook build them, and follows
every link of what came out. `python3 docs/book.py --inputs` prints the files that the site is made of.

The documents link to each other, and to files of the repository, by their places in it. So they are
staged under the same places, with the files that they link to. A README is the index of its folder
there, as mdBook calls it."""

import html.parser
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs" / "SUMMARY.md"
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")

CONFIG = """
[book]
title = "undust"
description = "Learns which URLs of a web site show the same page"
src = "staged"
language = "en"

[build]
build-dir = "{out}"
create-missing = false

[output.html]
no-section-label = true
"""


def main(out: Path) -> int:
    stage = ROOT / "target" / "book"
    shutil.rmtree(stage, ignore_errors=True)
    chapters = stage_documents(stage / "staged")
    (stage / "book.toml").write_text(CONFIG.format(out=out.resolve().as_posix()))
    subprocess.run(["mdbook", "build", str(stage)], check=True)
    faults = broken_links(out)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{chapters} documents, {len(faults)} broken links: {out}")
    return 1 if faults else 0


def stage_documents(staged: Path) -> int:
    """Copies the documents of SUMMARY.md and what they link to; how many documents."""
    documents = linked_files(SUMMARY)
    for document in documents:
        place = staged / place_of(document)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(with_indexes(document.read_text()))
        for file in linked_files(document):
            if file.suffix != ".md":
                place = staged / place_of(file)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, place)
    text = SUMMARY.read_text()
    for target in set(LINK.findall(text)):
        text = text.replace(f"]({target})", f"]({place_of(linked(SUMMARY, target)).as_posix()})")
    (staged / "SUMMARY.md").write_text(text)
    return len(documents)


def inputs() -> set[Path]:
    """The documents, the files that they link to, and this program."""
    documents = linked_files(SUMMARY)
    linked_by_them = [file for document in documents for file in linked_files(document)]
    return {Path(__file__).resolve(), SUMMARY, *documents, *linked_by_them}


def linked_files(document: Path) -> list[Path]:
    """The files of the repository that a document links to."""
    targets = LINK.findall(document.read_text())
    own = [one for one in targets if "://" not in one and not one.startswith("mailto:")]
    files = [linked(document, target) for target in own]
    return [file for file in files if file.is_file()]


def linked(document: Path, target: str) -> Path:
    return (document.parent / urllib.parse.unquote(target)).resolve()


def place_of(file: Path) -> Path:
    place = file.relative_to(ROOT)
    return place.with_name("index.md") if place.name == "README.md" else place


def with_indexes(text: str) -> str:
    return LINK.sub(lambda link: link[0].replace("README.md", "index.md"), text)


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken_links(out: Path) -> list[str]:
    """The links of the site that lead nowhere."""
    pages = {path.resolve(): Page(path) for path in out.rglob("*.html")}
    faults = []
    for path, page in sorted(pages.items()):
        # print.html has every chapter once more, under one address.
        if path.name in ("print.html", "404.html", "toc.html"):
            continue
        for link in page.links:
            target, _, anchor = link.partition("#")
            if "://" in target or target.startswith(("mailto:", "data:")):
                continue
            place = (path.parent / urllib.parse.unquote(target)).resolve() if target else path
            known = pages.get(place)
            name = path.relative_to(out.resolve())
            if not place.exists():
                faults.append(f"{name}: {link}: no such page")
            elif known and anchor and urllib.parse.unquote(anchor) not in known.anchors:
                faults.append(f"{name}: {link}: no such heading")
    return faults


if __name__ == "__main__":
    if sys.argv[1] == "--inputs":
        print(*sorted(file.relative_to(ROOT).as_posix() for file in inputs()), sep="\n")
        sys.exit()
    sys.exit(main(Path(sys.argv[1])))
