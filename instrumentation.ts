// Runs once per server process. Copy everything except the lines about instrumentation.node, which is for the other parts of this
// repository. Keep the condition: after an early return, webpack would still compile the imports for the edge runtime.
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startIntegration } = await import('./lib/integration/start');
    const { checkVariables, start } = await import('./instrumentation.node.ts');
    checkVariables();
    startIntegration();
    start();
  }
}
