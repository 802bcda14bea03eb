import { expect, test } from 'vitest';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

test('a profile has all nine fields, always', async () => {
  const { client, user } = await signInAs(await startTestService());
  const { status, body } = await client.get('/me');
  expect(status).toBe(200);
  expect(body).toEqual({
    sub: user.id,
    email: user.email,
    role: 'user',
    loginProvider: 'local',
    isEmailVerified: false,
    isTotpEnabled: false,
    metadata: {},
    roles: ['user'],
    permissions: [],
  });
});

test('a profile is read from the database, not from the token', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  await service.services.db
    .updateTable('users')
    .set({ email: 'new@example.com', email_verified_at: 1 })
    .where('id', '=', user.id)
    .execute();
  const { body } = await client.get('/me');
  expect(body).toMatchObject({ email: 'new@example.com', isEmailVerified: true });
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

test('an emptied field of a form clears a name', async () => {
  const { client } = await signInAs(await startTestService(), { metadata: { firstName: 'Ada' } });
  const change = { firstName: '', lastName: 'Lovelace', name: '   ' };
  expect((await client.patch('/profile', change)).body).toEqual({ success: true });
  expect((await client.get('/me')).body.metadata).toEqual({ lastName: 'Lovelace' });
});

test('race: of changes at once, none undoes another', async () => {
  const { client } = await signInAs(await startTestService());
  const fields = ['firstName', 'lastName', 'name'];
  for (let round = 0; round < 10; round++) {
    const names = fields.map((field) => [field, `${field} ${round}`]);
    await Promise.all(names.map((name) => client.patch('/profile', Object.fromEntries([name]))));
    expect((await client.get('/me')).body.metadata).toEqual(Object.fromEntries(names));
  }
});

test.each<[string, unknown]>([
  ['a number', 7],
  ['an object', { first: 'Ada' }],
  ['201 characters', 'x'.repeat(201)],
])('%s is no name', async (_name, name) => {
  const { client } = await signInAs(await startTestService());
  const { status, body } = await client.patch('/profile', { name });
  expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_FAILED', 'name']);
});

test('mass assignment: no other field of a profile can be written', async () => {
  const service = await startTestService();
  const { client, user } = await signInAs(service);
  const before = (await client.get('/me')).body;
  const attack = `{
    "role": "admin", "roles": ["admin"], "permissions": ["*:*"], "isEmailVerified": true,
    "isTotpEnabled": true, "email": "eve@example.com", "sub": "other", "loginProvider": "other",
    "metadata": {"role": "admin"}, "emailVerifiedAt": 1, "email_verified_at": 1, "disabled_at": 1,
    "__proto__": {"role": "admin"}, "constructor": {"prototype": {"role": "admin"}}
  }`;
  expect((await client.patch('/profile', attack)).status).toBe(200);
  expect((await client.get('/me')).body).toEqual(before);
  const stored = await service.services.users.findById(user.id);
  expect(stored).toMatchObject({ emailVerifiedAt: null, disabledAt: null, metadata: {} });
});
