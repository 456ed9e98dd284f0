// What every command-line program of ours runs in: an expected failure is one sentence that says what to do, never a stack.
import type Stripe from 'stripe';
import { EnvError } from '@/lib/integration/env';
import { closeDatabases } from '@/prisma/client';
// part: service
import { findDatabaseProblems } from './check-environment';
import { diagnoseDatabase } from './database/diagnose.mjs';
import { migrationsFor } from './database/migrations-of-parts.mjs';
// end: service

/** A failure that the reader can do something about. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command to its end; if it fails, prints why and ends with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(explainFailure(error));
    process.exitCode = 1;
  } finally {
    await closeDatabases();
  }
}

// part: service
/** @throws CommandError if the database is not named, cannot be reached or lacks its tables */
export async function requireDatabase(): Promise<void> {
  const [problem] = findDatabaseProblems('run');
  if (problem) throw new CommandError(problem.message);
  const diagnosis = await diagnoseDatabase(process.env.DATABASE_URL ?? '', migrationsFor(process.env));
  if (diagnosis.state !== 'ready') throw new CommandError(diagnosis.message);
}
// end: service

/** One sentence for what a reader can change; the whole error if it is a mistake of the program. */
function explainFailure(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof EnvError) return error.message;
  if (isStripeFailure(error)) return explainStripeFailure(error);
  return error;
}

type StripeFailure = InstanceType<typeof Stripe.errors.StripeError>;

/** By the name of its type: to compare classes, every command would load Stripe's SDK, a third of its start. */
export const isStripeFailure = (error: unknown): error is StripeFailure =>
  error instanceof Error && 'rawType' in error && 'type' in error && /^Stripe\w*Error$/.test(String(error.type));

/** Stripe's messages name the key by its last four characters at most. */
export function explainStripeFailure(error: StripeFailure): string {
  switch (error.type) {
    case 'StripeAuthenticationError':
      return 'STRIPE_SECRET_KEY: Stripe refuses the key. Copy it again: Stripe dashboard, Developers, API keys.';
    case 'StripePermissionError':
      return `STRIPE_SECRET_KEY: the restricted key lacks a permission. ${error.message}`;
    case 'StripeConnectionError': {
      const address = process.env.STRIPE_API_URL || 'https://api.stripe.com';
      return `Stripe cannot be reached at ${address}. Check the network${process.env.STRIPE_API_URL ? ', or unset STRIPE_API_URL' : ''}.`;
    }
    default:
      return `Stripe says: ${error.message}`;
  }
}
