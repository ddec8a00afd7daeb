"""Work beside Scrapy's event loop."""

from collections.abc import Callable

try:
    from scrapy.utils.asyncio import run_in_thread
except ImportError:  # Scrapy before it had one
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.threads import deferToThread

    async def run_in_thread(work: Callable[[], None]) -> None:  # type: ignore[misc]
        await maybe_deferred_to_future(deferToThread(work))


async def in_thread(work: Callable[[], None]) -> None:
    """Does work that takes long, while the event loop goes on."""
    await run_in_thread(work)
