import 'server-only';
import { readClock } from '../clock/clock';
import { readSetting, type SettingName, writeSetting } from '../settings/settings';

export type DeliveryMode = 'ordered' | 'shuffled' | 'duplicated';

export type Switches = {
  /** Everyone's clock, ISO. */
  now: string;
  /** How far it is ahead of the wall's. */
  secondsAhead: number;
  mode: DeliveryMode;
  delaySeconds: number;
  /** The mistake that real integrations make: metadata on the session, none on the subscription. */
  dropsSubscriptionMetadata: boolean;
};

/** What the control room's switches stand at, for everyone. */
export async function readSwitches(): Promise<Switches> {
  const [now, mode, delay, drops] = await Promise.all([
    readClock(),
    readSetting('deliveries.mode'),
    readSetting('deliveries.delay_seconds'),
    readSetting('stripe.drop_subscription_metadata'),
  ]);
  return {
    now: new Date(now * 1000).toISOString(),
    secondsAhead: now - Math.floor(Date.now() / 1000),
    mode: mode === 'shuffled' || mode === 'duplicated' ? mode : 'ordered',
    delaySeconds: Number(delay ?? 0),
    dropsSubscriptionMetadata: drops === 'true',
  };
}

type Change = { mode?: DeliveryMode; delaySeconds?: number; dropsSubscriptionMetadata?: boolean };

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
