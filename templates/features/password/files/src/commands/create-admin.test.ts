import { expect, it } from 'vitest';
import { browser } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { addAdmin } from './add-admin.js';
import { bootstrapAdmin } from './create-admin.js';

const FIRST_ADMIN = {
  BOOTSTRAP_ADMIN_EMAIL: 'Root@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: 'a password for the first one',
};

it('makes a first administrator who can sign in', async () => {
  const service = await startTestService(FIRST_ADMIN);
  const client = browser(service);
  const signedIn = await client.post('/login', {
    email: 'root@example.com',
    password: FIRST_ADMIN.BOOTSTRAP_ADMIN_PASSWORD,
  });
  expect(signedIn.status).toBe(200);
  expect((await client.get('/me')).body).toMatchObject({ role: 'admin', isEmailVerified: true });
});

it('makes no second one at the next start', async () => {
  const { services } = await startTestService(FIRST_ADMIN);
  await bootstrapAdmin({
    ...services,
    config: { ...services.config, BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' },
  });
  expect(await services.users.findByEmail('other@example.com')).toBeUndefined();
});

it('does not promote somebody who registered the address first', async () => {
  const { services } = await startTestService();
  await services.users.create({ email: 'root@example.com', loginProvider: 'local' });
  expect(await addAdmin(services, 'root@example.com')).toBe(false);
  await bootstrapAdmin({ ...services, config: { ...services.config, ...FIRST_ADMIN } });
  expect(await services.userRoles.isHeld('admin')).toBe(false);
});
