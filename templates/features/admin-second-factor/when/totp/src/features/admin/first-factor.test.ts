import { expect, test } from 'vitest';
import { signInAtAdmin } from '../../../test/administrator.js';
import { type Client, nativeClient } from '../../../test/client.js';
import { inProduction } from '../../../test/environment.js';
import { authenticatorCode, enrolTotp } from '../../../test/flows/totp.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { mountsOf } from '../../http/route.js';
import { adminPrefix } from './feature.js';

const MINUTE = 60_000;

/** The responses of all administration routes to a client: each status and code once. */
async function answersTo(client: Client, { services }: TestService): Promise<unknown[]> {
  const mount = mountsOf(services).find(({ prefix }) => prefix === adminPrefix(services.config));
  const answers = new Set<string>();
  for (const { method, path } of mount?.routes ?? []) {
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    const answer = await client.send(method, url, method === 'GET' ? undefined : {});
    answers.add(`${answer.status} ${answer.body.code}`);
  }
  return [...answers];
}

test('attack: an administrator with a first-factor session reaches nothing, neither reads nor /ping', async () => {
  const { DATABASE_URL: _, ...production } = inProduction;
  const service = await startTestService(production);
  const admin = await signInAtAdmin(service);
  const user = await signInAtAdmin(service, { role: 'user' });
  expect(await answersTo(user.client, service)).toEqual(['403 FORBIDDEN']);
  expect(await answersTo(admin.client, service)).toEqual(['403 2FA_SETUP_REQUIRED']);

  await enrolTotp({ ...admin, client: nativeClient(service, admin.accessToken) });
  expect((await admin.client.get('/ping')).status).toBe(200);

  const phished = await signInAtAdmin(service, { email: admin.user.email });
  expect(await answersTo(phished.client, service)).toEqual(['403 REAUTHENTICATION_REQUIRED']);
});

test('a code in a change upgrades the session, for reads too; later changes need another one', async () => {
  const service = await startTestService({ ADMIN_2FA: 'on', ACCESS_TOKEN_TTL: '1h' });
  const first = await signInAtAdmin(service);
  const client = nativeClient(service, first.accessToken);
  const { secret } = await enrolTotp({ ...first, client });
  service.advance(MINUTE);
  const admin = await signInAtAdmin(service, { email: first.user.email });
  const create = (proof = {}) =>
    admin.client.post('/users', { email: `${Math.random()}@example.com`, ...proof });

  expect((await create()).body.code).toBe('REAUTHENTICATION_REQUIRED');
  expect((await create({ code: authenticatorCode(secret) })).status).toBe(201);
  expect((await admin.client.get('/ping')).status).toBe(200);
  expect((await create()).status).toBe(201);
  service.advance(16 * MINUTE);
  expect((await admin.client.get('/ping')).status).toBe(200);
  expect((await create()).body.code).toBe('REAUTHENTICATION_REQUIRED');
});
