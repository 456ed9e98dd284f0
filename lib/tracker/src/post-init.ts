/** One browser call: no key, and no preflight on another origin, because a string is sent as text/plain. */
export const postInit = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  keepalive: true, // completes even if the visitor leaves at once
});
