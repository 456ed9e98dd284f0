import 'server-only';
import { createProgram } from './create-program.ts';
import { serviceEnv } from './env.ts';

const PARTNERS = [
  { code: 'ada', name: 'Ada Keller' },
  { code: 'grace', name: 'Grace Okafor' },
  { code: 'linus', name: 'Linus Berg', active: false },
];

/** The demo programs, one of each lead auth policy (§2), with the API keys of this machine; nothing where it has none. */
export async function seedService(): Promise<void> {
  const { demoApiKey, openApiKey } = serviceEnv();
  if (!demoApiKey || !openApiKey) return;
  await createProgram({ id: 'prg_demo', name: 'Larkdesk partners', partners: PARTNERS, apiKey: demoApiKey });
  await createProgram({
    id: 'prg_open',
    name: 'Larkdesk partners, browser allowed',
    leadAuthPolicy: 'browser_allowed',
    partners: PARTNERS,
    apiKey: openApiKey,
  });
}
