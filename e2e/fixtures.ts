import { test as base } from '@playwright/test';

export { expect } from '@playwright/test';

type Watch = {
  /** Console errors and failed requests that this test provokes on purpose. */
  expectedProblems: RegExp[];
};

/** `npm run test:e2e` sets it. In development React and Next write notes of their own to the console. */
const isBuild = Boolean(process.env.BASE_URL);

/** Chromium warns of it when a busy machine starts the page's scripts seconds after they have arrived. */
const isAboutSlowness = (text: string) => text.includes('was preloaded using link preload but not used');

/**
 * Every test fails on an unexpected console error or warning, an uncaught error in a page, or a request to another host.
 * A test that provokes one on purpose says so: `test.use({ expectedProblems: [/422/] })`. One without a page opens no browser.
 */
export const test = base.extend<Watch>({
  expectedProblems: [[], { option: true }],
  context: async ({ context, baseURL, expectedProblems }, use) => {
    const own = [
      baseURL,
      process.env.EMULATORS_URL, // part: emulators
      process.env.NEXT_PUBLIC_SVC_BASE_URL,
    ];
    const hosts = own.flatMap((url) => (url ? [new URL(url).host] : []));
    const problems: string[] = [];
    const report = (problem: string) => {
      if (!expectedProblems.some((expected) => expected.test(problem))) problems.push(problem);
    };
    context.on('console', (message) => {
      if (!isBuild || isAboutSlowness(message.text())) return;
      if (message.type() === 'error' || message.type() === 'warning') {
        report(`console: ${message.text()} ${message.location().url}`.trim());
      }
    });
    context.on('weberror', (error) => report(`page: ${error.error().message}`));
    context.on('request', (request) => {
      const url = new URL(request.url());
      const isOwn = hosts.includes(url.host) || url.hostname.endsWith('.localhost');
      if (url.protocol.startsWith('http') && !isOwn) report(`other host: ${request.url()}`);
    });
    await use(context);
    base.expect(problems, 'no console error, page error or request to another host').toEqual([]);
  },
});
