// The address of the database, apart from the client: the check of the variables reads it and loads no client.
import 'server-only';

/** @throws where no client could be made, so that it stops the start and not the first request */
export function readDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url && /^postgres(ql)?:\/\//.test(url)) return url;
  throw new Error(
    `DATABASE_URL is ${url ? 'malformed (has to start with postgresql://)' : 'not set'}. Where to find it: your ` +
      'PostgreSQL. `npm run dev` and `npm run preview` bring one of their own where it is unset.',
  );
}
