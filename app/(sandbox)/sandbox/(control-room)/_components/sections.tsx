const SECTIONS = [
  { id: 'clock', name: 'Clock', needs: 'stripe' },
  { id: 'failures', name: 'Failures' },
  { id: 'deliveries', name: 'Deliveries' },
  { id: 'users', name: 'Users', needs: 'clerk' },
  { id: 'payments', name: 'Payments', needs: 'stripe' },
] as const;

/** The parts of the control room, which is a long page; those of a provider that is real are not on it. */
export function Sections({ sandboxed }: { sandboxed: readonly string[] }) {
  return (
    <nav aria-label="On this page" className="-mt-2 mb-4 flex flex-wrap gap-x-4">
      {SECTIONS.filter((section) => !('needs' in section) || sandboxed.includes(section.needs)).map(({ id, name }) => (
        <a
          key={id}
          href={`#${id}`}
          className="inline-flex min-h-11 items-center text-link underline underline-offset-4"
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
