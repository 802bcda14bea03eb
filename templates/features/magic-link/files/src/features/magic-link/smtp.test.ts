import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { linkTokenIn } from '../../../test/magic-link.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { startSmtpInbox } from '../../../test/smtp-inbox.js';
import type { Config } from '../../config.js';
import { createSmtpMailer } from '../../mail/smtp.js';

test('a link that went by a real mail server signs in', async () => {
  const inbox = await startSmtpInbox();
  const sender = { MAIL_FROM: 'Auth <no-reply@auth.test>', isProduction: false } as Config;
  const service = await startTestService({}, { mailer: createSmtpMailer(sender, inbox.url) });
  const { user } = await signInAs(service);
  const client = nativeClient(service);

  await client.post('/magic-link/send', { email: user.email });
  await service.idle();

  expect(inbox.received).toHaveLength(1);
  const [mail] = inbox.received;
  expect(mail).toMatchObject({ from: 'no-reply@auth.test', to: [user.email] });
  expect(mail?.message).toContain('Subject: Your link to sign in');
  const token = linkTokenIn({ text: mail?.message ?? '' });
  const { body } = await client.post('/magic-link/verify', { token });
  expect((await nativeClient(service, body.accessToken).get('/me')).body.sub).toBe(user.id);
});
