const MOST = 200;
const warned = new Set<string>();

/** For calls that are not covered: an app may catch the error and continue, as if what it asked for did not exist. */
export function warnOnce(text: string): void {
  if (warned.has(text) || warned.size >= MOST) return;
  warned.add(text);
  console.warn(text);
  if (warned.size === MOST) console.warn('Further addresses that are not covered are not printed.');
}
