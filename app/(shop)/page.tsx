import { Card } from '@/components/ui/card'; // part: demo
import { LinkButton } from '@/components/ui/link-button';
import { Money } from '@/components/ui/money';
import { TextLink } from '@/components/ui/text-link';
import { PLANS } from '@/lib/integration/plans';
import { ShopShell } from './shop-shell';
import { StudioWeek } from './studio-week'; // part: demo

// part: demo
const REASONS = [
  {
    title: 'Booked without a phone call',
    text: 'Share one link. Guests see what is available and book it, day or night.',
  },
  {
    title: 'One calendar for the whole studio',
    text: 'Two teachers, three rooms, one pottery wheel: Larkdesk knows what is taken and never double-books.',
  },
  {
    title: 'Fewer empty chairs',
    text: 'A reminder the day before, and a waiting list that fills the seat when a guest cancels.',
  },
];
// end: demo

export default function LandingPage() {
  const [monthly] = PLANS;
  return (
    <ShopShell current="/">
      <section className="grid items-center gap-8 py-6 lg:grid-cols-2 lg:gap-12 lg:py-12">
        <div>
          <h1 className="max-w-xl font-semibold text-4xl tracking-tight sm:text-5xl">
            The booking calendar for small studios
          </h1>
          <p className="mt-4 max-w-prose text-lg text-muted-foreground">
            Classes, appointments and payments in one place. Share a link, and guests book and pay online.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <LinkButton href="/sign-up" prefetch={false}>
              Start free
            </LinkButton>
            <LinkButton href="/pricing" variant="secondary">
              View plans
            </LinkButton>
          </div>
        </div>
        <StudioWeek /> {/* part: demo */}
      </section>

      {/* part: demo */}
      <section aria-label="What Larkdesk does" className="grid gap-4 py-6 md:grid-cols-3">
        {REASONS.map(({ title, text }) => (
          <Card key={title} title={title}>
            <p className="text-muted-foreground">{text}</p>
          </Card>
        ))}
      </section>
      {/* end: demo */}

      <section className="py-6">
        <h2 className="font-semibold text-2xl tracking-tight">One price for the studio, not per seat</h2>
        <p className="mt-2 max-w-prose text-muted-foreground">
          <Money amount={monthly.amount} currency={monthly.currency} /> a month, for every room and teacher.{' '}
          <TextLink href="/pricing">Compare the plans</TextLink>.
        </p>
      </section>
    </ShopShell>
  );
}
