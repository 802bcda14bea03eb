import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { browser } from '../client.js';
import { inProduction } from '../environment.js';
import { comeBack, createAccount, signInAt, startAtCallback } from '../flows/oauth.js';
import { startOidc } from '../oauth/counterparts/oidc.js';
import { startIssuer } from '../oauth/issuer.js';
import { startTestService } from '../service.js';

/** A host that the service must not contact, and one that redirects every request to it. */
async function startElsewhere() {
  const seen: string[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('{}');
  });
  const redirects = createServer((request, response) => {
    response.writeHead(302, { location: `${urlOf(elsewhere)}${request.url}` }).end();
  });
  const connections: unknown[] = [];
  redirects.on('connection', (socket) => connections.push(socket.remoteAddress));
  for (const server of [elsewhere, redirects]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
  }
  return { seen, connections, url: urlOf(redirects) };
}

function urlOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('F-33 CVE-2026-4366 -1180, better-auth #10830 class refused: nothing that an issuer says leads the service to another host by a redirect', async () => {
  const elsewhere = await startElsewhere();
  const at = (path: string) => `${elsewhere.url}/${path}`;
  for (const metadata of [
    { issuer: elsewhere.url },
    { jwks_uri: at('jwks') },
    { userinfo_endpoint: at('userinfo') },
    { token_endpoint: at('token') },
  ]) {
    const issuer = await startIssuer('oidc', { metadata });
    issuer.faults.hasUserInfoOnly = 'userinfo_endpoint' in metadata;
    const discovered = metadata.issuer ? { OAUTH_OIDC_ISSUER: elsewhere.url } : {};
    const service = await startTestService({ ...issuer.variables, ...discovered });
    const { headers } = await browser(service).get('/oauth/oidc');
    const isRefused = headers.get('location')?.endsWith('error=OAUTH_FAILED');
    const page = isRefused ? undefined : (await signInAt(service, issuer)).page;
    expect([metadata, page?.href ?? headers.get('location')]).toEqual([
      metadata,
      'http://app.test/login?error=OAUTH_FAILED',
    ]);
  }
  expect(elsewhere.seen).toEqual([]);
});

test.each(['jwks_uri', 'userinfo_endpoint', 'token_endpoint'])(
  'F-33 class refused: an issuer on the internet whose %s is in a private network is not followed there',
  async (field) => {
    const { connections, url } = await startElsewhere();
    const metadata = { [field]: url.replace('http:', 'https:') };
    // A public address, known without a look-up; requests to it end at the issuer of the test.
    const issuer = await startIssuer('oidc', { url: 'https://9.9.9.9/tenant', metadata });
    issuer.faults.hasUserInfoOnly = field === 'userinfo_endpoint';
    const { page } = await signInAt(await startTestService(issuer.variables), issuer);
    expect(page.href).toBe('http://app.test/login?error=OAUTH_FAILED');
    expect(connections).toEqual([]);
  },
);

test('F-33 class refused: an issuer by plain http is taken on this machine only, and never in production', async () => {
  const started = (OAUTH_OIDC_ISSUER: string, variables: object) => () =>
    readConfig({ ...inProduction, ...variables, OAUTH_OIDC_ISSUER });
  const development = { NODE_ENV: 'development' };
  expect(started('http://127.0.0.1:1', development)).not.toThrow();
  expect(started('http://127.0.0.1:1', {})).toThrow('OAUTH_OIDC_ISSUER');
  for (const url of ['http://10.0.0.1', 'http://169.254.169.254', 'http://127.0.0.1.evil.test']) {
    expect(started(url, development)).toThrow('OAUTH_OIDC_ISSUER');
  }
});

async function start() {
  const issuer = await startOidc();
  return { issuer, service: await startTestService(issuer.variables) };
}

test('attack: a response without its issuer is refused where the provider promises one (RFC 9207)', async () => {
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
