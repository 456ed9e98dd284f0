/** One call of the browser: no key, and on another origin no preflight, since a string is sent as text/plain. */
export const post = (url: string, body: object): Promise<Record<string, unknown>> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    keepalive: true, // survives a visitor who leaves at once
  }).then((response) => {
    if (response.status > 428) throw response; // rate limit or 5xx: worth another try
    return response.json();
  });
