import { expect, test } from 'vitest';
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
  await person.open(link);
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
