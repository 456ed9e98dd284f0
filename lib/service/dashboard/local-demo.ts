const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

type Circumstances = {
  appUrl: string | undefined;
  /** The request's Host and X-Forwarded-Host, if present. */
  hosts: Array<string | null>;
};

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Whether the dashboard may open with the demo programs' keys: only on the machine that it was started on. */
export function decideLocalDemo({ appUrl, hosts }: Circumstances): boolean {
  const present = hosts.filter((host) => host !== null).map((host) => `http://${host}`);
  const hostnames = [appUrl ?? '', ...present].map(hostnameOf);
  return present.length > 0 && hostnames.every((name) => name !== null && LOCAL_HOSTS.has(name));
}
