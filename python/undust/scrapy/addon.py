"""The add-on: two lines of settings in place of five."""

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

FINGERPRINTER = "undust.scrapy.UndustFingerprinter"
MANIFEST = "undust.scrapy.ManifestFeed"


class Addon:
    """Puts undust's fingerprinter before the project's own, which becomes its fallback, and
    enables the manifest."""

    def update_settings(self, settings: BaseSettings) -> None:
        """What Scrapy calls. A setting of the project or the command line stands above it."""
        if not settings.get("UNDUST_MODELS") and not settings.get("UNDUST_MANIFEST"):
            raise NotConfigured("neither UNDUST_MODELS nor UNDUST_MANIFEST is set")
        before = settings.get("REQUEST_FINGERPRINTER_CLASS")
        if before != FINGERPRINTER:
            priority = settings.getpriority("REQUEST_FINGERPRINTER_CLASS") or 0
            settings.set("UNDUST_FALLBACK_FINGERPRINTER_CLASS", before, "addon")
            # Where the project sets a fingerprinter, ours must stand above that setting.
            settings.set("REQUEST_FINGERPRINTER_CLASS", FINGERPRINTER, max(priority, 15))
        extensions = settings.getdict("EXTENSIONS")
        if MANIFEST not in extensions:
            priority = settings.getpriority("EXTENSIONS") or 0
            settings.set("EXTENSIONS", {**extensions, MANIFEST: 300}, max(priority, 15))
