// A visitor without a browser: cookies, and the requests that a browser, the tracker, clerk-js and the hosted payment page
// would send. The app's own code does the rest.
import { randomUUID } from 'node:crypto';

const PASSWORD = 'correct horse 42';
const CARD = { number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Wanda Walker' };
const EXPIRED = /(?:^|;\s*)max-age=0(?:;|$)/i;
export const NO_FAULT = { mode: 'ordered', delay_seconds: 0, drop_subscription_metadata: false, outage: false };

/** @typedef {Partial<Record<keyof typeof NO_FAULT, string | number | boolean>>} Fault by the fields of POST /control/faults */
/** @typedef {{ event_type: string, status: string, body: string, attempts: object[], next_attempt_at: string | null }} Webhook */
/** @typedef {{ id: string, reason: string }} Invoice */

export class Visitor {
  email = `scenario-${randomUUID().slice(0, 8)}@example.com`;
  /** @type {string | null} */
  clickId = null;
  userId = '';
  /** @type {Map<string, string>} */
  #cookies = new Map();
  #appUrl;
  #emulatorsUrl;

  /** @param {{ appUrl: string, emulatorsUrl: string }} addresses */
  constructor({ appUrl, emulatorsUrl }) {
    this.#appUrl = appUrl;
    this.#emulatorsUrl = emulatorsUrl;
  }

  /** As the control room's "Tracker blocked" does: for this visitor alone. @param {boolean} isBlocked */
  block(isBlocked) {
    if (isBlocked) this.#cookies.set('emulators_blocker', 'on');
    else this.#cookies.delete('emulators_blocker');
  }

  /** Opens a partner's link; what the tracker does then. @param {string} partner @param {string} programId */
  async arrive(partner, programId) {
    const page = `${this.#appUrl}/?aff=${partner}`;
    await this.#ask(page, { headers: { accept: 'text/html' } });
    const body = JSON.stringify({ affiliate_url: page, program_id: programId });
    const response = await this.#ask(`${this.#appUrl}/api/v1/track/click`, { method: 'POST', body }).catch(() => null);
    const { click_id: clickId } = response?.ok ? await response.json() : { click_id: null };
    if (!clickId) return;
    this.clickId = clickId;
    this.#cookies.set('svc_click_id', encodeURIComponent(clickId));
  }

  /** Fills the sign-up form. */
  async signUp() {
    const response = await this.#ask(`${this.#emulatorsUrl}/clerk/v1/client/sign_ups`, {
      method: 'POST',
      body: new URLSearchParams({
        email_address: this.email,
        password: PASSWORD,
        unsafe_metadata: JSON.stringify({ svc_click_id: this.clickId }),
      }),
    });
    const { created_user_id: userId, created_session_id: session } = (await response.json()).response;
    this.userId = userId;
    await this.#keepSession(session);
  }

  /** clerk-js writes the session token into cookies, under a plain name and under one with the instance's suffix. */
  async #keepSession(/** @type {string} */ session) {
    const url = `${this.#emulatorsUrl}/clerk/v1/client/sessions/${session}/tokens`;
    const { jwt } = await (await this.#ask(url, { method: 'POST', body: new URLSearchParams() })).json();
    const [suffixed = ''] = [...this.#cookies.keys()].filter((name) => name.startsWith('__client_uat_'));
    this.#cookies.set('__session', jwt);
    this.#cookies.set(suffixed.replace('__client_uat', '__session'), jwt);
  }

  /** Chooses a plan, and pays on the hosted page. @param {string} plan */
  async buy(plan) {
    const opened = await this.#ask(`${this.#appUrl}/api/checkout`, {
      method: 'POST',
      body: new URLSearchParams({ plan }),
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
    });
    const address = opened.headers.get('location') ?? '';
    if (!address.startsWith(`${this.#emulatorsUrl}/stripe/`)) {
      throw new Error(`The checkout led to ${address || `status ${opened.status}`} instead of the payment page.`);
    }
    await this.#ask(address, { headers: { accept: 'text/html' } });
    const paid = await this.#ask(`${address}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ email: this.email, ...CARD }),
    });
    if (paid.status !== 303) throw new Error(`The payment returned ${paid.status}.`);
  }

  /** Stripe renews the subscription. */
  async renew() {
    await this.control('clock', { to_next_renewal: true, customer: this.email });
  }

  /**
   * Sets all faults for this visitor, whose own settings take precedence over those for all customers.
   * @param {Fault} fault the one that is on
   */
  async setFault(fault) {
    await this.control('faults', { ...NO_FAULT, ...fault, customer: this.email });
  }

  async forgetFaults() {
    const settings = Object.fromEntries(Object.keys(NO_FAULT).map((name) => [name, null]));
    await this.control('faults', { ...settings, customer: this.email });
  }

  /** @param {Fault} fault @throws an error if it is not on for this visitor, such as after "Turn all faults off" */
  async checkFault(fault) {
    const [[name, value] = []] = Object.entries(fault);
    const faults = await this.#listFaults();
    if (faults.some((one) => one.subject === this.email && one.name === name && one.value === String(value))) return;
    throw new Error('The fault was turned off while the scenario ran. Run it again.');
  }

  /** A visitor without an account has no setting of their own. @throws an error if the service is down for everyone */
  async refuseOutage() {
    const faults = await this.#listFaults();
    if (!faults.some(({ name, subject }) => name === 'outage' && subject === '')) return;
    throw new Error('Service outage is on for all customers, and so for this visitor. Turn it off and run this again.');
  }

  /** @returns {Promise<{ name: string, subject: string, value: string }[]>} */
  async #listFaults() {
    return (await (await fetch(`${this.#emulatorsUrl}/control/faults`)).json()).data;
  }

  /** @param {string} route @param {object} body */
  async control(route, body) {
    const response = await fetch(`${this.#emulatorsUrl}/control/${route}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`/control/${route} returned ${response.status}: ${await response.text()}`);
  }

  /** This visitor's webhooks, the newest first. @returns {Promise<Webhook[]>} */
  async listWebhooks() {
    const query = new URLSearchParams({ customer: this.email, limit: '200' });
    const response = await fetch(`${this.#emulatorsUrl}/control/deliveries?${query}`);
    return (await response.json()).data;
  }

  /** The invoices that Stripe reports as paid. @returns {Promise<Invoice[]>} */
  async listInvoices() {
    const webhooks = await this.listWebhooks();
    return webhooks
      .filter(({ event_type: type }) => type === 'invoice.paid')
      .map(({ body }) => {
        const { id, billing_reason: reason } = JSON.parse(body).data.object;
        return { id, reason };
      });
  }

  /** @param {string} url @param {RequestInit} init */
  async #ask(url, init) {
    const isJson = typeof init.body === 'string';
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        'user-agent': 'Mozilla/5.0 (scenario)',
        origin: new URL(url).pathname.startsWith('/stripe/') ? this.#emulatorsUrl : this.#appUrl,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(isJson && { 'content-type': 'text/plain' }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (EXPIRED.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value.join('='));
    }
    return response;
  }
}
