import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.js';
import { signInAs, startSignedIn } from '../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;

async function startWithUser() {
  const { service, user } = await startSignedIn();
  return { service, user, tokens: service.services.oneTimeTokens };
}

async function createRole({ services }: TestService, name: string, permissions: string[]) {
  const role = { name, permissions: JSON.stringify(permissions) };
  await services.db.insertInto('roles').values(role).execute();
}

test('a token is 32 random bytes and opens once what it was made for', async () => {
  const { user, tokens } = await startWithUser();
  const token = await tokens.issue('reset', user.id, HOUR, 'payload');
  expect(token).toMatch(/^[\da-f]{64}$/);
  const made = { userId: user.id, payload: 'payload' };
  expect(await tokens.consume('reset', token)).toMatchObject(made);
  expect(await tokens.consume('reset', token)).toBeUndefined();
});

test('a token is stored as a hash: whoever reads the database can use none', async () => {
  const { service, user, tokens } = await startWithUser();
  const token = await tokens.issue('reset', user.id, HOUR);
  const rows = await service.services.db.selectFrom('one_time_tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  const [row] = rows;
  expect(await tokens.consume('reset', row?.token_hash ?? '')).toBeUndefined();
});

test('a profile has all nine fields, always', async () => {
  const { client, user } = await signInAs(await startTestService());
  const { status, body } = await client.get('/me');
  expect(status).toBe(200);
  expect(body).toEqual({
    sub: user.id,
    email: user.email,
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: true,
    isTotpEnabled: false,
    metadata: {},
    roles: ['user'],
    permissions: [],
  });
});

test('names are set one by one, and null clears one', async () => {
  const { client } = await signInAs(await startTestService(), { metadata: { team: 'blue' } });
  const metadataAfter = async (change: object) => {
    expect((await client.patch('/profile', change)).body).toEqual({ success: true });
    return (await client.get('/me')).body.metadata;
  };
  expect(await metadataAfter({ firstName: 'Ada', lastName: ' Lovelace ' })).toEqual({
    team: 'blue',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  expect(await metadataAfter({ name: 'Countess', firstName: null })).toEqual({
    team: 'blue',
    lastName: 'Lovelace',
    name: 'Countess',
  });
  expect(await metadataAfter({})).toMatchObject({ name: 'Countess' });
  expect(await metadataAfter({ name: null, lastName: null })).toEqual({ team: 'blue' });
});

test.each([
  ['sessions:cleanup', 200],
  ['sessions:*', 200],
  ['*:cleanup', 200],
  ['*:*', 200],
  ['sessions:read', 403],
  ['session:cleanup', 403],
  ['sessions', 403],
  ['sessions:cleanup:all', 403],
  ['', 403],
])('of a role with "%s" sessions:cleanup is answered %i', async (permission, expected) => {
  const service = await startTestService();
  await createRole(service, 'keeper', [permission]);
  const { client } = await signInAs(service, { role: 'keeper' });
  expect((await client.post('/sessions/cleanup')).status).toBe(expected);
});

test('permissions of several roles add up', async () => {
  const service = await startTestService();
  await createRole(service, 'reader', ['reports:read']);
  await createRole(service, 'keeper', ['sessions:cleanup', 'reports:read']);
  const { client, user } = await signInAs(service, { role: 'reader' });
  service.advance(1_000);
  await service.services.userRoles.assign(user.id, 'keeper');
  const { body } = await client.get('/me');
  expect(body).toMatchObject({
    role: 'reader',
    roles: ['reader', 'keeper'],
    permissions: ['reports:read', 'sessions:cleanup'],
  });
});

test('a role that is given or taken takes effect at once, whatever the token says', async () => {
  const { service, client, user } = await startSignedIn();
  expect((await client.post('/sessions/cleanup')).status).toBe(403);
  await service.services.userRoles.assign(user.id, 'admin');
  expect((await client.post('/sessions/cleanup')).status).toBe(200);
  await service.services.db.deleteFrom('user_roles').where('user_id', '=', user.id).execute();
  expect((await client.post('/sessions/cleanup')).body.code).toBe('FORBIDDEN');
  expect((await client.get('/me')).body).toMatchObject({ role: 'user', permissions: [] });
});
