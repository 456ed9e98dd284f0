'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { cx } from '@/components/ui/cx';
import { findCommands } from './find-commands';

type CommandMenuProps = {
  onClose: () => void;
  /** Whether single-key shortcuts are on, and a switch for them: speech input triggers them by accident (WCAG 2.1.4). */
  hasKeys: boolean;
  onToggleKeys: () => void;
};

/** Navigates by name: a text field with a list of commands below it. */
export function CommandMenu({ onClose, hasKeys, onToggleKeys }: CommandMenuProps) {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const isPressedOutside = useRef(false);
  const commands = findCommands(text);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const go = (index: number) => {
    const command = commands[index];
    if (!command) return;
    router.push(command.href as Route);
    dialog.current?.close(); // gives the focus back, and calls `onClose`
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the keys choose among an input method's suggestions
    const change = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (change) {
      event.preventDefault();
      setActive((active + change + commands.length) % commands.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      go(active);
    }
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-label="Command menu"
      onClose={onClose}
      // Not before the click, which would fall on the page; and not when a selection of text ends outside.
      onPointerDown={({ target }) => {
        isPressedOutside.current = target === dialog.current;
      }}
      onClick={({ target }) => isPressedOutside.current && target === dialog.current && dialog.current.close()}
      className="mx-auto mt-[12dvh] mb-auto w-[calc(100%-2rem)] max-w-xl rounded-card border border-border bg-surface p-0 text-foreground shadow-xl backdrop:bg-black/40"
    >
      <input
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={commands[active] && `command-${active}`}
        autoComplete="off"
        placeholder="Search or jump to…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className="min-h-12 w-full rounded-t-card border-border border-b bg-surface px-4 outline-none placeholder:text-muted-foreground"
      />
      <div
        ref={list}
        id="commands"
        role="listbox"
        aria-label="Commands"
        className="max-h-[50dvh] overflow-y-auto p-1.5"
      >
        {commands.map(({ name, hint, href }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and the keys (ARIA combobox pattern)
          <div
            key={href}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => go(index)}
            onPointerMove={() => setActive(index)}
            className={cx(
              'flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-2.5',
              index === active && 'bg-muted outline-2 -outline-offset-2',
            )}
          >
            <span className="truncate">{name}</span>
            {hint && <span className="shrink-0 text-muted-foreground text-xs">{hint}</span>}
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-border border-t px-4 py-2 text-muted-foreground text-xs">
        <span>
          <kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> rows · <kbd>Esc</kbd> close
        </span>
        <button type="button" onClick={onToggleKeys} className="min-h-6 underline underline-offset-4">
          {hasKeys ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on'}
        </button>
      </div>
    </dialog>
  );
}
