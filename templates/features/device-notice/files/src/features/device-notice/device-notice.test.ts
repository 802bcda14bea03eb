import { expect, test } from 'vitest';
import { signInFrom, startSignedIn } from '../../../test/sign-in-as.js';

const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36';

async function signedInOnce() {
  const { service, user } = await startSignedIn({ email: 'ada@example.com' });
  expect(await service.mails(), 'the first device is not reported').toEqual([]);
  return { service, user };
}

test('a sign-in from a new device is mailed to the owner', async () => {
  const { service, user } = await signedInOnce();
  await signInFrom(service, user.id, CHROME_ON_WINDOWS);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'newDevice' });
  expect(mail?.text).toMatch(/Chrome .*Windows/);
  expect(mail?.text).toContain('203.0.113.7');
});

test('a known device causes no mail', async () => {
  const { service, user } = await signedInOnce();
  await signInFrom(service, user.id, 'Firefox');
  await service.mails();
  await signInFrom(service, user.id, 'Firefox');
  expect(await service.mails()).toHaveLength(1);
});

test('attack: only known names from a User-Agent get into the mail', async () => {
  const { service, user } = await signedInOnce();
  const text = 'Locked! Unlock at https://evil.example <a href="https://evil.example">Chrome/1</a>';
  await signInFrom(service, user.id, text);
  const [mail] = await service.mails();
  expect(mail?.text).toContain('Chrome ');
  expect(JSON.stringify(mail)).not.toMatch(/evil|locked/i);
});
