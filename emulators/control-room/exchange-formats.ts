// A message for other tools: a curl command, and an archive in the HTTP Archive format (HAR 1.2). Both are made from what
// was stored, so what was redacted stays redacted.
import type { Message } from '../core/trace';

const LEFT_OUT = /^(host|content-length|connection|accept-encoding|x-forwarded-.*)$/i;
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that sends a request again. Redacted values have to be filled in. */
export function toCurl({ method, request }: Message, url: string): string {
  const headers = Object.entries(request.headers).filter(([name]) => !LEFT_OUT.test(name));
  const parts = [
    `curl ${quote(url)}`,
    ...(method === 'GET' || (method === 'POST' && request.body) ? [] : [`-X ${method}`]),
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(request.body ? [`--data-raw ${quote(request.body)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

/** @param urlOf the full URL of a message */
export function toHar(messages: readonly Message[], urlOf: (message: Message) => string) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'emulators', version: '1' },
      entries: messages.map((message) => entryOf(message, urlOf(message))),
    },
  };
}

function entryOf(message: Message, url: string) {
  const { request, response } = message;
  const type = (headers: Record<string, string>) => headers['content-type'] ?? '';
  const shared = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: message.at,
    time: message.duration_ms,
    request: {
      ...shared,
      method: message.method,
      url,
      headers: nameValues(Object.entries(request.headers)),
      queryString: nameValues(new URL(url).searchParams),
      bodySize: Buffer.byteLength(request.body),
      ...(request.body && { postData: { mimeType: type(request.headers), text: request.body } }),
    },
    response: {
      ...shared,
      status: message.status ?? 0,
      statusText: '',
      headers: nameValues(Object.entries(response.headers)),
      content: { size: Buffer.byteLength(response.body), mimeType: type(response.headers), text: response.body },
      redirectURL: response.headers.location ?? '',
      bodySize: Buffer.byteLength(response.body),
    },
    cache: {},
    timings: { send: 0, wait: message.duration_ms, receive: 0 },
    comment: `${message.from} to ${message.to}`,
  };
}

const nameValues = (pairs: Iterable<[string, string]>) => [...pairs].map(([name, value]) => ({ name, value }));
