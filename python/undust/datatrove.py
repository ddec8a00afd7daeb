"""undust in datatrove: exact deduplication by canonical URL."""

import os
from typing import Any

from undust._undust import Models


class CanonicalUrl:
    """What a document is compared by: the canonical form of its URL.

        >>> config = ExactDedupConfig(content_getter=CanonicalUrl("models"))

    for `ExactDedupSignature`, `ExactFindDedups` and `ExactDedupFilter`. `key` is the metadata that
    holds the URL. A document without one is compared by its id, so it stays.
    """

    def __init__(self, models: str | os.PathLike[str], key: str = "url") -> None:
        self.models = Models(models)
        self.key = key

    # Bytes, for by this annotation datatrove picks its hash, and not each of them takes text.
    def __call__(self, document: Any) -> bytes:
        url = document.metadata.get(self.key)
        return (self.models.canonicalize(url) if url else str(document.id)).encode()
