// The options of a command. The first lines of its file say what it does and what it takes: `--help` prints them.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The first lines of the program that runs. */
export const usage = () =>
  (/^(\/\/.*\n)*/.exec(readFileSync(process.argv[1] ?? '', 'utf8'))?.[0] ?? '')
    .replace(/^\/\/ ?| \/\/ part: .*$/gm, '')
    .trimEnd();

/**
 * Reads the command line. Ends the program if help is asked for, and if an option is none of its own.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} Options
 * @param {Options} options
 * @returns {ReturnType<typeof parseArgs<{ options: Options }>>['values']}
 */
export function readOptions(options) {
  if (process.argv.includes('--help')) {
    console.log(usage());
    process.exit();
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage()}`);
    process.exit(1);
  }
}
