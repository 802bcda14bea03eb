import { expect, test } from 'vitest';
import { accountAt, linksOf } from './flows/link.js';
import { ADA } from './policy.js';
import { linkIn, signedInVisitor, startWithPages, visitor } from './visitor.js';

const DELETE_PAGE = '/auth/ui/account/delete';

const LINKED_PAGE = '/auth/ui/account/linked-accounts';

async function withLinks(...ids: string[]) {
  const service = await startWithPages();
  const ada = await signedInVisitor(service);
  const { accountLinking } = service.services;
  for (const id of ids) await accountLinking.add(ada.user.id, accountAt('acme', id));
  return { service, ...ada };
}

const EMAIL_PAGE = '/auth/ui/account/email';
const newEmail = 'new@example.com';

const PATH = '/auth/ui/account/verify-email';

test('the account is gone after the click, and not before', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  await person.open(DELETE_PAGE);
  expect(await service.services.users.findById(user.id)).toBeDefined();

  const page = await person.submit('delete');

  expect([page.status, page.heading]).toEqual([200, 'Your account is deleted']);
  expect(await service.services.users.findById(user.id)).toBeUndefined();
  expect([...person.cookies.keys()]).not.toContain('accessToken');
});

test('an old session has to sign in again first', async () => {
  const service = await startWithPages({ ACCESS_TOKEN_TTL: '1h' });
  const { person, user } = await signedInVisitor(service);
  await person.open(DELETE_PAGE);
  service.advance(service.config.REAUTH_WINDOW + 1_000);

  const page = await person.submit('delete');

  expect([page.status, page.alert]).toEqual([403, 'Please confirm that it is you.']);
  const again = '/auth/ui/login?return_to=%2Fauth%2Fui%2Faccount%2Fdelete&again=1';
  expect(page.html).toContain(again.replace('&', '&amp;'));
  expect(await service.services.users.findById(user.id)).toBeDefined();
  const signIn = await person.open(again);
  expect(signIn.valueOf('email')).toBe(user.email);
  expect(signIn.html).toContain('Please confirm that it is you.');
  expect(signIn.html).not.toContain('/ui/register');
});

test('one of two linked accounts is unlinked', async () => {
  const { person, client } = await withLinks('1', 'auth0|2 %/ü');
  await person.open(LINKED_PAGE);

  const page = await person.submit('unlink', { provider: 'acme', id: 'auth0|2 %/ü' });

  expect([page.status, page.path]).toEqual([200, `${LINKED_PAGE}?done=unlink`]);
  expect(await linksOf(client)).toEqual([['acme', '1']]);
});

test('a mailbox that was added by its link is reported', async () => {
  const { service, person } = await withLinks();
  const guard = (await person.open(LINKED_PAGE)).valueOf('guard') ?? '';
  await person.post(LINKED_PAGE, { guard, form: 'add', email: newEmail });
  const opened = await person.open(linkIn(service, (await service.mails()).at(-1)));
  expect(opened.heading).toBe('Add the email address');

  const { html } = await person.submit('link');

  expect(html).toContain(
    'role="status">Confirmed. The account that requested this now has the link.</p>',
  );
  expect(html).toContain(newEmail);
});

test('who is signed in, and cancels at a provider while linking, is told so and stays signed in', async () => {
  const { person } = await withLinks();

  const page = await person.open('/auth/ui/login?error=access_denied');

  expect([page.path, page.alert]).toEqual([
    '/auth/ui/login?error=access_denied',
    'The sign-in was not completed.',
  ]);
  expect(page.html).not.toContain('Please confirm that it is you.');
  expect(page.html).toContain('<footer><a href="/auth/ui/account">Your account</a></footer>');
  expect((await person.open('/auth/ui/account')).path).toBe('/auth/ui/account');
});

test('a name at a provider is shown as text', async () => {
  const { person, service, user } = await withLinks();
  const account = { ...accountAt('acme', '1'), name: '<img src=x onerror=alert(1)>' };
  await service.services.accountLinking.add(user.id, account);

  const { html } = await person.open(LINKED_PAGE);

  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toContain('<img src=x');
});

