import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { disableUser } from '../src/session/end-session.js';
import { addRole, signInAtAdmin, startWithAdmin } from './administrator.js';
import type { TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const EMAIL = 'mallory@example.com';
const mallory = { email: EMAIL, password: 'a password that Mallory knows' };

/** Runs `act` while a new password is hashed. */
function whileHashing(act: () => Promise<unknown>): void {
  const { hash } = bcrypt;
  vi.spyOn(bcrypt, 'hash').mockImplementationOnce(async (password, cost) => {
    await act();
    return hash(password, cost);
  });
}

async function expectNobody({ services }: TestService): Promise<void> {
  expect(await services.users.findByEmail(EMAIL)).toBeUndefined();
}

test('attack: an administrator who is disabled while a password is hashed creates no other administrator', async () => {
  const { service, client, user } = await startWithAdmin();
  whileHashing(() => disableUser(service.services, user.id, {}));
  const { status, body } = await client.post('/users', { ...mallory, role: 'admin' });
  expect([status, body.code]).toEqual([401, 'SESSION_REVOKED']);
  await expectNobody(service);
});

test('attack: an administrator who loses that role while a password is hashed creates no other administrator', async () => {
  const { service, client, user } = await startWithAdmin();
  await addRole(service, 'helpdesk', ['users:write']);
  await service.services.userRoles.assign(user.id, 'helpdesk');
  whileHashing(() => service.services.roles.revoke(user.id, 'admin'));
  const { status, body } = await client.post('/users', { ...mallory, role: 'admin' });
  expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
  await expectNobody(service);
});

test('attack: an administrator who is disabled in the middle of a bulk act does not act on the rest', async () => {
  const { service, client, user } = await startWithAdmin();
  await signInAtAdmin(service);
  const ada = await signInAs(service);
  const { body } = await client.post('/users/bulk', {
    ids: [user.id, ada.user.id],
    act: 'disable',
  });
  expect(body.results).toMatchObject([{ success: true }, { code: 'SESSION_REVOKED' }]);
  expect((await ada.client.get('/me')).status).toBe(200);
});

test('race: a role that is deleted while a password is hashed: nobody gets an account without it', async () => {
  const { service, client } = await startWithAdmin();
  await addRole(service, 'editor', []);
  whileHashing(() => service.services.roles.delete('editor'));
  const { status, body } = await client.post('/users', { ...mallory, role: 'editor' });
  expect([status, body.code]).toEqual([404, 'ROLE_NOT_FOUND']);
  await expectNobody(service);
});
