type Cookie = {
  name: string;
  value: string;
  domain: string;
  isHostOnly: boolean;
  attributes: Record<string, string | undefined>;
};

/** As in browsers, no page may set a cookie on these. */
const PUBLIC_SUFFIXES = ['com', 'test', 'localhost', 'uk', 'co.uk'];

/**
 * The cookies of one browser, shared by its tabs and hosts, by RFC 6265bis: domain matching, public suffixes, expiry by
 * `Max-Age=0`, older cookies first. Cookies that are `ignored` are not stored; if `denied`, access throws.
 */
export function createCookieJar({ access = 'stored' as 'stored' | 'ignored' | 'denied' } = {}) {
  let cookies: Cookie[] = [];

  const isSentTo = (host: string) => (cookie: Cookie) =>
    cookie.isHostOnly ? cookie.domain === host : host === cookie.domain || host.endsWith(`.${cookie.domain}`);

  const assertAllowed = () => {
    if (access === 'denied') throw new DOMException('The document is sandboxed', 'SecurityError');
  };

  function write(host: string, text: string) {
    assertAllowed();
    const [pair = '', ...rest] = text.split(';').map((part) => part.trim());
    const attributes: Cookie['attributes'] = Object.fromEntries(rest.map((attribute) => attribute.split('=')));
    const { Domain: domain = host } = attributes;
    const isHostOnly = attributes.Domain === undefined || (domain === host && PUBLIC_SUFFIXES.includes(host));
    const isRefused = !isHostOnly && (PUBLIC_SUFFIXES.includes(domain) || !`.${host}`.endsWith(`.${domain}`));
    if (access === 'ignored' || isRefused) return;
    const at = pair.indexOf('=');
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), domain, isHostOnly, attributes };
    const isSame = (other: Cookie) =>
      other.name === cookie.name && other.domain === domain && other.isHostOnly === isHostOnly;
    if (attributes['Max-Age'] === '0') cookies = cookies.filter((other) => !isSame(other));
    else if (cookies.some(isSame)) cookies = cookies.map((other) => (isSame(other) ? cookie : other));
    else cookies.push(cookie);
  }

  return {
    /** The cookie of this name; two of one name fail the test. */
    get(name: string) {
      const [cookie, ...others] = cookies.filter((other) => other.name === name);
      if (others.length > 0) throw new Error(`There are ${others.length + 1} cookies ${name}.`);
      return cookie;
    },
    names: () => cookies.map(({ name }) => name),
    delete(name: string) {
      cookies = cookies.filter((cookie) => cookie.name !== name);
    },
    write,
    /** What `document.cookie` says on this host. */
    read(host: string) {
      assertAllowed();
      const visible = cookies.filter(isSentTo(host));
      return visible.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

export type CookieJar = ReturnType<typeof createCookieJar>;
