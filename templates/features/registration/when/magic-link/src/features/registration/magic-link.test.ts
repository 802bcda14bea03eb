import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { ADA } from '../../../test/new-person.js';
import { startTestService } from '../../../test/service.js';

test('whoever registers signs in by a mailed link', async () => {
  const service = await startTestService();
  const client = nativeClient(service);

  const { status, body } = await client.post('/register', { ...ADA, firstName: 'Ada' });
  const token = await requestMagicLink(service, ADA.email);
  const { body: tokens } = await client.post('/magic-link/verify', { token });

  expect(status).toBe(201);
  const me = await nativeClient(service, tokens.accessToken).get('/me');
  const metadata = { firstName: 'Ada' };
  expect(me.body).toMatchObject({ sub: body.userId, isEmailVerified: true, metadata });
});
