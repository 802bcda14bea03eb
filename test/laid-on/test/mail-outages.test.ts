import { expect, test, vi } from 'vitest';
import { nativeClient } from './client.js';
import { createPasswordAccount, resetPassword } from './flows/password.js';
import { startProcess } from './process.js';
import { startTestService } from './service.js';
import { startSmtpInbox } from './smtp-inbox.js';

const LINK = /\/reset-password\?token=([0-9a-f]{64})/;

test('kill -9 right after the answer, while the mail server is down: the mail arrives, once', async () => {
  const inbox = await startSmtpInbox();
  inbox.refusesWith = 451;
  const service = await startTestService();
  await service.services.workers.mail.stop();
  const { email } = await createPasswordAccount(service);
  const instance = { DATABASE_URL: service.config.DATABASE_URL, SMTP_URL: inbox.url };

  const killed = await startProcess(instance);
  const answer = await fetch(`${await killed.ready()}/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(answer.status).toBe(200);
  killed.child.kill('SIGKILL');
  await killed.ended;
  // The killed one may have claimed the mail: instead of waiting for a minute until its lease ends.
  await service.services.db.updateTable('mails').set({ next_at: 0 }).execute();

  const next = await startProcess(instance);
  await vi.waitFor(() => expect(inbox.attempts).toBeGreaterThan(0), 90_000);
  inbox.refusesWith = undefined;
  await vi.waitFor(() => expect(inbox.received).toHaveLength(1), 90_000);
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);

  expect(inbox.received.map(({ to }) => to)).toEqual([[email]]);
  const [, token] = LINK.exec(inbox.received[0]?.message ?? '') ?? [];
  expect((await resetPassword(service, token)).status).toBe(200);
}, 240_000);

test('enumeration: what is queued is the same for every address, and no link is stored', async () => {
  const service = await startTestService();
  const { db, workers } = service.services;
  await workers.mail.stop();
  const { email } = await createPasswordAccount(service);
  for (const asked of [email, 'nobody@example.com']) {
    await nativeClient(service).post('/forgot-password', { email: asked });
  }
  const queued = await db.selectFrom('mails').select(['name', 'data']).orderBy('id').execute();
  expect(queued).toEqual([
    { name: 'passwordReset', data: JSON.stringify({ email }) },
    { name: 'passwordReset', data: JSON.stringify({ email: 'nobody@example.com' }) },
  ]);
  expect(await db.selectFrom('one_time_tokens').selectAll().execute()).toEqual([]);
});
