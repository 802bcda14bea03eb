import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { linkIn, signedInVisitor, startWithPages, visitor } from './visitor.js';

const STRANGER = { email: 'stranger@example.com', password: 'correct horse battery' };
/** Mails an hour to one address, by each of the two ways. */
const MOST = 5;

/** Creates the account of an address that is not theirs, asks for a link, and deletes it again. */
async function plantAndDelete(service: TestService): Promise<void> {
  const visit = nativeClient(service);
  await visit.post('/register', STRANGER);
  const { body } = await visit.post('/login', STRANGER);
  const client = nativeClient(service, body.accessToken);
  await client.post('/send-verification-email');
  await service.mails();
  await client.delete('/account', { currentPassword: STRANGER.password });
}

test.each(['none', 'lazy'])(
  'mail bombing: an account that is deleted and created again mails its address no more, in %s mode',
  async (EMAIL_VERIFICATION) => {
    const service = await startTestService({ RATE_LIMIT: 'on', EMAIL_VERIFICATION });
    for (let nth = 0; nth < 3 * MOST; nth++) {
      await plantAndDelete(service);
      service.advance(61_000);
    }
    const { length } = await service.mails();
    expect(length).toBeGreaterThanOrEqual(MOST);
    expect(length).toBeLessThanOrEqual(2 * MOST);
  },
);

test('a new account whose mail server is down for a while still gets its link', async () => {
  const outage = { isOver: false, sent: 0 };
  const send = async () => {
    if (!outage.isOver) throw new Error('451 try again later');
    outage.sent += 1;
  };
  const variables = { RATE_LIMIT: 'on', EMAIL_VERIFICATION: 'strict' };
  const service = await startTestService(variables, { mailer: { send } });
  await nativeClient(service).post('/register', STRANGER);
  for (let nth = 0; nth <= MOST; nth++) {
    await service.idle();
    service.advance(61_000);
  }
  outage.isOver = true;
  await service.idle();
  expect(outage.sent).toBe(1);
});

test.each(['reset-password', 'magic-link', 'change-email', 'link-verify'])(
  'a link to %s that was cut before its token says so, and not that an email is on its way',
  async (page) => {
    const service = await startWithPages();
    const { status, html } = await visitor(service).open(`/auth/ui/${page}?token=`);
    expect(status).toBe(200);
    expect(html).toContain('Open the link from the email in this browser.');
    expect(html).not.toContain('role="status"');
  },
);

test('a sign-in that is refused after its link was used up says why', async () => {
  const EMAIL_VERIFICATION_GRACE = '30m';
  const service = await startWithPages({ EMAIL_VERIFICATION: 'lazy', EMAIL_VERIFICATION_GRACE });
  const { client } = await signedInVisitor(service, { isEmailProven: false });
  service.advance(14 * 60_000);
  await client.post('/link-request', { email: STRANGER.email });
  const link = linkIn(service, (await service.mails()).at(-1));
  service.advance(20 * 60_000);
  const person = visitor(service);
  await person.open(link);
  const page = await person.submit('link');
  expect([page.status, page.heading]).toEqual([403, 'Link the accounts']);
  expect(page.alert).toContain('The time to verify the address has passed.');
  expect((await person.open('/auth/ui/link-verify')).alert).toBeUndefined();
});
