const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

type Circumstances = {
  appUrl: string | undefined;
  /** The request's Host and X-Forwarded-Host, as far as it has them. */
  hosts: Array<string | null>;
};

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Whether the dashboard may open with the demo programs' keys: on the machine of the person who started it, and nowhere else. */
export function decideLocalDemo({ appUrl, hosts }: Circumstances): boolean {
  const present = hosts.filter((host) => host !== null).map((host) => `http://${host}`);
  const hostnames = [appUrl ?? '', ...present].map(hostnameOf);
  return present.length > 0 && hostnames.every((name) => name !== null && LOCAL_HOSTS.has(name));
}
