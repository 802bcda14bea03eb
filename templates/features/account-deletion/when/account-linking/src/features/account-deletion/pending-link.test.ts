import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { now } from '../../process/clock.js';

test('attack: what waited to be linked to a deleted account does not wait for whoever has its address next', async () => {
  const service = await startTestService();
  const email = 'ada@example.com';
  const ada = await signInAs(service, { email });
  const eves = { provider: 'acme', id: 'eve', email, name: 'Eve', picture: null };
  const { accountLinking } = service.services;
  await accountLinking.openPending(email, eves, 'browser', now() + 60_000);
  expect((await ada.client.delete('/account')).status).toBe(200);

  await signInAs(service, { email });
  const asked = await browser(service).post('/link-request', { email, provider: 'acme' });
  expect([asked.status, asked.body.code]).toEqual([401, 'INVALID_TOKEN']);
  expect(await service.mails()).toEqual([]);
});
