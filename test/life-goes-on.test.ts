import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { problemOf, repositoryFolder, runChild } from '../scripts/matrix/child.js';
import { freshDatabase } from '../scripts/matrix/fresh-database.js';
import { startService } from '../scripts/matrix/start-service.js';
import { unpackRelease } from '../scripts/release/package-archive.js';
import { layersOf } from '../src/catalog/catalog.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { upgradeProject } from './corpus/upgrade-project.js';
import { binFile, runCli } from './support/cli.js';
import { send } from './support/native-client.js';

/** A service of the first release that people use, and the same after its upgrade, on the same rows. */
const databases = layersOf(readCatalog(templatesFolder), 'database').map(({ name }) => name);
// Within this repository, whose packages the services need.
const parent = join(repositoryFolder, 'playground/life-goes-on');
let work: string;

beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  work = mkdtempSync(join(parent, 'run-'));
});

afterAll(() => rmSync(work, { recursive: true }));

const email = 'ada@example.com';
const password = 'correct horse battery staple';

async function build(folder: string): Promise<void> {
  expect(await problemOf(folder, ['npm', 'run', 'build'])).toBeUndefined();
}

/** Built projects: as the first release emits it, and what an upgrade makes of that. */
async function bothVersions(database: string): Promise<{ before: string; after: string }> {
  const place = join(work, database);
  mkdirSync(place);
  const bin = unpackRelease('0.1.0', join(place, 'package'));
  const answers = ['--database', database, '--name', 'acme', '--yes', '--no-install', '--no-git'];
  const made = await runCli(['before', ...answers], { cwd: place, bin });
  expect(made, made.stderr).toMatchObject({ exitCode: 0 });
  const [before, after] = [join(place, 'before'), join(place, 'after')];
  linkedCopy(before, after);
  expect(await upgradeProject(after, binFile)).toMatchObject({ exitCode: 0, pending: [] });
  await Promise.all([before, after].map(build));
  return { before, after };
}

const clientOf = (url: string) => ({
  get: (path: string, token: string | undefined) => send(url, 'GET', path, undefined, token),
  post: (path: string, body: object, token?: string) => send(url, 'POST', path, body, token),
});

/** The token of the one mail that a service has sent with that subject. */
async function mailedToken(folder: string, subject: string): Promise<string> {
  const outbox = join(folder, 'data/outbox');
  const mail = await vi.waitFor(() => {
    const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
    const found = mails.find((text) => text.includes(`Subject: ${subject}`));
    if (!found) throw new Error(`no mail: ${subject}`);
    return found;
  });
  const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return /[?&]token=([\w.-]+)/.exec(text)?.[1] ?? '';
}

test.each(databases)(
  'on %s: accounts, sessions and second factors outlive an upgrade, and both versions serve at once',
  async (name) => {
    const { before, after } = await bothVersions(name);
    const database = await freshDatabase(after);
    const env = { ...database.environment, BCRYPT_COST: '10', RATE_LIMIT: 'off' };
    const old = await startService(before, { env });
    const ofOld = clientOf(old.url);

    expect((await ofOld.post('/register', { email, password })).status).toBe(201);
    const { body: first } = await ofOld.post('/login', { email, password });
    const { body: second } = await ofOld.post('/login', { email, password });
    const { body: app } = await ofOld.post('/2fa/setup', {}, first.accessToken);
    const { secret = '' } = app;
    const code = (steps: number) =>
      generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
    const enrolled = await ofOld.post(
      '/2fa/verify-setup',
      { token: code(-1), secret },
      first.accessToken,
    );
    expect(enrolled.status).toBe(200);
    const { body: challenge } = await ofOld.post('/login', { email, password });
    await ofOld.post('/forgot-password', { email });
    const resetToken = await mailedToken(before, 'Reset your password');

    // As a release does: migrations first, then the new version beside the old one.
    const migrated = await runChild(after, [process.execPath, 'dist/src/commands/migrate.js'], env);
    expect(migrated.exitCode, migrated.text).toBe(0);
    expect((await ofOld.get('/me', first.accessToken)).status).toBe(200);
    const now = await startService(after, { env: { ...env, MIGRATE_ON_START: 'off' } });
    const ofNew = clientOf(now.url);

    const me = await ofNew.get('/me', first.accessToken);
    expect([me.status, me.body.email]).toEqual([200, email]);
    const { status, body: rotated } = await ofNew.post('/refresh', {
      refreshToken: first.refreshToken,
    });
    expect(status).toBe(200);
    // A tab that still talks to the old version gets the same live token.
    const again = await ofOld.post('/refresh', { refreshToken: first.refreshToken });
    expect(again.body.refreshToken).toBe(rotated.refreshToken);
    await ofNew.post('/logout', { refreshToken: second.refreshToken });
    expect((await ofOld.get('/me', second.accessToken)).body.code).toBe('SESSION_REVOKED');

    // The challenge of a sign-in that began before is finished after.
    const { tempToken } = challenge;
    const finished = await ofNew.post('/2fa/verify', { tempToken, totpCode: code(0) });
    expect(finished.status).toBe(200);
    expect(await old.stop()).toBe(0);
    const next = await ofNew.post('/login', { email, password });
    const { recoveryCodes = [] } = enrolled.body as { recoveryCodes?: string[] };
    const [recoveryCode] = recoveryCodes;
    const recovered = await ofNew.post('/2fa/verify', {
      tempToken: next.body.tempToken,
      totpCode: recoveryCode,
    });
    expect(recovered.status).toBe(200);

    const newPassword = 'another horse, another battery';
    // A link of the first release does not say to which address it went: it is refused, and another one works.
    const reset = (token: string) => ofNew.post('/reset-password', { token, newPassword });
    expect((await reset(resetToken)).body.code).toBe('INVALID_RESET_TOKEN');
    await ofNew.post('/forgot-password', { email });
    expect((await reset(await mailedToken(after, 'Reset your password'))).status).toBe(200);
    expect((await ofNew.get('/me', rotated.accessToken)).body.code).toBe('SESSION_REVOKED');
    expect((await ofNew.post('/login', { email, password: newPassword })).status).toBe(200);

    expect(await now.stop()).toBe(0);
    await database.drop();
  },
);
