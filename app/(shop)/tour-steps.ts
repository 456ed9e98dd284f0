export type TourStep = {
  title: string;
  /** What to do, while it has not happened. */
  todo: string;
  /** Where it is done, where a link leads there. */
  href?: string;
  /** Events of the journey any of which shows that it has. */
  views: readonly string[];
  /** Where it is seen. */
  seen: (clickId: string) => { href: string; name: string };
  /** The file that did it. */
  file: string;
};

const journey = (clickId: string) => ({ href: `/dashboard/customers/${clickId}`, name: 'its journey' });

/** One visitor from click to renewal, in the order in which it happens. */
export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: 'Click',
    todo: 'Arrive through Ada’s link.',
    href: '/?aff=ada',
    views: ['click'],
    seen: journey,
    file: 'lib/tracker/src/capture.ts',
  },
  {
    title: 'Sign-up',
    todo: 'Start free. Any e-mail address does.',
    href: '/sign-up',
    views: ['provisional', 'lead'],
    seen: () => ({ href: '/sandbox#users', name: 'the user' }),
    file: 'app/(shop)/(account)/use-sign-up-metadata.ts',
  },
  {
    title: 'Lead',
    todo: 'Nothing to do: the webhook reports it.',
    views: ['lead'],
    seen: journey,
    file: 'app/(shop)/api/webhooks/clerk/route.ts',
  },
  {
    title: 'Checkout',
    todo: 'Choose a plan, and pay with 4242 4242 4242 4242.',
    href: '/pricing',
    views: ['sale'],
    seen: () => ({ href: '/sandbox#payments', name: 'the payment' }),
    file: 'lib/integration/attribution-metadata.ts',
  },
  {
    title: 'Sale',
    todo: 'Nothing to do: the service reads the payment’s webhook.',
    views: ['sale'],
    seen: journey,
    file: 'lib/service/payments/record-payment.ts',
  },
  {
    title: 'Renewal',
    todo: 'Advance one month in the control room.',
    href: '/sandbox#clock',
    views: ['renewal'],
    seen: journey,
    file: 'lib/integration/attribution-metadata.ts',
  },
];
