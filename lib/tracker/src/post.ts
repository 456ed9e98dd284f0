/** One browser call: no key, and no preflight on another origin, because a string is sent as text/plain. */
export const post = (url: string, body: object): Promise<Record<string, unknown>> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    keepalive: true, // completes even if the visitor leaves at once
  }).then((response) => {
    if (response.status > 428) throw response; // rate limit or 5xx: worth another try
    return response.json();
  });
