import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { startOidc } from '../../../test/oauth/counterparts/oidc.js';
import {
  begin,
  comeBack,
  createAccount,
  signInAt,
  startAtCallback,
} from '../../../test/oauth/sign-in-at.js';
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

test.each([
  ['another nonce: the token was made for another sign-in', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['another issuer', { iss: 'https://evil.test' }],
  ['another audience: the token was made for another service', { aud: 'another-service' }],
  ['an end in the past', { exp: 1 }],
  ['no subject', { sub: undefined }],
  ['a subject that is no text', { sub: 1 }],
  ['a subject that is too long', { sub: 'x'.repeat(300) }],
  ['a subject with NUL', { sub: 'a\0b' }],
  ['a subject with half a character, which another half could pass for', { sub: 'a\ud800' }],
])('an ID token with %s opens nothing', async (_kind, claims) => {
  const { issuer, service } = await start();
  issuer.faults.claims = claims;

  const { client, page } = await signInAt(service, issuer);

  expect(page.href).toBe('http://app.test/login?error=OAUTH_FAILED');
  expect((await client.get('/me')).status).toBe(401);
  expect(await service.services.users.list({ limit: 1, offset: 0 })).toEqual([]);
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

test.each(['not an address', ['ada@example.com'], `${'x'.repeat(300)}@example.com`])(
  'the email claim %j counts as none',
  async (email) => {
    const { issuer, service } = await start();
    issuer.faults.claims = { email };

    const { page } = await signInAt(service, issuer);

    expect(page.href).toBe('http://app.test/login?error=OAUTH_EMAIL_MISSING');
  },
);

test('odd names and pictures are left out or made plain, and harm nothing', async () => {
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
  expect(await begin(client, issuer)).toBe('http://app.test/login?error=OAUTH_FAILED');
  issuer.delay = 0;
  expect(await begin(client, issuer)).toContain(issuer.url);
});

test('an issuer that goes away during a sign-in leads back to the login page', async () => {
  const { service, counterpart: issuer, client, url } = await startAtCallback(startOidc);
  issuer.isOut = true;

  const { headers } = await comeBack(service, client, url);

  expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
});

test("the issuer's word on an address counts only with OAUTH_OIDC_LINK_BY_EMAIL=on", async () => {
  const issuer = await startOidc();
  const byDefault = { ...issuer.variables, OAUTH_OIDC_LINK_BY_EMAIL: '' };
  const service = await startTestService(byDefault);

  const { client } = await signInAt(service, issuer);

  expect((await client.get('/me')).body.isEmailVerified).toBe(false);
  await createAccount(service, 'eve@example.com', true);
  issuer.person = { id: '2', email: 'eve@example.com', isEmailVerified: true };
  expect((await signInAt(service, issuer)).page.pathname).toBe('/account-conflict');
});

test('a plain http issuer elsewhere is refused at the start, and in production everywhere', async () => {
  const elsewhere = { OAUTH_OIDC_ISSUER: 'http://issuer.example.com' };
  await expect(startTestService(elsewhere)).rejects.toThrow('OAUTH_OIDC_ISSUER must be an https');

  const production = {
    NODE_ENV: 'production',
    ACCESS_TOKEN_SECRET: '4f1c6a0de29b4c0f8e7a55d9b3c2a1f0e6d7c8b9a0f1e2d3c4b5a69788796a5b',
    REFRESH_TOKEN_SECRET: 'a9b8c7d6e5f40312233445566778899aabbccddeeff00112f3e4d5c6b7a89780',
    SMTP_URL: 'smtp://localhost',
    OAUTH_OIDC_ISSUER: 'http://127.0.0.1:1',
  };
  await expect(startTestService(production)).rejects.toThrow(
    'OAUTH_OIDC_ISSUER must be https in production',
  );
});
