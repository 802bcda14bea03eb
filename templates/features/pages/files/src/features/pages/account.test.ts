import { expect, test } from 'vitest';
import { signInAs } from '../../../test/sign-in-as.js';
import { signedInVisitor, startWithPages } from '../../../test/visitor.js';

const SESSIONS = '/auth/ui/account/sessions';

test('each row of the account leads to a page with its title, and back', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);

  const overview = await person.open('/auth/ui/account');
  const rows = [...overview.html.matchAll(/<li><a href="([^"]+)"><span>([^<]+)/g)];

  expect(overview.html).toContain(user.email);
  expect(rows.length).toBeGreaterThan(1);
  for (const [, path = ''] of rows) {
    const page = await person.open(path);
    expect([path, page.status, page.heading === '']).toEqual([path, 200, false]);
    expect(page.html).toContain('href="/auth/ui/account"');
  }
});

test('a name that was emptied is gone, and one that was changed is shown as text', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service, { metadata: { name: 'Ada' } });
  await person.open('/auth/ui/account/profile');

  const page = await person.submit('profile', { name: '', firstName: '<b>Ada</b>' });

  expect([page.status, page.valueOf('firstName')]).toEqual([200, '<b>Ada</b>']);
  const { metadata } = (await service.services.users.findById(user.id)) ?? {};
  expect(metadata).toEqual({ firstName: '<b>Ada</b>' });
  expect((await person.open('/auth/ui/account')).html).not.toContain('<b>Ada</b>');
});

test('one of my sessions is ended; its device has a known name, never its own User-Agent', async () => {
  const service = await startWithPages();
  const { person, sessionId, user } = await signedInVisitor(service);
  const stolen = await signInAs(service, { email: user.email });
  const userAgent = '<script>alert(1)</script> call +1 900 555 Firefox/140.0 Windows';
  await service.services.db
    .updateTable('sessions')
    .set({ user_agent: userAgent })
    .where('id', '=', stolen.sessionId)
    .execute();

  const list = await person.open(SESSIONS);
  expect(list.html).toContain('Firefox, Windows');
  expect(list.html).not.toMatch(/alert|555 Firefox/);
  expect(list.html.match(/this device/g)).toHaveLength(1);
  expect(list.html).not.toContain(`value="${sessionId}"`);
  const page = await person.submit('end', { handle: stolen.sessionId });

  expect([page.status, page.path]).toEqual([200, `${SESSIONS}?done=end`]);
  expect((await stolen.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('all my other sessions are ended, and this one stays', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  const [laptop, phone] = [await signInAs(service, user), await signInAs(service, user)];
  const stranger = await signInAs(service);
  await person.open(SESSIONS);

  const page = await person.submit('others');

  expect(page.html).toContain('All your other sessions have ended.');
  for (const { client } of [laptop, phone]) {
    expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  }
  expect((await stranger.client.get('/me')).status).toBe(200);
});
