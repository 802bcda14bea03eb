import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../scripts/matrix/start-service.js';
import { buildService } from './support/built-service.js';
import { send } from './support/native-client.js';

/** A disk of this many megabytes; undefined if this user may not mount one. */
function smallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  if (execaSync('mount', options, { reject: false }).exitCode === 0) return folder;
  rmdirSync(folder);
  return undefined;
}

test('a full disk that is freed again serves again, and what was answered then is stored', async (context) => {
  const disk = smallDisk(3);
  if (!disk) return context.skip('only root may mount a small disk');
  onTestFinished(() => {
    execaSync('umount', ['--lazy', disk]);
    rmdirSync(disk);
  });
  const folder = await buildService('full-disk');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { DATABASE_URL: `file:${disk}/auth.db`, RATE_LIMIT: 'off', BCRYPT_COST: '10' };
  const password = 'correct horse battery staple';
  const register = async ({ url }: { url: string }, name: string) =>
    (await send(url, 'POST', '/register', { email: `${name}@example.com`, password })).status;

  const service = await startService(folder, { env });
  expect(await register(service, 'before')).toBe(201);
  const filler = join(disk, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(4_000_000))).toThrow('ENOSPC');
  const meanwhile = Array.from({ length: 30 }, (_, index) => register(service, `while-${index}`));
  expect(new Set(await Promise.all(meanwhile))).toContain(503);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  rmSync(filler);
  for (const name of ['after', 'later']) expect(await register(service, name)).toBe(201);
  await service.kill();

  const again = await startService(folder, { env });
  const body = { email: 'later@example.com', password };
  expect((await send(again.url, 'POST', '/login', body)).status).toBe(200);
  expect(await again.stop()).toBe(0);
});
