import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import type { SearchParams } from './event-filter';

const { sql } = Prisma;

/** Reads `?q=`, the text that a list is searched for; empty without a search. */
export const readSearch = ({ q }: SearchParams): string => (typeof q === 'string' ? q.trim() : '');

type Search = {
  table: Prisma.Sql;
  /** Indexed with `text_pattern_ops`, together with the program. */
  column: Prisma.Sql;
  /** Whether the index is of the column in lower case. */
  ignoresCase: boolean;
  programId: string;
  prefix: string;
  limit: number;
};

/**
 * The `id` and the `searched` text of the first rows whose column begins with a prefix, in the order of the index, which compares
 * bytes. Its operators are explicit, because LIKE with a parameter would not use the index once the plan is cached. No stored text
 * sorts after the prefix followed by the last code point.
 */
export function rowsThatBegin({ table, column, ignoresCase, programId, prefix, limit }: Search): Prisma.Sql {
  const indexed = (text: Prisma.Sql) => (ignoresCase ? sql`lower(${text})` : text);
  const searched = indexed(column);
  return sql`
    (SELECT id, ${searched} AS searched FROM ${table}
    WHERE program_id = ${programId} AND ${searched} ~>=~ ${indexed(sql`${prefix}::text`)}
      AND ${searched} ~<=~ ${indexed(sql`${`${prefix}\u{10ffff}`}::text`)}
    ORDER BY ${searched} USING ~<~ LIMIT ${limit})`;
}
