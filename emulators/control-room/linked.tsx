// IDs that lead to where they are. All occurrences of one ID light up together (browser/trace.ts).
import type { Child } from 'hono/jsx';
import { findProviderIds } from '../core/trace-ids';

/** An ID as a link to everything that carries it. */
export const IdLink = ({ value, children }: { value: string; children?: Child }) => (
  <a class="id" href={`/ids/${encodeURIComponent(value)}`} data-id={value}>
    {children ?? value}
  </a>
);

const escapeForRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text with its IDs as links. @param known IDs of the app; those of the providers are found by their form */
export function LinkedText({ text, known }: { text: string; known: readonly string[] }) {
  const ids = [...new Set([...known.filter((id) => !id.includes('@')), ...findProviderIds(text)])];
  if (ids.length === 0) return <>{text}</>;
  const longestFirst = ids.sort((a, b) => b.length - a.length).map(escapeForRegex);
  const parts = text.split(new RegExp(`(?<![A-Za-z0-9_])(${longestFirst.join('|')})(?![A-Za-z0-9])`));
  return <>{parts.map((part, index) => (index % 2 === 1 ? <IdLink value={part} /> : part))}</>;
}

/** "cus_Nffr…Xy8p": the beginning and the end of a long ID. */
export function shorten(id: string): string {
  const characters = [...id];
  return characters.length > 22 ? `${characters.slice(0, 11).join('')}…${characters.slice(-6).join('')}` : id;
}
