import { expect, test } from 'vitest';
import { startOwnApp } from './own-app.js';
import { ADA } from './policy.js';
import { signedInVisitor, startWithPages, visitor } from './visitor.js';

const { email, ...rest } = ADA;
const secrets: Record<string, string> = rest;

const SESSIONS = '/auth/ui/account/sessions';

test('the style sheet has the hash of its content in its name, and is kept for a year', async () => {
  const service = await startWithPages();
  const { html } = await visitor(service).open('/auth/ui/login');
  const path = /\/auth\/ui\/assets\/style-[0-9a-f]{12}\.css/.exec(html)?.[0] ?? '';

  const { status, headers } = await visitor(service).open(path);

  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('what is no page answers in JSON as ever', async () => {
  const service = await startWithPages();

  for (const path of ['/auth/no-such-route', '/no-such-route']) {
    const { status, headers } = await visitor(service).open(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  }
});

test('a slash at the end of an address leads to its page, and never to another site', async () => {
  const service = await startWithPages();
  const locationOf = async (path: string) => {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };

  expect(await locationOf('/admin/')).toEqual([303, '/admin']);
  expect(await locationOf('/auth/ui/login/')).toEqual([303, '/auth/ui/login']);
  expect(await locationOf('/auth/ui/login//')).toEqual([303, '/auth/ui/login/']);
  // As a mail program, or a person, leaves the link of a mail.
  expect(await locationOf('/auth/ui/magic-link/?token=a')).toEqual([
    303,
    '/auth/ui/magic-link?token=a',
  ]);
  const posted = await fetch(`${service.url}/auth/ui/login/`, { method: 'POST' });
  expect(posted.status).toBe(404);
  for (const path of ['//evil.test/', '//evil.test/admin/', '/admin/api/users/', '/auth/me/']) {
    expect(await locationOf(path), path).toEqual([404, null]);
  }
});

test('pages in an app of a team start at an address with a slash at the end too', async () => {
  const { url } = await startOwnApp();

  for (const start of ['/auth/ui/', '/auth/ui']) {
    const answer = await fetch(`${url}${start}?return_to=%2Fown`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/auth/ui/login?return_to=%2Fown');
  }
});

test('all input is shown as text', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/login');
  const email = '"><script>alert(1)</script>@example.com';

  const page = await person.submit('password', { email, password: 'wrong' });

  expect(page.valueOf('email')).toBe(email);
  expect(page.html).not.toContain('<script>alert');
});

test('a missing password is reported in the language of the browser', async () => {
  const person = visitor(await startWithPages());
  const german = { 'accept-language': 'de' };
  await person.open('/auth/ui/login', german);

  const page = await person.submit('password', { email, password: '' }, german);

  expect(page.errorOf('password')).toBe('Geben Sie ein Passwort ein.');
});

test('a taken address is reported beside its field', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/register');
  await person.submit('register', { email, ...secrets });
  await person.open('/auth/ui/register');

  const page = await person.submit('register', { email, ...secrets });

  expect(page.status).toBe(409);
  expect(page.errorOf('email')).toBe('There is already an account with this address.');
});

test('an unknown page is an HTML page, in the language of the browser', async () => {
  const service = await startWithPages({ AUTH_PREFIX: '/api/auth' });
  const german = { 'accept-language': 'de-CH, en;q=0.5' };

  const english = await visitor(service).open('/api/auth/ui/no', { 'accept-language': 'xx' });
  const swiss = await visitor(service).open('/api/auth/ui/no/such/page', german);

  expect([english.status, english.heading]).toEqual([404, 'There is nothing here']);
  expect([swiss.status, swiss.heading]).toEqual([404, 'Hier ist nichts']);
  expect(swiss.html).toContain('<html lang="de">');
});

test('attack: a word that every object knows is no form, no error code and nothing that was done', async () => {
  const service = await startWithPages();
  const { person } = await signedInVisitor(service, { role: 'admin' });
  const stranger = visitor(service);
  for (const word of ['constructor', '__proto__', 'toString']) {
    const { status, alert } = await stranger.open(`/auth/ui/login?error=${word}`);
    expect([word, status, alert]).toEqual([word, 200, expect.any(String)]);
    const guard = (await stranger.open('/auth/ui/login')).valueOf('guard') ?? '';
    const sent = await stranger.post('/auth/ui/login', { guard, form: word });
    expect([word, sent.status]).toEqual([word, 404]);
    for (const path of [SESSIONS, '/admin/settings']) {
      const page = await person.open(`${path}?done=${word}`);
      expect([word, path, page.status]).toEqual([word, path, 200]);
      expect(page.html).not.toContain('native code');
    }
  }
});
