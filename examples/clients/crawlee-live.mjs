// Crawlee asks undust of each request that leaves its queue whether its page was fetched under another URL,
// and tells what came back. No model is needed: `undust serve --live state`. In a crawler:
//
//   import { undustLive } from './crawlee-live.mjs';
//   const live = undustLive('http://127.0.0.1:7878');
//   const crawler = new CheerioCrawler({
//     requestQueue: live.queue(await RequestQueue.open()),
//     requestHandler: async ({ request, response, body, enqueueLinks }) => {
//       await live.saw(request, response.statusCode, body.toString());
//       await enqueueLinks();
//     },
//     failedRequestHandler: async ({ request }) => live.saw(request, 0),
//   });

export function undustLive(service, token) {
    const headers = { 'content-type': 'application/json' };
    if (token) headers.authorization = `Bearer ${token}`;

    async function post(path, body) {
        const signal = AbortSignal.timeout(5000);
        const answer = await fetch(`${service}/v1/live/${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
        if (!answer.ok) throw new Error((await answer.json()).error);
        return answer.json();
    }

    // Without an answer a URL is fetched, and what came back is not learned from: the crawl goes on.
    async function isSkipped(url) {
        try {
            return (await post('decide', [url]))[0].do === 'skip';
        } catch (error) {
            console.warn(`undust does not decide: ${error.message}`);
            return false;
        }
    }

    // A request that was redirected ends at another URL, whose page it shows.
    async function saw({ url, loadedUrl = url }, status, html) {
        const page = { url: loadedUrl, status, html };
        const events = loadedUrl === url ? [page] : [{ url, status: 302, location: loadedUrl }, page];
        try {
            await post('saw', events);
        } catch (error) {
            console.warn(`undust does not learn: ${error.message}`);
        }
    }

    // The same queue, which hands out no request whose page was fetched.
    function queue(requests) {
        const next = requests.fetchNextRequest.bind(requests);
        requests.fetchNextRequest = async (...options) => {
            let request = await next(...options);
            while (request && (request.method ?? 'GET') === 'GET' && await isSkipped(request.url)) {
                await requests.markRequestHandled(request);
                request = await next(...options);
            }
            return request;
        };
        return requests;
    }

    return { queue, saw };
}
