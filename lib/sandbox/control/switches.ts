import 'server-only';
import { type SettingName, writeSetting } from '../settings/settings';

type Change = {
  mode?: 'ordered' | 'shuffled' | 'duplicated';
  delaySeconds?: number;
  /** The mistake that real integrations make: metadata on the session, none on the subscription. */
  dropsSubscriptionMetadata?: boolean;
};

/** Sets some of them, for everyone or for one customer (an e-mail address). */
export async function setSwitches(change: Change, customer?: string): Promise<void> {
  const subject = customer?.toLowerCase();
  const values: [SettingName, string | undefined][] = [
    ['deliveries.mode', change.mode],
    ['deliveries.delay_seconds', change.delaySeconds?.toString()],
    ['stripe.drop_subscription_metadata', change.dropsSubscriptionMetadata?.toString()],
  ];
  for (const [name, value] of values) {
    if (value !== undefined) await writeSetting(name, value, subject);
  }
}
