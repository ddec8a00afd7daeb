"""crawl4ai asks undust which pages it has already.

    import undust
    from undust_crawl4ai import UndustCrawler

    with undust.Live("state") as live:
        live.begin_crawl()
        async with UndustCrawler(live=live) as crawler:
            deep = BFSDeepCrawlStrategy(max_depth=5)
            results = await crawler.arun("https://a.test/", CrawlerRunConfig(deep_crawl_strategy=deep))
        pages = [result for result in results if result.success]

A filter of a deep crawl is asked when a link is found. This is asked when its turn has come, so it
knows the pages that came meanwhile. What is skipped comes back as a result without success, whose
``error_message`` says why; a deep crawl follows no links of it and does not count it as a page.
"""

import logging
from typing import Any

from crawl4ai import AsyncWebCrawler, CrawlerRunConfig, CrawlResult

import undust

logger = logging.getLogger(__name__)


class UndustCrawler(AsyncWebCrawler):
    """A crawler that fetches a URL only if `undust.Live` does not know its page."""

    def __init__(self, *args: Any, live: undust.Live, **kwargs: Any) -> None:
        # The deep crawl of the base class wraps `arun`, and comes back to it for each URL.
        self.live = live
        super().__init__(*args, **kwargs)

    async def arun(self, url: str, config: CrawlerRunConfig | None = None, **kwargs: Any) -> Any:
        """Fetches a URL, or says why not."""
        if not url.startswith(("http://", "https://")):
            return await super().arun(url, config, **kwargs)
        try:
            decision = self.live.decide(url)
        except undust.Error as error:
            logger.warning("undust decides nothing: %s", error)
            return await super().arun(url, config, **kwargs)
        if not decision:
            why = f"skipped by undust: {decision.why}: a URL of the form {decision.form} was fetched"
            return CrawlResult(url=url, html="", success=False, error_message=why)
        result = await super().arun(url, config, **kwargs)
        try:
            self._tell(url, result)
        except undust.Error as error:
            logger.warning("undust was not told what came back: %s", error)
        return result

    def _tell(self, url: str, result: Any) -> None:
        """Tells what came back; a redirect as one."""
        end = (result.redirected_url or url).partition("#")[0]
        # After a redirect the status is that of the redirect, and the page's is beside it.
        status = result.redirected_status_code or result.status_code or 0
        if end != url.partition("#")[0]:
            self.live.saw(url, 302, location=end)
        else:
            end = url
        html = result.html if result.success else None
        self.live.saw(end, status, html=html)
