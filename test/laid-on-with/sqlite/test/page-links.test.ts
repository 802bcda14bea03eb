import { expect, test } from 'vitest';
import { carry } from '../src/features/pages/carried.js';
import { ADA } from './policy.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, startWithPages, visitor } from './visitor.js';

const { email } = ADA;

test('a link that was used says so, and a new one is not taken for it', async () => {
  const service = await startWithPages();
  const person = visitor(service);

  const page = await person.open('/auth/ui/magic-link?token=used');
  expect([page.status, page.alert]).toEqual([400, 'This link is no longer valid.']);
  await person.open('/auth/ui/login');
  const sent = await person.submit('magic-link', { email });

  expect([sent.path, sent.heading]).toEqual(['/auth/ui/magic-link', 'Check your inbox']);
});

test('the page of a used link says so at once, and offers a new one', async () => {
  const service = await startWithPages();
  for (const [path, onward] of [
    ['reset-password', 'forgot-password'],
    ['change-email', 'account/email'],
    ['link-verify', 'login'],
    ['magic-link', 'login'],
  ]) {
    const page = await visitor(service).open(`/auth/ui/${path}?token=used`);

    expect([path, page.status, page.alert]).toEqual([path, 400, 'This link is no longer valid.']);
    expect(page.html).not.toMatch(/name="form"|is on its way|Open the link/);
    expect(page.html).toContain(`href="/auth/ui/${onward}"`);
  }
});

test('a link that proves an address for the first time says before what it removes', async () => {
  const service = await startWithPages();
  const owner = visitor(service);
  await owner.open('/auth/ui/register');
  await owner.submit('register', { email, password: 'a password that is new' });
  const elsewhere = visitor(service);
  await elsewhere.open('/auth/ui/login');
  await elsewhere.submit('magic-link', { email });
  const signIn = linkIn(service, (await service.mails()).at(-1));
  await owner.open('/auth/ui/login');
  await owner.submit('password', { email, password: 'a password that is new' });
  await owner.open('/auth/ui/account/email');
  await owner.submit('change', { newEmail: 'new@example.com' });
  const change = linkIn(service, (await service.mails()).at(-1));

  for (const link of [signIn, change]) {
    expect((await elsewhere.open(link)).html).toContain('will be removed');
    expect((await owner.open(link)).html).not.toContain('will be removed');
  }
});

test('a link whose page was open for too long says to open it again', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');
  await person.submit('magic-link', { email: user.email });
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  person.cookies.delete('carried /auth/ui/magic-link');

  const page = await person.submit('verify');

  expect([page.path, page.alert]).toEqual(['/auth/ui/magic-link', undefined]);
  expect(page.html).toContain('Open the link from the email in this browser.');
});

test('a mailed link leads on to the page that was requested, in the browser that asked for it', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/account/profile');
  await person.submit('magic-link', { email: user.email });
  const link = linkIn(service, (await service.mails()).at(-1));

  const opened = await person.open(link);
  expect(opened.path).not.toContain('token');
  const page = await person.submit('verify');

  expect(page.path).toBe('/auth/ui/account/profile');
});

test('attack: a planted cookie leads nobody to another site', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  const carried = carry(service.config, '/auth/ui/magic-link', { return_to: '//evil.example' });
  person.cookies.set('carried /auth/ui/magic-link', carried.value);

  expect((await person.open('/auth/ui/magic-link?token=any')).path).toBe('/auth/ui/magic-link');
});

test('a visitor returns to a path in any script, which a header can only hold percent-encoded', async () => {
  const service = await startWithPages();
  const { accessToken } = await signInAs(service);
  const headers = { accept: 'text/html', cookie: `accessToken=${accessToken}` };
  for (const [path = '', location] of [
    ['/→', '/%E2%86%92'],
    ['/é?q=%20&ü', '/%C3%A9?q=%20&%C3%BC'],
    ['/\u{1f600}', '/%F0%9F%98%80'],
  ]) {
    const search = new URLSearchParams({ return_to: path });
    const url = `${service.url}/auth/ui/login?${search}`;
    const answer = await fetch(url, { headers, redirect: 'manual' });
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, location]);
  }
});

test('a signed-out visitor returns to the set-up of an app, and from there to where they were', async () => {
  const path = '/auth/ui/2fa-setup?return_to=%2Fauth%2Fui%2Faccount%2Fauthenticator';

  const page = await visitor(await startWithPages()).open(path);

  expect(page.path).toBe(`/auth/ui/login?${new URLSearchParams({ return_to: path })}`);
});
