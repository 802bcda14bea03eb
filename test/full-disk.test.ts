import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../scripts/matrix/start-service.js';
import { buildService } from './support/built-service.js';
import { send } from './support/native-client.js';

/** Mounts a disk of 3 MB in `folder`. @returns whether this user, in this container, may */
function mountSmallDisk(folder: string): boolean {
  const options = ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder];
  const { failed } = execaSync('mount', options, { reject: false });
  if (!failed) onTestFinished(() => void execaSync('umount', ['--lazy', folder]));
  return !failed;
}

/** Lets the service write to no file, as on a full disk: where none can be mounted, its limit of file sizes is 0. */
const limitFiles = (pid: number | undefined, limit: string) =>
  execaSync('prlimit', [`--pid=${pid}`, `--fsize=${limit}`]);

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux(
  'a full disk that is freed again serves again, and what was answered then is stored',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
    const isMounted = mountSmallDisk(disk);
    const folder = await buildService('full-disk');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { DATABASE_URL: `file:${disk}/auth.db`, RATE_LIMIT: 'off', BCRYPT_COST: '10' };
    const password = 'correct horse battery staple';
    const register = async ({ url }: { url: string }, name: string) =>
      (await send(url, 'POST', '/register', { email: `${name}@example.com`, password })).status;

    const service = await startService(folder, { env });
    expect(await register(service, 'before')).toBe(201);
    const filler = join(disk, 'filler');
    if (isMounted) expect(() => writeFileSync(filler, Buffer.alloc(4_000_000))).toThrow('ENOSPC');
    else limitFiles(service.pid, '0:unlimited');
    const meanwhile = Array.from({ length: 30 }, (_, index) => register(service, `while-${index}`));
    expect(new Set(await Promise.all(meanwhile))).toContain(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    if (isMounted) rmSync(filler);
    else limitFiles(service.pid, 'unlimited:unlimited');
    for (const name of ['after', 'later']) expect(await register(service, name)).toBe(201);
    await service.kill();

    const again = await startService(folder, { env });
    const body = { email: 'later@example.com', password };
    expect((await send(again.url, 'POST', '/login', body)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);
