import { appEnv } from './lib/integration/env';
import { decideSandbox } from './lib/sandbox/switch.mjs';
import { serviceEnv } from './lib/service/env';
import { isServiceEmbedded } from './lib/service/switch.mjs';

/** Checks the variables of the other parts, and says what each part runs on. */
export function start(): void {
  try {
    serviceEnv();
    assertNoSandboxInPublic(appEnv().APP_URL);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  printModes();
}

/** The stand-ins let anybody be anybody. In production they run on your own machine only, and only when asked for. */
function assertNoSandboxInPublic(appUrl: string): void {
  const sandbox = decideSandbox(process.env);
  if (process.env.NODE_ENV !== 'production' || !(sandbox.clerk || sandbox.stripe)) return;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(appUrl).hostname);
  if (isLocal && process.env.SANDBOX === 'on') return;
  const names = [sandbox.clerk && 'Clerk', sandbox.stripe && 'Stripe'].filter(Boolean);
  throw new Error(
    `This server would run on stand-ins for ${names.join(' and ')}, in public. Set your own keys ` +
      '(docs/going-live.md), or try the app with `npm run preview`.',
  );
}

function printModes(): void {
  const sandbox = decideSandbox(process.env);
  console.log(`Clerk             ${sandbox.clerk ? 'sandbox' : 'your keys'}`);
  console.log(`Stripe            ${sandbox.stripe ? 'sandbox' : 'your keys'}`);
  console.log(
    `Tracking service  ${isServiceEmbedded(process.env) ? 'embedded' : process.env.NEXT_PUBLIC_SVC_BASE_URL}`,
  );
}
