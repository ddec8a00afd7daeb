// Crawlee asks undust which URLs are one page. In a crawler:
//
//   import { undust } from './crawlee.mjs';
//   const keyed = undust('http://127.0.0.1:7878');
//   async requestHandler({ request, enqueueLinks, addRequests, $ }) {
//     const links = $('a[href]').map((_, a) => new URL($(a).attr('href'), request.loadedUrl).href).get();
//     await addRequests(await keyed(links));
//   }
//
// Each request keeps the URL as it was linked, and its `uniqueKey` is the canonical form: the queue
// skips what has a key that it knows. For `enqueueLinks`, ask for the keys first:
//
//   const keys = await keyed.keys(links);
//   await enqueueLinks({ urls: links, transformRequestFunction: keyed.transform(keys) });

export function undust(service, token) {
    const headers = { 'content-type': 'application/json' };
    if (token) headers.authorization = `Bearer ${token}`;

    // A map from URL to canonical form. Without an answer each URL is its own form: a crawl fetches
    // some pages twice then, and goes on.
    async function keys(urls) {
        try {
            const body = JSON.stringify(urls);
            const signal = AbortSignal.timeout(5000);
            const answer = await fetch(`${service}/v1/translate`, { method: 'POST', headers, body, signal });
            if (!answer.ok) throw new Error((await answer.json()).error);
            return new Map((await answer.json()).map(({ url, canonical }) => [url, canonical]));
        } catch (error) {
            console.warn(`undust gives no keys: ${error.message}`);
            return new Map();
        }
    }

    const transform = (known) => (request) => ({ ...request, uniqueKey: known.get(request.url) ?? request.url });
    const keyed = async (urls) => urls.map((url) => ({ url })).map(transform(await keys(urls)));
    return Object.assign(keyed, { keys, transform });
}
