// Runs once per server process. Copy it with `startIntegration()` alone: `others` is for the other parts of this repository. Keep the
// condition: after an early return, webpack would still compile the imports for the edge runtime.
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startIntegration } = await import('./lib/integration/start');
    const others = await import('./instrumentation.node.ts');
    startIntegration(
      others.findServiceProblems(), // part: service
    );
    others.start();
  }
}
