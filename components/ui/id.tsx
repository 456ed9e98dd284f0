import { Code } from './code';
import { CopyButton } from './copy-button';

/** The end of an ID stays visible, since IDs often differ only there. */
const TAIL = 6;
const LONGEST_WHOLE = 16;

/** An ID on one line, truncated in the middle. The whole text stays in the document, in one block, so that it is selected as one word. */
export function Id({ children }: { children: string }) {
  if (children.length <= LONGEST_WHOLE) return <Code className="whitespace-nowrap">{children}</Code>;
  const tail = children.slice(-TAIL).replace(/^[\uDC00-\uDFFF]/, ''); // never half of a character
  return (
    <code
      title={children}
      className="inline-block min-w-0 max-w-full whitespace-nowrap align-bottom font-mono text-[0.8125em]"
    >
      <span className="inline-block max-w-[calc(100%-5.9ch)] truncate align-bottom">
        {children.slice(0, -tail.length)}
      </span>
      {tail}
    </code>
  );
}

/** An ID with a button that copies it. */
export function CopyableId({ children, what }: { children: string; what: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-0.5">
      <Id>{children}</Id>
      <CopyButton value={children} label={`Copy ${what}`} isIcon />
    </span>
  );
}
