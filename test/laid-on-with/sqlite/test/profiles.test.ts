import { expect, test } from 'vitest';
import { ADA } from './policy.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

/** The team's own policy; other tests use `test/policy.ts` instead. */
const own = new URL('../src/policy.ts', import.meta.url).href;
const { onRegister, profileFields } = (await import(own)) as typeof import('../src/policy.js');

test('race: of changes at once, none undoes another', async () => {
  const { client } = await signInAs(await startTestService());
  const fields = ['firstName', 'lastName', 'name'];
  for (let round = 0; round < 10; round++) {
    const names = fields.map((field) => [field, `${field} ${round}`]);
    await Promise.all(names.map((name) => client.patch('/profile', Object.fromEntries([name]))));
    expect((await client.get('/me')).body.metadata).toEqual(Object.fromEntries(names));
  }
});

test('a field that a team adds to the one list of a profile is taken at registration too', async () => {
  profileFields.push('company');
  const fields = { firstName: 'Ada', company: 'Acme', isAdmin: true };
  const decision = await onRegister?.({ ...ADA, fields, language: undefined });
  profileFields.pop();
  const metadata = { firstName: 'Ada', company: 'Acme' };
  expect(decision).toMatchObject({ metadata });
  expect(JSON.stringify(decision)).not.toContain('isAdmin');
});
