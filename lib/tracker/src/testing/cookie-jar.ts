/** The cookies of one browser, shared by its tabs. `off` ignores what is written, as browsers do. */
export function createCookieJar({ off = false } = {}) {
  const cookies = new Map<string, { value: string; attributes: Record<string, string> }>();
  return {
    cookies,
    read: () => [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; '),
    write(text: string) {
      const [pair = '', ...attributes] = text.split(';');
      const at = pair.indexOf('=');
      if (off) return;
      cookies.set(pair.slice(0, at), {
        value: pair.slice(at + 1),
        attributes: Object.fromEntries(attributes.map((attribute) => attribute.trim().split('=') as [string, string])),
      });
    },
  };
}

export type CookieJar = ReturnType<typeof createCookieJar>;
