/** Runs once, before the server takes its first request. What throws here stops the start. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') (await import('./instrumentation.node')).start();
}