test('a click downloads a file that nothing else gets', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  await person.open('/auth/ui/account/data');

  const { status, headers, html } = await person.submit('download');

  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('content-disposition')).toContain('attachment');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(JSON.parse(html).user).toBe(user.id);
});

test('the account moves to the new address by a click on the mailed link', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service);
  await person.open(EMAIL_PAGE);

  const sent = await person.submit('change', { newEmail });
  expect(sent.path).toBe(`${EMAIL_PAGE}?done=change`);
  const mail = (await service.mails()).findLast(({ to }) => to === newEmail);
  const opened = await person.open(linkIn(service, mail));
  expect([opened.path, opened.html.includes(`<strong>${newEmail}</strong>`)]).toEqual([
    '/auth/ui/change-email',
    true,
  ]);
  expect(opened.html).toContain(user.email);
  const stranger = visitor(service);
  expect((await stranger.open(linkIn(service, mail))).html).not.toContain(user.email);
  expect((await service.services.users.findById(user.id))?.email).toBe(user.email);
  const page = await person.submit('confirm');

  expect(page.path).toBe('/auth/ui/change-email?done=confirm');
  expect((await service.services.users.findById(user.id))?.email).toBe(newEmail);
});

test('the link is mailed again, and then there is nothing more to do', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service, { isEmailProven: false });
  expect((await person.open('/auth/ui/account')).html).toContain(PATH);
  await person.open(PATH);

  await person.submit('send');
  await person.open(linkIn(service, (await service.mails()).at(-1)));

  expect((await person.open(PATH)).path).toBe('/auth/ui/account');
  expect((await person.open('/auth/ui/account')).html).not.toContain(PATH);
});

test('who registers reads to sign in or, where that takes a confirmed address, to look for the mail', async () => {
  for (const [mode, heading] of [
    ['lazy', 'Your account is ready'],
    ['strict', 'Check your inbox'],
  ] as const) {
    const person = visitor(await startWithPages({ EMAIL_VERIFICATION: mode }));
    await person.open('/auth/ui/register');
    const page = await person.submit('register', ADA);
    expect([mode, page.heading]).toEqual([mode, heading]);
    expect(page.html).toContain('An email is on its way.');
    expect(page.html.includes('primary" href="/auth/ui/login"')).toBe(mode === 'lazy');
    expect(page.html).toContain('href="/auth/ui/login"');
    expect(page.html).toContain(`<strong>${ADA.email}</strong>`);
    expect((await person.open(page.path)).heading).toBe(heading);
  }
});

test('the last administrator reads in their language why the account stays', async () => {
  const { person } = await signedInVisitor(await startWithPages(), { role: 'admin' });
  const german = { 'accept-language': 'de' };
  await person.open(DELETE_PAGE, german);
  const { status, alert } = await person.submit('delete', {}, german);
  expect([status, alert]).toEqual([409, 'Der letzte Administrator kann nicht entfernt werden.']);
});

test.each(['link-verify', 'change-email', '2fa-setup', 'login?again=1'])(
  '/ui/%s has a way on besides its form',
  async (path) => {
    const { person } = await signedInVisitor(await startWithPages());
    const { html } = await person.open(`/auth/ui/${path}`);
    expect(html).toMatch(/<main>[\s\S]* href="\/auth\/ui\/(?:account|login)\b/);
  },
);

test('in German, asking for the current address is reported beside the field', async () => {
  const { person, user } = await signedInVisitor(await startWithPages());
  const german = { 'accept-language': 'de' };
  await person.open('/auth/ui/account/email', german);
  const refused = await person.submit('change', { newEmail: user.email }, german);
  expect(refused.errorOf('newEmail')).toBe('Das ist schon die Adresse Ihres Kontos.');
  const sent = await person.submit('change', { newEmail }, german);
  expect(sent.path, 'the mistake takes no pause').toBe(`${EMAIL_PAGE}?done=change`);
});

test('an address that nobody has confirmed is not called unconfirmed in this browser only', async () => {
  const service = await startWithPages();
  const { person, user } = await signedInVisitor(service, { isEmailProven: false });
  expect((await person.open('/auth/ui/account')).html).toContain('Not confirmed yet');

  await service.services.users.markEmailVerified(user.id);

  const { html } = await person.open('/auth/ui/account');
  expect(html).toContain('Not confirmed in this browser yet');
});
