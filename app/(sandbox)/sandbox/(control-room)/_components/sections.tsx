const SECTIONS = [
  ['clock', 'Clock'],
  ['failures', 'Failures'],
  ['deliveries', 'Deliveries'],
  ['users', 'Users'],
  ['payments', 'Payments'],
] as const;

/** The parts of the control room, which is a long page. */
export function Sections() {
  return (
    <nav aria-label="On this page" className="-mt-2 mb-4 flex flex-wrap gap-x-4">
      {SECTIONS.map(([id, name]) => (
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
