// Renders the states to documents as a server does, with what Next would give the pages around them.
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import type { ContextType } from 'react';
import { renderToString } from 'react-dom/server';
import { serviceStates } from './service'; // part: service
import { shopStates } from './shop';
import type { AppState } from './state';

const router = {
  back() {},
  forward() {},
  refresh() {},
  push() {},
  replace() {},
  prefetch() {},
  bfcacheId: '',
} satisfies ContextType<typeof AppRouterContext>;

function render({ name, path, page }: AppState): { name: string; html: string } {
  const body = renderToString(
    <AppRouterContext.Provider value={router}>
      <PathnameContext.Provider value={path}>
        <SearchParamsContext.Provider value={new URLSearchParams()}>{page}</SearchParamsContext.Provider>
      </PathnameContext.Provider>
    </AppRouterContext.Provider>,
  );
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title>`;
  const html = `<!doctype html><html lang="en"><head>${head}<link rel="stylesheet" href="/app.css"></head><body>${body}</body></html>`;
  return { name, html };
}

export const pages = [
  ...shopStates,
  ...serviceStates, // part: service
].map(render);
