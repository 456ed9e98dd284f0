// The pages that Stripe hosts: Checkout, the bank's 3-D Secure page, invoices and the billing portal.
import { type Context, Hono } from 'hono';
import type { Emulator } from '../../core/emulator';
import { guard } from '../../core/guard';
import { NotFoundPage, pageHeaders, readFields } from '../../core/page';
import {
  answerChallenge,
  applyPromotionCode,
  chooseCountry,
  payCheckout,
  showChallenge,
  showCheckout,
} from '../checkout/page';
import { ApiError } from '../errors';
import { showPortal } from '../portal';
import { actInPortal, clearNotice } from '../portal-actions';
import { ChallengePage, CheckoutPage } from './checkout';
import { InvoicePage, showInvoice } from './invoice';
import { CancelPage, PortalPage } from './portal';
import { FlowPage } from './portal-flow';

export function hostedPages(emulator: Emulator): Hono {
  const { appName, appUrl } = emulator.config;
  const app = new Hono();
  const missing = (c: Context) =>
    c.html(
      <NotFoundPage
        title="Page not found"
        header={<p class="small">Stripe, emulated</p>}
        back={{ href: appUrl, label: `Back to ${appName}` }}
      >
        There is no such checkout, invoice or portal session. It may have been removed by a reset, or with its customer.
      </NotFoundPage>,
      404,
    );
  app.use(pageHeaders, guard(emulator.config));

  app.get('/checkout/:id', async (c) => {
    const id = c.req.param('id');
    const view = await showCheckout(emulator, id);
    return view ? c.html(<CheckoutPage id={id} view={view} appName={appName} />) : missing(c);
  });
  app.post('/checkout/:id/pay', async (c) =>
    c.redirect(await payCheckout(emulator, c.req.param('id'), await readFields(c)), 303),
  );
  app.post('/checkout/:id/country', async (c) => {
    const { country = '' } = await readFields(c);
    return c.redirect(await chooseCountry(emulator, c.req.param('id'), country), 303);
  });
  app.post('/checkout/:id/promotion', async (c) => {
    const { promotion_code: code = '' } = await readFields(c);
    return c.redirect(await applyPromotionCode(emulator, c.req.param('id'), code), 303);
  });
  app.get('/checkout/:id/authenticate', async (c) => {
    const id = c.req.param('id');
    const view = await showChallenge(emulator, id);
    if (!view) return c.redirect(`/stripe/checkout/${id}`);
    return c.html(<ChallengePage id={id} view={view} appName={appName} />);
  });
  app.post('/checkout/:id/authenticate/answer', async (c) => {
    const { answer } = await readFields(c);
    return c.redirect(await answerChallenge(emulator, c.req.param('id'), answer === 'complete'), 303);
  });

  app.get('/invoice/:id', async (c) => {
    const view = await showInvoice(emulator, c.req.param('id'));
    return view ? c.html(<InvoicePage view={view} appName={appName} appUrl={appUrl} />) : missing(c);
  });

  app.get('/portal/:id', async (c) => {
    const id = c.req.param('id');
    const view = await showPortal(emulator, id);
    const Shown = view?.flow ? FlowPage : PortalPage;
    return view ? c.html(<Shown id={id} view={view} appName={appName} />) : missing(c);
  });
  app.get('/portal/:id/cancel', async (c) => {
    const id = c.req.param('id');
    const view = await showPortal(emulator, id);
    const subscription = view?.subscriptions.find((one) => one.id === c.req.query('subscription'));
    if (!subscription) return c.redirect(`/stripe/portal/${id}`);
    await clearNotice(emulator, id);
    return c.html(<CancelPage id={id} subscription={subscription} appName={appName} />);
  });
  app.post('/portal/:id/act', async (c) =>
    c.redirect(await actInPortal(emulator, c.req.param('id'), await readFields(c)), 303),
  );

  app.get('*', missing);
  app.onError((error, c) => {
    if (error instanceof ApiError && error.body.code === 'resource_missing') return missing(c);
    throw error;
  });
  return app;
}
