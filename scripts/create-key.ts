// Adds an API key to a program of the embedded service, for instance if every key was lost. It is shown once.
// npm run key:create -- --program prg_… [--label "Web server"] [--access full|api|dashboard]
import './use-environment';
import { createKey, KEY_ACCESS } from '@/lib/service/keys';
import { readOptions } from './options.mjs';
import { CommandError, requireDatabase, runCommand } from './run-command';

await runCommand(async () => {
  const values = readOptions({
    program: { type: 'string' },
    label: { type: 'string', default: 'Command line' },
    access: { type: 'string', default: 'full' },
  });
  const access = KEY_ACCESS.find((name) => name === values.access);
  if (!values.program || !access) {
    throw new CommandError(`Pass --program prg_…; --access is one of ${KEY_ACCESS.join(', ')}.`);
  }
  await requireDatabase();
  const apiKey = await createKey(values.program, values.label, access);
  if (!apiKey) throw new CommandError(`There is no program ${values.program}. npm run program:create creates one.`);
  console.log(`API key     ${apiKey}   (shown once)`);
});
