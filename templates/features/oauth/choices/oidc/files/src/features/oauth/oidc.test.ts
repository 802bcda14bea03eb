import { expect, test } from 'vitest';
import { comeBack, createAccount, signInAt, startAtCallback } from '../../../test/flows/oauth.js';
import { startOidc } from '../../../test/oauth/counterparts/oidc.js';
import { startTestService } from '../../../test/service.js';

async function start() {
  const issuer = await startOidc();
  return { issuer, service: await startTestService(issuer.variables) };
}

test('attack: an answer without its issuer is refused where the provider promises one (RFC 9207)', async () => {
  const { service, client, url, counterpart } = await startAtCallback(startOidc);

  url.searchParams.delete('iss');
  const { headers } = await comeBack(service, client, url);

  expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
  expect(counterpart.exchanges).toEqual([]);
});

test("attack: an ID token that is not signed with the issuer's key opens nothing", async () => {
  const { issuer, service } = await start();
  issuer.faults.isForged = true;

  const { page } = await signInAt(service, issuer);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_FAILED');
});

test.each(['true', 1, undefined])(
  'email_verified counts only as true, not as %j',
  async (value) => {
    const { issuer, service } = await start();
    issuer.faults.claims = { email_verified: value };

    const { client } = await signInAt(service, issuer);

    expect((await client.get('/me')).body.isEmailVerified).toBe(false);
  },
);

test('an address of the issuer links an account only with OAUTH_OIDC_LINK_BY_EMAIL=on', async () => {
  const issuer = await startOidc();
  const byDefault = { ...issuer.variables, OAUTH_OIDC_LINK_BY_EMAIL: '' };
  const service = await startTestService(byDefault);

  const { client } = await signInAt(service, issuer);

  expect((await client.get('/me')).body.isEmailVerified).toBe(false);
  await createAccount(service, 'eve@example.com', true);
  issuer.person = { id: '2', email: 'eve@example.com', isEmailVerified: true };
  expect((await signInAt(service, issuer)).page.pathname).toBe('/account-conflict');
});
