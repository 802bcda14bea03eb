import { expect, onTestFinished, test, vi } from 'vitest';
import { browser } from './client.js';
import { inProduction } from './environment.js';
import { begin, comeBack, createAccount, signInAt, startAtCallback } from './flows/oauth.js';
import { hurriedTimeouts } from './hurried-timeouts.js';
import { startOidc } from './oauth/counterparts/oidc.js';
import { startIssuer } from './oauth/issuer.js';
import { startTestService } from './service.js';

async function start() {
  const issuer = await startOidc();
  return { issuer, service: await startTestService(issuer.variables) };
}

test.each([
  ['another nonce: the token was made for another sign-in', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['another issuer', { iss: 'https://evil.test' }],
  ['another audience: the token was made for another service', { aud: 'another-service' }],
  ['an end in the past', { exp: 1 }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that is null', { sub: null }],
  ['a subject that is zero', { sub: 0 }],
  ['a subject that is a list', { sub: [] }],
  ['a subject that is past all numbers', { sub: 1e308 * 10 }],
  ['a subject that is too long', { sub: 'x'.repeat(300) }],
  ['a subject with NUL', { sub: 'a\0b' }],
  ['a subject with half a character, which another half could pass for', { sub: 'a\ud800' }],
])('an ID token with %s is refused', async (_kind, claims) => {
  const { issuer, service } = await start();
  issuer.faults.claims = claims;

  const { client, page } = await signInAt(service, issuer);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_FAILED');
  expect((await client.get('/me')).status).toBe(401);
  expect(await service.services.users.list({ limit: 1, offset: 0 })).toEqual([]);
});

test.each(['not an address', ['ada@example.com'], `${'x'.repeat(300)}@example.com`])(
  'the email claim %j counts as none',
  async (email) => {
    const { issuer, service } = await start();
    issuer.faults.claims = { email };

    const { page } = await signInAt(service, issuer);

    expect(page.href).toBe('http://app.test/login?error=OAUTH_EMAIL_MISSING');
  },
);

test('odd names and pictures are left out or cleaned', async () => {
  const { issuer, service } = await start();
  issuer.faults.claims = { name: 'A\0d\na\ud800', picture: { url: 'x' } };

  const { client } = await signInAt(service, issuer);

  const [linked] = (await client.get('/linked-accounts')).body.linkedAccounts;
  expect(linked).toMatchObject({ picture: null, name: expect.stringMatching(/^A d a/) });
});

test('an address that is only in the user info is found there', async () => {
  const { issuer, service } = await start();
  issuer.faults.hasUserInfoOnly = true;

  const { client } = await signInAt(service, issuer);

  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
  });
});

test('an issuer that cannot be reached leads back to the login page, and is tried again', async () => {
  const { issuer, service } = await start();
  const client = browser(service);

  issuer.delay = 60_000;
  const timeouts = hurriedTimeouts();
  expect(await begin(client, issuer)).toBe('http://app.test/login?error=OAUTH_FAILED');
  expect(timeouts.mock.calls).toEqual([[5_000]]);
  timeouts.mockRestore();
  issuer.delay = 0;
  expect(await begin(client, issuer)).toContain(issuer.url);
});

test('an issuer that goes away during a sign-in leads back to the login page', async () => {
  const { service, counterpart: issuer, client, url } = await startAtCallback(startOidc);
  issuer.isOut = true;

  const { headers } = await comeBack(service, client, url);

  expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
});

test('a plain http issuer elsewhere is refused at the start, and in production everywhere', async () => {
  const elsewhere = { OAUTH_OIDC_ISSUER: 'http://issuer.example.com' };
  await expect(startTestService(elsewhere)).rejects.toThrow('OAUTH_OIDC_ISSUER must be an https');

  const production = { ...inProduction, OAUTH_OIDC_ISSUER: 'http://127.0.0.1:1' };
  await expect(startTestService(production)).rejects.toThrow(
    'OAUTH_OIDC_ISSUER must be https in production',
  );
});

test('an issuer is asked for its endpoints once an hour, however many people begin to sign in', async () => {
  const { issuer, service } = await start();
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const discoveries = () =>
    fetched.mock.calls.filter(([url]) => String(url).includes('/.well-known/')).length;

  await Promise.all([1, 2, 3].map(() => begin(browser(service), issuer)));
  expect(discoveries()).toBe(1);
  service.advance(61 * 60 * 1000);
  await begin(browser(service), issuer);
  expect(discoveries()).toBe(2);
});

test('attack: an ID token vouches for no address that only the UserInfo response names', async () => {
  const issuer = await startIssuer('oidc', { claimsOf: ({ email }) => ({ email }) });
  const variables = { ...issuer.variables, OAUTH_OIDC_LINK_BY_EMAIL: 'on' };
  const service = await startTestService(variables);
  await createAccount(service, 'ada@example.com', true);
  issuer.faults.hasUserInfoOnly = true;
  issuer.faults.claims = { email_verified: true };

  const { client, page } = await signInAt(service, issuer);

  expect([page.pathname, (await client.get('/me')).status]).toEqual(['/account-conflict', 401]);
});

test.each([
  ['in the body, if that is all that the issuer supports', ['client_secret_post'], null],
  ['in the header, if the issuer names no method', undefined, expect.stringMatching(/^Basic /)],
])('the client secret is sent %s', async (_where, supported, authorization) => {
  const metadata = { token_endpoint_auth_methods_supported: supported };
  const issuer = await startIssuer('oidc', { metadata });
  const service = await startTestService(issuer.variables);
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());

  const { client } = await signInAt(service, issuer);

  expect((await client.get('/me')).status).toBe(200);
  const [, sent] = fetched.mock.calls.find(([url]) => String(url).endsWith('/token')) ?? [];
  expect(new Headers(sent?.headers).get('authorization')).toEqual(authorization);
});
