import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './defaults.js';

/**
 * Adds what `.env` of the working directory says to the environment, outside production only: there,
 * a file left behind must not decide anything. A variable that is set already wins.
 */
export function loadEnvFile(environment: Environment): void {
  if (environment.NODE_ENV === 'production' || !existsSync('.env')) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8')))) {
    environment[name] ||= value;
  }
}
