import { expect, test, vi } from 'vitest';
import { actionsOf, addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import { nativeClient } from './client.js';
import { createPasswordAccount, requestResetToken, resetPassword } from './flows/password.js';
import { policy } from './policy.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('users are found by id, name, role and state', async () => {
  const { service, client } = await startWithAdmin();
  await addRole(service, 'editor', []);
  const ada = await signInAs(service);
  const bea = await signInAs(service, { isEmailProven: false });
  await ada.client.patch('/profile', { firstName: 'Ada', lastName: 'Lovelace' });
  await client.post(`/users/${ada.user.id}/roles`, { role: 'editor' });
  await client.post(`/users/${bea.user.id}/disable`);
  const found = async (query: string) => {
    const { users } = (await client.get(`/users?${query}`)).body;
    return users.map(({ id }: { id: string }) => id);
  };
  expect(await found('filter=lovel')).toEqual([ada.user.id]);
  expect(await found('filter=firstName')).toEqual([]);
  expect(await found(`filter=${bea.user.id}`)).toEqual([bea.user.id]);
  expect(await found('role=editor')).toEqual([ada.user.id]);
  expect(await found('disabled=true')).toEqual([bea.user.id]);
  expect(await found('disabled=false&role=editor')).toEqual([ada.user.id]);
  expect(await found('unverified=true')).toEqual([bea.user.id]);
  expect((await client.get('/users?disabled=maybe')).status).toBe(400);
});

test('attack: a writer of users disables no administrator among many users', async () => {
  const { service, user: root } = await startWithAdmin();
  await signInAtAdmin(service);
  await addRole(service, 'helpdesk', ['users:write']);
  const { client } = await signInAtAdmin(service, { role: 'helpdesk' });
  const { body } = await client.post('/users/bulk', { ids: [root.id], act: 'delete' });
  expect(body.results).toMatchObject([{ success: false, code: 'FORBIDDEN' }]);
});

test('a list refuses a malformed page', async () => {
  const { client } = await startWithAdmin();
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'limit=1.5']) {
    const { status, body } = await client.get(`/users?${query}`);
    expect([query, status, body.code]).toEqual([query, 400, 'VALIDATION_FAILED']);
  }
});

test('attack: fields that the API does not know are ignored, never taken over', async () => {
  const { client } = await startWithAdmin();
  const { status, body } = await client.post('/users', {
    email: 'a@example.com',
    id: 'x',
    isEmailVerified: true,
    roles: ['admin'],
    metadata: { plan: 'pro' },
  });
  expect(status).toBe(201);
  expect(body.user).toMatchObject({ isEmailVerified: false, roles: ['user'], metadata: {} });
  expect(body.user.id).not.toBe('x');
});

test('the lists of one user come a page at a time as well, filtered, with a true total', async () => {
  const { service, client } = await startWithAdmin();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  for (let count = 0; count < 24; count += 1) {
    await signInAs(service, { email: 'ada@example.com' });
    await addRole(service, `role-${count}`, []);
    await client.post(`/users/${ada.user.id}/roles`, { role: `role-${count}` });
  }
  for (const list of ['sessions', 'roles']) {
    const at = (query: string) => client.get(`/users/${ada.user.id}/${list}?${query}`);
    const sizes = async (query: string) => {
      const { body } = await at(query);
      return [body[list].length, body.total];
    };
    expect(await sizes('')).toEqual([20, 25]);
    expect(await sizes('offset=20')).toEqual([5, 25]);
    expect(await sizes('filter=nowhere')).toEqual([0, 0]);
    expect((await at('limit=0')).status).toBe(400);
  }
});

test('an act that fails changes nothing, and is not in the log', async () => {
  const { service, client } = await startWithAdmin();
  expect((await client.post('/users/none/disable')).body.code).toBe('NOT_FOUND');
  const done = (await actionsOf(service)).filter((action) => action.includes('/users'));
  expect(done).toEqual([]);
});

test('race: of 20 parallel deletions of the two last administrators one is left', async () => {
  const service = await startTestService();
  const one = await signInAtAdmin(service);
  const two = await signInAtAdmin(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? one.client.delete(`/users/${two.user.id}`)
        : two.client.delete(`/users/${one.user.id}`),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => status < 500)).toBe(true);
  expect(await service.services.roles.holders('admin')).toHaveLength(1);
});

