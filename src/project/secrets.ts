import { randomBytes } from 'node:crypto';
import type { EnvVariable } from '../plan/env-example.js';

// 256 bits, as many as HMAC-SHA-256 can use (RFC 7518, 3.2).
const secretBytes = 32;

/** What somebody types to add a new secret to `.env`, which may lack a newline at its end. */
export function secretCommand(name: string): string {
  return `printf '\\n${name}=%s\\n' "$(openssl rand -hex ${secretBytes})" >> .env`;
}

/**
 * `.env.example` with a fresh secret for each variable that asks for one, also in a URL that has it as its user info.
 * This is the only random text of a project.
 */
export function drawSecrets(envExample: string, variables: EnvVariable[]): string {
  const names = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  return names.reduce((text, name) => {
    const secret = randomBytes(secretBytes).toString('hex');
    return text
      .replace(new RegExp(`^${name}=$`, 'm'), `${name}=${secret}`)
      .replace(`:${name}@`, `:${secret}@`);
  }, envExample);
}
