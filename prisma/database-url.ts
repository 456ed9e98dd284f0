// The address of the database, apart from the client: the check of the variables reads it and loads no client.
import 'server-only';

/** @throws if no client can be made, so that it stops the start and not the first request */
export function readDatabaseUrl(): string {
  const url = process.env.DATABASE_URL?.trim();
  if (url && /^postgres(ql)?:\/\//.test(url)) return url;
  throw new Error(
    `DATABASE_URL is ${url ? 'malformed (has to start with postgresql://)' : 'not set'}. Where to find it: your ` +
      'PostgreSQL. `npm run dev` and `npm run preview` start one if it is unset.',
  );
}
