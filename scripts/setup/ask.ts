// Questions in the terminal. A secret is not shown while it is typed or pasted.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

type Terminal = {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
};

/** @returns the line that was typed, without spaces around it */
export async function ask(
  question: string,
  { isSecret }: { isSecret: boolean },
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<string> {
  // readline echoes to its output, so a secret's echo goes nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true });
  const canceled = new Promise<never>((_, reject) => {
    // Ctrl-C, and Ctrl-D or the end of the input
    for (const event of ['SIGINT', 'close'])
      lines.once(event, () => reject(new Error('Canceled. Nothing was written.')));
  });
  try {
    if (isSecret) output.write(question);
    const answer = await Promise.race([lines.question(isSecret ? '' : question), canceled]);
    if (isSecret) output.write('\n');
    return answer.trim();
  } finally {
    lines.close();
  }
}
