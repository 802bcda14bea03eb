import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { createPasswordAccount, disableAccount } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

const action = 'identity.auth.login.failed';

test('the audit log names who was refused after a right password, and counts those before it', async () => {
  const service = await startTestService();
  const { auditLog, workers } = service.services;
  const { id, email, password } = await createPasswordAccount(service);
  const client = nativeClient(service);

  for (const guess of ['one', 'two']) await client.post('/login', { email, password: guess });
  await client.post('/login', { email: 'nobody@example.com', password });
  await disableAccount(service, id);
  const { headers } = await client.post('/login', { email, password });
  await service.idle();
  service.advance(1000);
  await workers.admin.stop();

  const { records } = await auditLog.search({ limit: 100, offset: 0, filter: action });
  // Both may have been written in the same millisecond.
  const [counted, named] = records.toSorted((a, b) => (a.actor ?? '').localeCompare(b.actor ?? ''));
  expect([counted, named, records.length]).toMatchObject([
    { action, actor: null, target: null, details: { method: 'local', count: 3 }, ip: null },
    {
      action,
      actor: id,
      target: id,
      details: { method: 'local', reason: 'ACCOUNT_DISABLED', email },
      ip: '127.0.0.1',
      correlationId: headers.get('x-request-id'),
    },
    2,
  ]);
});
