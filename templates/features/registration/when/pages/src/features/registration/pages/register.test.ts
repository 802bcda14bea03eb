import { expect, test } from 'vitest';
import { ADA } from '../../../../test/policy.js';
import { startWithPages, visitor } from '../../../../test/visitor.js';
import { profileFields } from '../../../policy.js';

const { email = '', ...secrets }: Record<string, string> = ADA;

test('submitting the form creates an account with its profile', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/register');
  const profile = Object.fromEntries(profileFields.map((name) => [name, `My ${name}`]));

  const page = await person.submit('register', { email, ...secrets, ...profile });

  expect(page.path).toBe('/auth/ui/registered');
  expect((await service.services.users.findByEmail(email))?.metadata).toEqual(profile);
});

test('errors are shown beside their fields, and typed input is kept', async () => {
  const service = await startWithPages();
  const person = visitor(service);
  await person.open('/auth/ui/register');

  const page = await person.submit('register', { email: 'ada', ...secrets });

  expect([page.status, page.errorOf('email')]).toEqual([400, 'This is not an email address.']);
  expect(page.valueOf('email')).toBe('ada');
});

test('REGISTRATION=off removes the page, and the link to it', async () => {
  const service = await startWithPages({ REGISTRATION: 'off' });

  expect((await visitor(service).open('/auth/ui/register')).status).toBe(404);
  expect((await visitor(service).open('/auth/ui/login')).html).not.toContain('/ui/register');
});
