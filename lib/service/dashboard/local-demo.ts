const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

type Circumstances = {
  /** `SANDBOX=on`, as `npm run dev` and `npm run preview` set it. */
  isLocalRun: boolean;
  appUrl: string | undefined;
  /** The Host of the request. */
  host: string | null;
};

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Whether the dashboard may open without a key: on the machine of the person who started it, and nowhere else. */
export function decideLocalDemo({ isLocalRun, appUrl, host }: Circumstances): boolean {
  const hostnames = [appUrl ? hostnameOf(appUrl) : null, host ? hostnameOf(`http://${host}`) : null];
  return isLocalRun && hostnames.every((hostname) => hostname !== null && LOCAL_HOSTS.has(hostname));
}
