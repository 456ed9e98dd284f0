// The frame of every page of the emulators: hatched, so that it is never mistaken for the provider's own.
import type { Context, MiddlewareHandler } from 'hono';
import { raw } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';
import { LinkButton } from './ui';

type PageProps = PropsWithChildren<{
  /** Completed by " · Emulator". */
  title: string;
  /** Stands in the hatched band at the top. */
  header: Child;
  /** Names of browser scripts: every `browser/<name>.ts` is built to `/assets/<name>.js`. */
  scripts?: readonly string[];
  /** Names of stylesheets besides the one that every page has. */
  styles?: readonly string[];
  /** `wide` for tables side by side, `narrow` for one form. */
  width?: 'normal' | 'wide' | 'narrow';
}>;

/** A whole document: skip link, header, main. */
export function Page({ title, header, scripts = [], styles = [], width = 'normal', children }: PageProps) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>{`${title} · Emulator`}</title>
          <link rel="icon" href="data:," />
          {['style', ...styles].map((name) => (
            <link rel="stylesheet" href={`/assets/${name}.css`} />
          ))}
          {scripts.map((name) => (
            <script src={`/assets/${name}.js`} defer />
          ))}
        </head>
        <body>
          <a href="#main" class="skip-link">
            Skip to content
          </a>
          <header class="page-header hatched">
            <div class={`page-width ${width}`}>{header}</div>
          </header>
          <main id="main" tabindex={-1} class={`page-width ${width}`}>
            {children}
          </main>
        </body>
      </html>
    </>
  );
}

/** A page for what does not exist, in the frame of the pages around it. */
export function NotFoundPage({ title, header, back, children }: PropsWithChildren<NotFoundPageProps>) {
  return (
    <Page title={title} header={header} width="narrow">
      <h1>{title}</h1>
      <p class="muted">{children}</p>
      <p>
        <LinkButton href={back.href}>{back.label}</LinkButton>
      </p>
    </Page>
  );
}

type NotFoundPageProps = { title: string; header: Child; back: { href: string; label: string } };

export const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'self'";

/** The headers of the pages: no inline script, no framing by others, no copy in a cache. */
export const pageHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('content-security-policy')) c.header('content-security-policy', CONTENT_SECURITY_POLICY);
  c.header('x-content-type-options', 'nosniff');
  // A form without an Origin could not be distinguished from another site's. A page with a form for the app sets its own policy.
  if (!c.res.headers.has('referrer-policy')) c.header('referrer-policy', 'same-origin');
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
};

/** A form's text fields, trimmed. Files are left out, and so is NUL, which the database refuses. */
export async function readFields(c: Context): Promise<Record<string, string>> {
  const form = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.replaceAll('\0', '').trim()]] : [],
    ),
  );
}
