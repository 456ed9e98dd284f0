// The address of the database, apart from the client: the check of the variables reads it and loads no client.
import 'server-only';

/** @throws if no client can be made, so that it stops the start and not the first request */
export function readDatabaseUrl(): string {
  const url = process.env.DATABASE_URL?.trim();
  if (url && /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  const form = 'has to start with postgresql://, with # $ / ? and @ of a password as %23 %24 %2F %3F and %40';
  throw new Error(
    `DATABASE_URL is ${url ? `malformed (${form})` : 'not set'}. Where to find it: your ` +
      'PostgreSQL. `npm run dev` and `npm run preview` start one if it is unset.',
  );
}
