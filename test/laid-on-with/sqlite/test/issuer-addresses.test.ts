import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { browser } from './client.js';
import { begin, comeBack, signInAt } from './flows/oauth.js';
import { startOidc } from './oauth/counterparts/oidc.js';
import { startIssuer } from './oauth/issuer.js';
import { openPanel } from './panel.js';
import { startTestService } from './service.js';
import { visitor } from './visitor.js';

/** A server in the private network, which answers everybody and counts connections. */
async function startPrivate() {
  const seen: string[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('connection', ({ remoteAddress }) => seen.push(`from ${remoteAddress}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { seen, port };
}

const PRIVATE = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0'];

/** A public IP address, which needs no look-up. */
const ISSUER = 'https://9.9.9.9/tenant';

const named = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'].flatMap((field) =>
  PRIVATE.flatMap((host) => [[field, 'http', host] as const, [field, 'https', host] as const]),
);

test.each(named)(
  'F-33 an issuer of the web leads nobody inside: its %s at %s://%s is not connected to',
  async (field, scheme, host) => {
    const target = await startPrivate();
    const metadata = { [field]: `${scheme}://${host}:${target.port}/${field}` };
    const issuer = await startIssuer('oidc', { url: ISSUER, metadata });
    issuer.faults.hasUserInfoOnly = field === 'userinfo_endpoint';
    const service = await startTestService(issuer.variables);
    const client = browser(service);
    const location = await begin(client, issuer);
    expect(new URL(location).origin).toBe('https://9.9.9.9');

    const back = await comeBack(service, client, await issuer.agree(location));

    expect(back.headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
    expect((await client.get('/me')).status).toBe(401);
    expect(target.seen).toEqual([]);
  },
);

test('an issuer inside a private network may name a neighbour there', async () => {
  const neighbour = await startPrivate();
  const metadata = { userinfo_endpoint: `http://localhost:${neighbour.port}/userinfo` };
  const issuer = await startIssuer('oidc', { metadata });
  issuer.faults.hasUserInfoOnly = true;
  await signInAt(await startTestService(issuer.variables), issuer);
  expect(neighbour.seen).not.toEqual([]);
});

test('an issuer of the web whose endpoints are https signs people in', async () => {
  const issuer = await startIssuer('oidc', { url: ISSUER, metadata: {} });
  issuer.faults.hasUserInfoOnly = true;
  const { page } = await signInAt(await startTestService(issuer.variables), issuer);
  expect(page.href).toBe('http://app.test/');
});

test('F-33 a picture at a provider is never fetched: neither at the sign-in nor for a page', async () => {
  const target = await startPrivate();
  const issuer = await startOidc();
  const service = await startTestService({ ...issuer.variables, APP_URL: '' });
  issuer.faults.claims = {
    picture: `http://127.0.0.1:${target.port}/picture`,
    profile: `http://127.0.0.1:${target.port}/profile`,
  };
  const { client } = await signInAt(service, issuer);
  const [linked] = (await client.get('/linked-accounts')).body.linkedAccounts;
  expect(linked.picture).toBe(`http://127.0.0.1:${target.port}/picture`);
  const person = visitor(service);
  for (const [name, value] of client.cookies) person.cookies.set(name, value);
  const { sub } = (await client.get('/me')).body;
  await person.open('/auth/ui/account/linked-accounts');
  const { visit } = await openPanel(service);
  expect((await visit.open(`/admin/users/${sub}`)).status).toBe(200);
  await service.idle();
  expect(target.seen).toEqual([]);
});
