// The same page with its tracker started in different ways, behind a proxy that rewrites nothing else.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildInlineScript } from '../../lib/tracker/scripts/build-inline.mjs';

const { script } = await buildInlineScript();

/** The least that could make a click and keep it: no repeats, no failures, no hook. It also keeps the provider from starting. */
const FLOOR = `window.svcCapture={getClickId(){},finish(){},arrive(){}};
fetch('/api/v1/track/click',{method:'POST',keepalive:true,body:JSON.stringify({program_id:'prg_demo',affiliate_url:location.href})})
.then(r=>r.json()).then(a=>{document.cookie='svc_click_id='+a.click_id+';Path=/;Max-Age='+a.cookie_window_days*86400})`;
const NOTHING = 'window.svcCapture={getClickId(){},finish(){},arrive(){}}';
const FILE = '/bench-tracker.js';

const ELEMENT = /<script [^>]*?(data-program-id="[^"]*"[^>]*)>[^<]*<\/script>/;
/** Its own running time, from inside, so that no element is added to the page. @param {string} code */
const timed = (code) => `var t=performance.now();${code};window.benchScriptMs=performance.now()-t`;

/** @type {Record<string, (attributes: string) => string>} */
export const variants = {
  'no tracker': (attributes) => `<script ${attributes}>${NOTHING}</script>`,
  'floor, classic inline': (attributes) => `<script ${attributes}>${timed(FLOOR)}</script>`,
  'floor, async module': (attributes) => `<script type="module" async ${attributes}>${timed(FLOOR)}</script>`,
  TrackerScript: (attributes) => `<script type="module" async ${attributes}>${timed(script)}</script>`,
  'the same, classic inline': (attributes) => `<script ${attributes}>${timed(script)}</script>`,
  'the same, <script async src>': (attributes) => `<script async src="${FILE}" ${attributes}></script>`,
  'TrackerProvider alone': (attributes) => `<script type="text/plain" ${attributes}></script>`,
};

/**
 * The app at `appUrl` with this element in the place of its `TrackerScript`, on a port of its own.
 * @param {string} appUrl @param {(attributes: string) => string} element
 */
export async function serveVariant(appUrl, element) {
  const server = createServer(async (request, response) => {
    if (request.url === FILE) return response.setHeader('content-type', 'text/javascript').end(timed(script));
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _, connection: __, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', appUrl), {
      method: request.method ?? 'GET',
      headers: { ...onlyStrings(headers), 'accept-encoding': 'identity' },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      redirect: 'manual',
    });
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type, 'cache-control': 'no-store' });
    if (!type.startsWith('text/html')) return response.end(Buffer.from(await answer.arrayBuffer()));
    const html = await answer.text();
    if (!ELEMENT.test(html)) throw new Error('The page has no TrackerScript.');
    response.end(html.replace(ELEMENT, (_element, attributes) => element(attributes)));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://localhost:${port}`, stop: () => server.close() };
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {Record<string, string>} */
const onlyStrings = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
