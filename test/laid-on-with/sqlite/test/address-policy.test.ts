import { expect, test, vi } from 'vitest';
import { nativeClient } from './client.js';
import { signInAt } from './flows/oauth.js';
import { startOidc } from './oauth/counterparts/oidc.js';
import { ADA, policy } from './policy.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

test('one rule on addresses serves registration, first sign-ins at a provider, and changed and added addresses', async () => {
  const issuer = await startOidc();
  const service = await startTestService(issuer.variables);
  const message = 'Use the address that you have at work.';
  const emailProblem = vi
    .spyOn(policy, 'emailProblem')
    .mockImplementation(async (email) => (email.endsWith('@work.example') ? undefined : message));
  const refused = (path: string) => ({
    status: 400,
    body: { code: 'VALIDATION_FAILED', details: [{ path, message }] },
  });

  const client = nativeClient(service);
  expect(await client.post('/register', ADA)).toMatchObject(refused('email'));
  const { page } = await signInAt(service, issuer);
  expect(page.searchParams.get('error')).toBe('OAUTH_SIGN_UP_REFUSED');
  const { client: member } = await signInAs(service, { email: 'ada@work.example' });
  const change = (newEmail: string) => member.post('/change-email/request', { newEmail });
  expect(await change('Ada@Home.example')).toMatchObject(refused('newEmail'));
  expect(emailProblem).toHaveBeenLastCalledWith('ada@home.example');

  const add = (email: string) => member.post('/link-request', { email });
  expect(await add('Ada@Home.example')).toMatchObject(refused('email'));

  expect((await change('lovelace@work.example')).status).toBe(200);
  expect((await add('countess@work.example')).status).toBe(200);
  const colleague = { ...ADA, email: 'colleague@work.example' };
  expect((await client.post('/register', colleague)).status).toBe(201);
  expect(await service.services.users.findByEmail(ADA.email)).toBeUndefined();
  emailProblem.mockResolvedValue(message);
  expect((await add('ada@work.example')).status).toBe(200);
});