test('a malformed role is refused', async () => {
  const { client } = await startWithAdmin();
  for (const role of [
    { name: 'Upper', permissions: [] },
    { name: 'fine', permissions: ['nocolon'] },
    { name: 'fine', permissions: ['a:b:c'] },
    { name: 'fine' },
  ]) {
    const { status, body } = await client.post('/roles', role);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test('many users are disabled at once, with an answer and an entry in the audit log for each', async () => {
  const { service, client, user: root } = await startWithAdmin();
  const ada = await signInAs(service);
  const bea = await signInAs(service);
  // Whoever is named twice is acted on once.
  const ids = [ada.user.id, root.id, 'nobody', bea.user.id, ada.user.id];
  const { status, body } = await client.post('/users/bulk', { ids, act: 'disable' });
  expect([status, body.success]).toEqual([200, true]);
  expect(body.results).toHaveLength(4);
  expect(body.results).toMatchObject([
    { id: ada.user.id, success: true },
    { id: root.id, success: false, code: 'LAST_ADMIN' },
    { id: 'nobody', success: false, code: 'NOT_FOUND' },
    { id: bea.user.id, success: true },
  ]);
  expect((await bea.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const { audit } = (await client.get(`/audit?target=${bea.user.id}&event=POST /users/bulk`)).body;
  expect(audit).toMatchObject([{ actor: root.id, details: { act: 'disable' } }]);
  const tooMany = { ids: Array.from({ length: 101 }, String), act: 'enable' };
  expect((await client.post('/users/bulk', tooMany)).status).toBe(400);
});

test('metadata is read and replaced', async () => {
  const { service, client } = await startWithAdmin();
  const ada = await signInAs(service, { metadata: { name: 'Ada' } });
  const path = `/users/${ada.user.id}/metadata`;
  expect((await client.get(path)).body).toEqual({ metadata: { name: 'Ada' } });
  expect((await client.send('PUT', path, { plan: 'pro' })).body).toEqual({
    success: true,
    metadata: { plan: 'pro' },
  });
  expect((await ada.client.get('/me')).body.metadata).toEqual({ plan: 'pro' });
});

test('locking all out: an administrator who is disabled does not count as the other one', async () => {
  const { service, client, user, accessToken } = await startWithAdmin();
  const other = await signInAtAdmin(service);
  expect((await client.post(`/users/${other.user.id}/disable`)).status).toBe(200);
  for (const answer of [
    await client.post(`/users/${user.id}/disable`),
    await client.delete(`/users/${user.id}`),
    await client.delete(`/users/${user.id}/roles/admin`),
    await nativeClient(service, accessToken).delete('/account'),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([409, 'LAST_ADMIN']);
  }
});

test('attack: a writer of roles takes no permission from a role that they lack themselves', async () => {
  const { service } = await startWithAdmin();
  await addRole(service, 'auditor', ['audit:read']);
  await addRole(service, 'keeper', ['admin:access', 'roles:write']);
  const { client } = await signInAtAdmin(service, { role: 'keeper' });
  for (const { status, body } of [
    await client.send('PUT', '/roles/auditor', { permissions: [] }),
    await client.delete('/roles/auditor'),
  ]) {
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
  }
  expect(await service.services.roles.find('auditor')).toMatchObject({
    permissions: ['audit:read'],
  });
});

test('what the log keeps of a deleted user keeps its form', async () => {
  const { service, client } = await startWithAdmin();
  const { user } = await signInAs(service);
  await client.post('/users/bulk', { ids: [user.id], act: 'disable' });
  await client.delete(`/users/${user.id}`);
  await service.idle();
  const { audit } = (await client.get(`/audit?target=${user.id}&event=POST /users/bulk`)).body;
  expect(audit).toMatchObject([{ details: { act: 'disable', fields: ['ids'] } }]);
});

test('attack: whoever may end sessions ends none of somebody who may do more', async () => {
  const { service, user: root, sessionId } = await startWithAdmin();
  await addRole(service, 'helpdesk', ['admin:access', 'sessions:write']);
  const { client } = await signInAtAdmin(service, { role: 'helpdesk' });
  const person = await signInAs(service);
  for (const path of [`/sessions/${sessionId}`, `/users/${root.id}/sessions`]) {
    const { status, body } = await client.delete(path);
    expect([path, status, body.code]).toEqual([path, 403, 'FORBIDDEN']);
  }
  expect((await client.delete(`/sessions/${person.sessionId}`)).status).toBe(200);
  expect(await service.services.sessions.find(sessionId)).toBeDefined();
});

test('what was mailed to an account before it was disabled stays void when it is enabled again', async () => {
  const { service, client } = await startWithAdmin();
  const { id, email } = await createPasswordAccount(service);
  const token = await requestResetToken(service, email);
  for (const act of ['disable', 'enable']) await client.post(`/users/${id}/${act}`);
  const { status, body } = await resetPassword(service, token);
  expect([status, body.code]).toEqual([400, 'INVALID_RESET_TOKEN']);
});

test('the policy checks the password that an administrator gives to a new user', async () => {
  const { client } = await startWithAdmin();
  vi.spyOn(policy, 'passwordProblem').mockResolvedValue('Everybody would guess that.');
  const created = await client.post('/users', { email: 'ada@example.com', password: 'abc123' });
  expect([created.status, created.body.details]).toEqual([
    400,
    [{ path: 'password', message: 'Everybody would guess that.' }],
  ]);
});

test('attack: an export shows sessions only to those who may read sessions', async () => {
  const { service } = await startWithAdmin();
  const { user } = await signInAs(service);
  await addRole(service, 'support', ['users:read']);
  const { client } = await signInAtAdmin(service, { role: 'support' });
  const { data } = (await client.get(`/users/${user.id}/export`)).body;
  expect([data.users.length, data.sessions]).toEqual([1, undefined]);
});
