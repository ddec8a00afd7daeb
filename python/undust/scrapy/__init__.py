"""undust for Scrapy: a request fingerprinter, a middleware that decides while a crawl goes on, a
crawl manifest, and the add-on that sets them up.

::

    ADDONS = {"undust.scrapy.Addon": 300}
    UNDUST_LIVE = "state"  # or UNDUST_MODELS = "models"
"""

from undust.scrapy.addon import Addon
from undust.scrapy.fingerprinter import UndustFingerprinter
from undust.scrapy.live import LiveMiddleware, Skipped
from undust.scrapy.manifest import ManifestFeed

__all__ = ["Addon", "LiveMiddleware", "ManifestFeed", "Skipped", "UndustFingerprinter"]
