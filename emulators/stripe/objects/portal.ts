// The billing portal: its configuration and its sessions.
import { createId } from '../../core/ids';
import type { ApiObject } from '../wire';
import { build } from './build';

type Configuration = ApiObject<'billing_portal.configuration'>;
type Features = Configuration['features'];

/** The default of a feature that the configuration does not mention. */
const DISABLED: Features = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    products: null,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};

type PartialFeatures = { [Key in keyof Features]?: Partial<Features[Key]> };

/** Features after a change: what it names is set, the rest stays. */
export const mergeFeatures = (change: PartialFeatures, current: Features = DISABLED): Features => ({
  customer_update: { ...current.customer_update, ...change.customer_update },
  invoice_history: { ...current.invoice_history, ...change.invoice_history },
  payment_method_update: { ...current.payment_method_update, ...change.payment_method_update },
  subscription_cancel: { ...current.subscription_cancel, ...change.subscription_cancel },
  subscription_pause: { ...current.subscription_pause, ...change.subscription_pause },
  subscription_update: { ...current.subscription_update, ...change.subscription_update },
});

type NewConfiguration = {
  name: string | null;
  businessProfile: Partial<Configuration['business_profile']>;
  defaultReturnUrl: string | null;
  features: PartialFeatures;
  isDefault: boolean;
  metadata: Record<string, string>;
};

export const buildConfiguration = (given: NewConfiguration, now: number): Configuration =>
  build('billing_portal.configuration', {
    id: createId('bpc', 24),
    active: true,
    business_profile: {
      headline: null,
      privacy_policy_url: null,
      terms_of_service_url: null,
      ...given.businessProfile,
    },
    created: now,
    default_return_url: given.defaultReturnUrl,
    features: mergeFeatures(given.features),
    is_default: given.isDefault,
    login_page: { enabled: false, url: null },
    metadata: given.metadata,
    name: given.name,
    updated: now,
  });

type NewPortalSession = {
  customer: string;
  configuration: string;
  returnUrl: string | null;
  locale: string | null;
  flow: ApiObject<'billing_portal.session'>['flow'];
  url: (id: string) => string;
};

export function buildPortalSession(given: NewPortalSession, now: number): ApiObject<'billing_portal.session'> {
  const id = createId('bps', 24);
  return build('billing_portal.session', {
    id,
    configuration: given.configuration,
    created: now,
    customer: given.customer,
    flow: given.flow,
    locale: given.locale as ApiObject<'billing_portal.session'>['locale'],
    return_url: given.returnUrl,
    url: given.url(id),
  });
}
