import { expect, test } from 'vitest';
import type { TestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, startWithPages, visitor } from './visitor.js';

test('a link signs in by a click, and not by being opened: scanners open links too', async () => {
  const service = await startWithPages();
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');
  await person.submit('magic-link', { email: user.email });
  const link = linkIn(service, (await service.mails()).at(-1));

  const scanner = visitor(service);
  await scanner.open(link);
  expect([...scanner.cookies.keys()]).not.toContain('accessToken');
  expect((await person.open(link)).html).toContain(`sign in as <strong>${user.email}</strong>`);
  const page = await person.submit('verify');

  expect([page.status, page.path]).toEqual([200, '/auth/ui/account']);
  expect(page.html).toContain(user.email);
});

test('the page does not reveal whether there is an account', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/login');

  const page = await person.submit('magic-link', { email: 'nobody@example.com' });

  expect([page.status, page.path]).toEqual([200, '/auth/ui/magic-link']);
});

/** A visitor at the page that a mailed link leads to. */
async function openedLink(service: TestService) {
  const { user } = await signInAs(service);
  const person = visitor(service);
  await person.open('/auth/ui/login');
  await person.submit('magic-link', { email: user.email });
  await person.open(linkIn(service, (await service.mails()).at(-1)));
  return { person, user };
}

test('a link outlives a limit that its page has met', async () => {
  const service = await startWithPages({ RATE_LIMIT: 'on' });
  const { limiter } = service.services;
  const { person, user } = await openedLink(service);
  while (await limiter.allows([['secretsPerIp', '127.0.0.1']]));

  expect((await person.submit('verify')).status).toBe(429);
  await limiter.reset('secretsPerIp', '127.0.0.1');
  expect((await person.submit('verify')).html).toContain(user.email);
});

test('attack: what is typed cannot replace what a link has brought', async () => {
  const service = await startWithPages();
  const { user } = await openedLink(service);
  const token = /token=(\w+)/.exec((await service.mails()).at(-1)?.text ?? '')?.[1] ?? '';
  const { person, user: own } = await openedLink(service);

  const page = await person.submit('verify', { token });

  expect([page.html.includes(own.email), page.html.includes(user.email)]).toEqual([true, false]);
});
