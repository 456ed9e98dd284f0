// npm run gallery: the pages in their states on one page: empty, loading, partial, error, odd values, many rows. Clerk's components
// need Clerk to show them: e2e/accessibility.spec.ts looks at those.
// Rendered from the components that the pages use, without a build of the app; nothing of it is in the app. The port is the
// variable PORT, else a free one.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildGallery } from './gallery/build.mjs';
import { readOptions } from './options.mjs';
import { freePort } from './ports.mjs';

/** @returns {Promise<{ url: string, stop: () => void }>} */
export async function startGallery() {
  const files = await buildGallery();
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const file = files.get(path);
    if (file) response.writeHead(200, { 'content-type': file.type }).end(file.content);
    else response.writeHead(404).end();
  });
  const port = Number(process.env.PORT ?? (await freePort('localhost')));
  await once(server.listen(port, 'localhost'), 'listening');
  return { url: `http://localhost:${port}`, stop: () => server.close() };
}

if (process.argv[1] === import.meta.filename) {
  readOptions({});
  const { url } = await startGallery();
  console.log(`ready ${url}`);
}
