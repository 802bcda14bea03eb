import { loadEnvFile } from './environment/env-file.js';
import { ConfigError, readConfig } from './environment/read-config.js';
import { startService } from './start.js';

/** Past this the process ends anyway: an orchestrator would kill it soon after. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  loadEnvFile(process.env);
  const service = await startService(readConfig(process.env));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      service.services.log.info({ signal }, 'shutting down');
      setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
      service.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${String(error)}\n`);
  process.exit(1);
});
