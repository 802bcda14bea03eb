import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { signInAs } from './sign-in-as.js';
import { linkIn, startWithPages, visitor } from './visitor.js';

test('attack: a link signs in whom it was mailed to, whatever cookie of a page a sibling domain plants', async () => {
  const service = await startWithPages({ BASE_URL: 'https://auth.test' });
  async function openLinkOf(email: string) {
    const { user } = await signInAs(service, { email });
    await nativeClient(service).post('/magic-link/send', { email });
    const person = visitor(service);
    await person.open(linkIn(service, (await service.mails()).at(-1)));
    const named = [...person.cookies].map(([key, value]) => `${key.split(' ')[0]}=${value}`);
    return { user, person, named };
  }
  const thief = await openLinkOf('thief@example.com');
  const { user, person, named } = await openLinkOf('ada@example.com');
  // Set earlier, for the domain of both: a browser sends it first. It drops a `__Host-` name that has a domain.
  const planted = thief.named.filter((each) => !each.startsWith('__Host-'));
  await person.submit('verify', {}, { cookie: [...planted, ...named].join('; ') });
  const client = nativeClient(service, person.cookies.get('__Host-accessToken'));
  expect((await client.get('/me')).body.email).toBe(user.email);
});
