"""What the tests share: the sample model, and a made-up crawl."""

from pathlib import Path
from typing import Any

import pytest

from undust import Models

REPOSITORY = Path(__file__).parents[2]
SAMPLE = REPOSITORY / "models"
LOGIN = "http://wiki.example.test/mediawiki/index.php?title=Special:UserLogin&returnto=Main+Page"
FORM = "http://wiki.example.test/mediawiki/index.php/Special:UserLogin"


@pytest.fixture(scope="session")
def models() -> Models:
    """The sample model of the repository."""
    return Models(SAMPLE)


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """A crawl in which every story has a print view."""
    return story_rows()


def story_rows(host: str = "a.test") -> list[dict[str, Any]]:
    """Sixty stories, each under two URLs."""
    rows = []
    for number in range(100, 160):
        story = f"http://{host}/story/{number}"
        for url in (f"{story}/print", story):
            rows.append({"url": url, "status": 200, "digest": str(number)})
    return rows
