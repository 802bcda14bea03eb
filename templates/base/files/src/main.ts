import { startService } from './commands/start.js';
import { readConfig } from './config.js';
import { loadEnvFile } from './process/environment.js';
import { reasonOf } from './process/log.js';

/** Past this the process ends anyway: an orchestrator would kill it soon after. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  loadEnvFile(process.env);
  // Before anything starts: whoever reads the ready line may send a signal at once.
  const stopSignal = nextStopSignal();
  void stopSignal.then(() => setTimeout(() => process.exit(1), SHUTDOWN_MS).unref());
  const service = await startService(readConfig(process.env));
  const signal = await stopSignal;
  service.services.log.info({ signal }, 'shutting down');
  await service.close();
  process.exit(0);
}

/** The first SIGTERM or SIGINT. The same one again ends the process at once, as it does by default. */
function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
