"""The add-on: two lines of settings in place of five."""

from typing import Any

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

FINGERPRINTER = "undust.scrapy.UndustFingerprinter"
LIVE = "undust.scrapy.LiveMiddleware"
MANIFEST = "undust.scrapy.ManifestFeed"

BEFORE_PROJECT = 540
"""Where requests come after `robots.txt` and before the project's own middlewares; and where an
exception comes after all retries."""


class Addon:
    """Puts undust's fingerprinter before the project's own, which becomes its fallback, and
    enables the manifest and the live middleware: what the settings ask for."""

    def update_settings(self, settings: BaseSettings) -> None:
        """What Scrapy calls. A setting of the project or the command line stands above it."""
        wanted = {name for name in ("MODELS", "LIVE", "MANIFEST") if settings.get("UNDUST_" + name)}
        if not wanted:
            raise NotConfigured("none of UNDUST_LIVE, UNDUST_MODELS and UNDUST_MANIFEST is set")
        if wanted != {"LIVE"}:
            _set_fingerprinter(settings)
            _add(settings, "EXTENSIONS", MANIFEST, 300)
        if "LIVE" in wanted:
            _add(settings, "DOWNLOADER_MIDDLEWARES", LIVE, BEFORE_PROJECT)


def _set_fingerprinter(settings: BaseSettings) -> None:
    before = settings.get("REQUEST_FINGERPRINTER_CLASS")
    if before != FINGERPRINTER:
        priority = settings.getpriority("REQUEST_FINGERPRINTER_CLASS") or 0
        settings.set("UNDUST_FALLBACK_FINGERPRINTER_CLASS", before, "addon")
        # Where the project sets a fingerprinter, ours must stand above that setting.
        settings.set("REQUEST_FINGERPRINTER_CLASS", FINGERPRINTER, max(priority, 15))


def _add(settings: BaseSettings, setting: str, component: str, order: int) -> None:
    components: dict[Any, Any] = settings.getdict(setting)
    if component not in components:
        priority = settings.getpriority(setting) or 0
        settings.set(setting, {**components, component: order}, max(priority, 15))
