type Command = { name: string; hint?: string; href: string };

const PLACES: readonly Command[] = [
  { name: 'Overview', href: '/dashboard' },
  { name: 'Events', href: '/dashboard/events' },
  { name: 'Customers', href: '/dashboard/customers' },
  { name: 'Partners', href: '/dashboard/partners' },
  { name: 'Settings', href: '/dashboard/settings' },
  { name: 'Payments not attributed', href: '/dashboard/events?kind=not_attributed' },
  { name: 'Refunds', href: '/dashboard/events?kind=refund' },
  { name: 'Test events', href: '/dashboard/events?mode=test' },
  { name: 'Last 7 days', hint: 'Overview', href: '/dashboard?range=7' },
  { name: 'Last 90 days', hint: 'Overview', href: '/dashboard?range=90' },
];

/** What the command menu offers for a text: pages whose names contain it, and searches for it. */
export function findCommands(text: string): Command[] {
  const query = text.trim();
  const places = PLACES.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  if (!query) return places;
  const encoded = encodeURIComponent(query);
  return [
    ...places,
    {
      name: `Search customers for “${query}”`,
      hint: 'Email at sign-up or customer ID',
      href: `/dashboard/customers?q=${encoded}`,
    },
    {
      name: `Open customer journey “${query}”`,
      hint: 'Customer, payment or click ID',
      href: `/dashboard/customers/${encoded}`,
    },
    { name: `Events of click “${query}”`, hint: 'Click ID', href: `/dashboard/events?click=${encoded}` },
    { name: `Events of partner “${query}”`, hint: 'Partner code', href: `/dashboard/events?partner=${encoded}` },
  ];
}
