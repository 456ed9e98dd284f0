import path from 'node:path';
import vm from 'node:vm';
import { type BuildOptions, buildSync } from 'esbuild';
import type * as clickId from '../click-id.ts';
import type * as consent from '../consent.ts';
import { TRACKER_SCRIPT } from '../inline-script.ts';
import type * as loadTracker from '../load-tracker.ts';
import type { ScriptTracker } from '../script.ts';
import type * as withdrawConsent from '../withdraw-consent.ts';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';

export type SentRequest = { url: string; body: Record<string, unknown>; init: RequestInit };
export type Service = (request: SentRequest) => Response | Promise<Response>;

type PageOptions = {
  url: string;
  service?: Service;
  jar?: CookieJar;
  navigation?: 'navigate' | 'reload' | 'back_forward';
  /** What the browser says is the address of the document. */
  navigationName?: string;
  isPrerendered?: boolean;
  /** The `data-` attributes of the script element besides the program ID. */
  dataset?: Record<string, string>;
  /** The program IDs of all script elements, in the order of the page; undefined if one has none. */
  elements?: Array<string | undefined>;
  /** The index of the element whose script runs: a module does not know its own. */
  current?: number;
};

type Provider = typeof loadTracker & typeof clickId & typeof consent & typeof withdrawConsent;

const source = (name: string) => path.resolve(import.meta.dirname, '..', name);
const bundle = (options: BuildOptions) =>
  buildSync({ ...options, bundle: true, format: 'iife', globalName: 'provider', write: false }).outputFiles[0]?.text ??
  '';

/** The provider's part, bundled as an app would bundle it. */
const PROVIDER = bundle({
  stdin: {
    contents: ['load-tracker', 'click-id', 'consent', 'withdraw-consent']
      .map((name) => `export * from './${name}.ts';`)
      .join(' '),
    resolveDir: source(''),
  },
});
const SCRIPT_FILE = bundle({ entryPoints: [source('script.ts')] });

/** A page in a browser of just what the tracker uses. It runs nothing by itself. */
export function openPage({ url, service, jar = createCookieJar(), navigation = 'navigate', ...options }: PageOptions) {
  const sent: SentRequest[] = [];
  const errors: unknown[] = [];
  const logged: string[] = [];
  const log = (...parts: unknown[]) => logged.push(parts.join(' '));
  const page = new EventTarget();
  const documentEvents = new EventTarget();
  const location = new URL(url);
  const changeAddress = (_state: unknown, _title: string, to?: string | URL | null) => {
    if (to) location.href = new URL(to, location.href).href;
  };
  const elements = (options.elements ?? ['prg_1']).map((programId) => ({
    dataset: { ...(programId && { programId }), clickUrl: '/api/v1/track/click', ...options.dataset },
    closest() {
      return programId ? this : null;
    },
  }));
  const fakeDocument = {
    currentScript: elements[options.current ?? -1] ?? null,
    querySelector: () => elements.find((element) => element.closest()) ?? null,
    prerendering: options.isPrerendered === true,
    referrer: 'https://blog.test/',
    addEventListener: documentEvents.addEventListener.bind(documentEvents),
    get cookie() {
      return jar.read(location.hostname);
    },
    set cookie(text) {
      jar.write(location.hostname, text);
    },
  };
  const context = vm.createContext({
    location,
    document: fakeDocument,
    history: { pushState: changeAddress, replaceState: changeAddress },
    performance: { getEntriesByType: () => [{ type: navigation, name: options.navigationName ?? url }] },
    addEventListener: page.addEventListener.bind(page),
    setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
    clearTimeout: (timer: NodeJS.Timeout | undefined) => clearTimeout(timer),
    URL,
    URLSearchParams,
    Response,
    console: { info: log, error: log },
    fetch: async (input: string, init: RequestInit) => {
      const request = { url: input, init, body: JSON.parse(String(init.body)) };
      sent.push(request);
      return service?.(request) ?? Response.error();
    },
  });
  context.window = context;
  const run = (code: string) => {
    try {
      vm.runInContext(code, context);
    } catch (error) {
      errors.push(error);
    }
  };

  return {
    sent,
    jar,
    errors,
    /** What debug output says on the console. */
    logged,
    clicks: () => sent.filter((request) => request.url.endsWith('/click')).map((request) => request.body),
    /** What `<TrackerScript>` does; a module has a scope of its own. */
    runScript: () => run(`(() => { 'use strict'; ${TRACKER_SCRIPT} })()`),
    /** What `<TrackerProvider>` imports; the effect calls its `loadTracker`. */
    runProvider(): Provider {
      run(PROVIDER);
      return context.provider;
    },
    /** What a script tag with `src` does. */
    runScriptFile(): ScriptTracker {
      run(SCRIPT_FILE);
      return context.svcTracker;
    },
    capture: () => context.svcCapture as NonNullable<typeof window.svcCapture>,
    history: context.history as Pick<History, 'pushState' | 'replaceState'>,
    /** The back button: the address changes, and no method of `history` is called. */
    goBackTo: (to: string) => changeAddress(null, '', to),
    activate() {
      fakeDocument.prerendering = false;
      documentEvents.dispatchEvent(new Event('prerenderingchange'));
    },
    restoreFromCache: () => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
  };
}

/** A page whose inline script has run and whose click, if it made one, has its response. */
export async function visit(options: PageOptions) {
  const page = openPage(options);
  page.runScript();
  await page.capture().finish();
  return page;
}
