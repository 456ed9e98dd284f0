export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startIntegration } = await import('./lib/integration/start');
    startIntegration();
  }
}
