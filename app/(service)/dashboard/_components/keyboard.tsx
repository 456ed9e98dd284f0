'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { CommandMenu } from './command-menu';

const OFF_KEY = 'svc_dashboard_keys_off';

/** ⌘K or Ctrl K opens the command menu, / focuses the search, j and k move through the rows of a list. */
export function Keyboard() {
  const router = useRouter();
  /** Undefined while the menu is closed. */
  const [Menu, setMenu] = useState<typeof CommandMenu>();
  const [hasKeys, setHasKeys] = useState(true);
  const [isApple, setIsApple] = useState(true);

  // Not `React.lazy`, which remembers that it failed: without a connection, the next press tries again.
  const open = useCallback(() => {
    import('./command-menu').then(
      (module) => setMenu(() => module.CommandMenu),
      () => {},
    );
  }, []);

  useEffect(() => {
    setHasKeys(!readIsOff());
    setIsApple(/^(Mac|iP)/.test(navigator.platform));
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        const menu = event.target instanceof Element ? event.target.closest('dialog') : null;
        menu?.close(); // gives the focus back to where it was
        if (!menu) open();
        return;
      }
      if (!hasKeys || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        const [field] = findShown<HTMLInputElement>('main [aria-keyshortcuts="/"]');
        if (field) field.focus();
        else router.push('/dashboard/customers');
      }
      if (event.key === 'j') focusRow(1);
      if (event.key === 'k') focusRow(-1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [hasKeys, open, router]);

  return (
    <>
      <Button variant="secondary" size="small" aria-haspopup="dialog" onClick={open}>
        Search
        <kbd className="font-sans text-muted-foreground text-xs max-sm:hidden">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {Menu && (
        <Menu
          onClose={() => setMenu(undefined)}
          hasKeys={hasKeys}
          onToggleKeys={() => {
            writeIsOff(hasKeys);
            setHasKeys(!hasKeys);
          }}
        />
      )}
    </>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, select, textarea, [role="slider"], dialog') !== null;

/** Without those of pages that were left, which Next keeps hidden. */
const findShown = <Found extends Element>(selector: string): Found[] =>
  Array.from(document.querySelectorAll<Found>(selector)).filter((element) => element.getClientRects().length > 0);

/** Moves the focus to the first link of the next or the previous row that has one. */
function focusRow(change: 1 | -1): void {
  const links = findShown('main tbody tr').flatMap((row) => row.querySelector('a') ?? []);
  const row = document.activeElement?.closest('tr');
  const current = links.findIndex((link) => link.closest('tr') === row);
  const next = links[current < 0 ? (change > 0 ? 0 : links.length - 1) : current + change];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

// Storage may be disabled; the choice is then lost with the page.
function readIsOff(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) !== null;
  } catch {
    return false;
  }
}

function writeIsOff(isOff: boolean): void {
  try {
    if (isOff) localStorage.setItem(OFF_KEY, '1');
    else localStorage.removeItem(OFF_KEY);
  } catch {}
}
