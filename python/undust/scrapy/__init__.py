"""undust for Scrapy: a request fingerprinter, a crawl manifest, and the add-on that sets both up.

::

    ADDONS = {"undust.scrapy.Addon": 300}
    UNDUST_MODELS = "models"
"""

from undust.scrapy.addon import Addon
from undust.scrapy.fingerprinter import UndustFingerprinter
from undust.scrapy.manifest import ManifestFeed

__all__ = ["Addon", "ManifestFeed", "UndustFingerprinter"]
