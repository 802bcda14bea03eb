import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { expect, test, vi } from 'vitest';
import { browser } from './client.js';
import { begin, comeBack } from './flows/oauth.js';
import {
  CLIENT_ID,
  type Grant,
  type Person,
  startAuthorizationServer,
} from './oauth/authorization-server.js';
import { startGithub } from './oauth/counterparts/github.js';
import { startTestService, type TestService } from './service.js';

const EMAIL = 'ada@example.com';
const LONG = 'x'.repeat(5 * 1024);

/** As JSON text, because only that can hold numbers beyond those of JavaScript. Undefined: no id. */
const IDS = ['""', 'null', '0', '-0', '[]', '{}', 'true', '1e400', '-1e400', '" "', `"${LONG}"`];
const SUBJECTS: (string | undefined)[] = [...IDS.filter((id) => id !== '" "'), undefined];

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An issuer whose ID token has the JSON text `state.sub` as its subject. */
async function startRawIssuer() {
  const state: { sub: string | undefined } = { sub: undefined };
  const server = await startAuthorizationServer({
    name: 'oidc',
    authorizePath: '/authorize',
    tokenPath: '/token',
    tokensOf({ nonce }: Grant) {
      const time = Math.floor(Date.now() / 1000);
      const rest = { iss: server.url, aud: CLIENT_ID, iat: time, exp: time + 60, nonce };
      const claims = JSON.stringify({ ...rest, email: EMAIL, email_verified: true }).slice(1);
      const payload = state.sub === undefined ? `{${claims}` : `{"sub":${state.sub},${claims}`;
      const header = { alg: 'RS256', kid: 'one', typ: 'JWT' };
      return { id_token: jwt.sign(payload, keys.privateKey, { algorithm: 'RS256', header }) };
    },
    resources: {
      '/.well-known/openid-configuration': () => ({
        issuer: server.url,
        authorization_endpoint: `${server.url}/authorize`,
        token_endpoint: `${server.url}/token`,
        jwks_uri: `${server.url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'one' }],
      }),
    },
  });
  return Object.assign(server, { raw: state });
}

async function expectNobody({ services }: TestService): Promise<void> {
  expect(await services.users.list({ limit: 9, offset: 0 })).toEqual([]);
  expect(await services.db.selectFrom('linked_accounts').selectAll().execute()).toEqual([]);
}

test('F-28 an ID token whose subject is no text that names somebody opens nothing', async () => {
  const issuer = await startRawIssuer();
  const service = await startTestService(issuer.variables);
  const signIn = async () => {
    const client = browser(service);
    const url = await issuer.agree(await begin(client, issuer));
    const { headers } = await comeBack(service, client, url);
    return { page: headers.get('location'), me: (await client.get('/me')).status };
  };
  for (const sub of SUBJECTS) {
    issuer.raw.sub = sub;
    const refused = { page: 'http://app.test/login?error=OAUTH_FAILED', me: 401 };
    expect([sub?.slice(0, 20), await signIn()]).toEqual([sub?.slice(0, 20), refused]);
  }
  await expectNobody(service);
  // A valid id from the same issuer is accepted.
  issuer.raw.sub = '"1"';
  expect(await signIn()).toEqual({ page: 'http://app.test/', me: 200 });
});

test('F-28 a user of an API whose id is no number that names somebody opens nothing', async () => {
  const counterpart = await startGithub();
  const service = await startTestService(counterpart.variables);
  let id: string | undefined;
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (!String(input).endsWith('/api/v3/user')) return send(input, init);
    const rest = `"login":"ada","name":"Ada"}`;
    const text = id === undefined ? `{${rest}` : `{"id":${id},${rest}`;
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve(new Response(text, { headers }));
  });
  const person: Person = { id: '1', email: EMAIL, isEmailVerified: true };
  counterpart.person = person;
  const signIn = async () => {
    const client = browser(service);
    const url = await counterpart.agree(await begin(client, counterpart));
    await comeBack(service, client, url);
    return (await client.get('/me')).status;
  };
  for (const each of [...IDS, undefined, '"1"', '1.5', '9007199254740993']) {
    id = each;
    expect([each?.slice(0, 20), await signIn()]).toEqual([each?.slice(0, 20), 401]);
  }
  await expectNobody(service);
  id = '1';
  expect(await signIn()).toBe(200);
});
