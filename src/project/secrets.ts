import { randomBytes } from 'node:crypto';
import type { EnvVariable } from '../plan/env-example.js';

// 256 bits: what HMAC-SHA-256 can use (RFC 7518, 3.2).
const secretBytes = 32;

/** In hex. */
export function drawSecret(): string {
  return randomBytes(secretBytes).toString('hex');
}

/** `.env.example` with a fresh secret for each variable that asks for one. The only random text of a project. */
export function drawSecrets(envExample: string, variables: EnvVariable[]): string {
  const secrets = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  return envExample.replace(/^([A-Z][A-Z0-9_]*)=$/gm, (line, name: string) =>
    secrets.includes(name) ? line + drawSecret() : line,
  );
}
