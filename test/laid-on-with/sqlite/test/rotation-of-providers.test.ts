import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { stopWorkers } from '../src/services.js';
import { browser, nativeClient } from './client.js';
import { begin, comeBack, signInAt } from './flows/oauth.js';
import { phonesOf, signInWithPhone, startSmsSink } from './flows/sms.js';
import { startIssuer } from './oauth/issuer.js';
import { startTestService } from './service.js';

type SmsSink = Awaited<ReturnType<typeof startSmsSink>>;

/** How each transport gets a token, presents it and sends a text. */
const transports = {
  http: {
    variables: ({ environment }: SmsSink, token: string) => ({
      ...environment,
      SMS_HTTP_TOKEN: token,
    }),
    shown: (token: string) => `Bearer ${token}`,
    textIn: (body: string) => JSON.parse(body),
  },
  twilio: {
    variables: ({ url }: SmsSink, token: string) => ({
      SMS_TRANSPORT: 'twilio',
      SMS_TWILIO_URL: url,
      SMS_TWILIO_ACCOUNT_SID: 'AC0123',
      SMS_TWILIO_AUTH_TOKEN: token,
      SMS_TWILIO_FROM: '+15005550006',
    }),
    shown: (token: string) => `Basic ${Buffer.from(`AC0123:${token}`).toString('base64')}`,
    textIn(body: string) {
      const { To: to = '', Body: text = '' } = Object.fromEntries(new URLSearchParams(body));
      return { to, text };
    },
  },
};

test.each(Object.entries(transports))(
  'the token of the SMS transport %s is changed by a restart: a code that is on its way opens, and the old token is sent no more',
  async (_name, { variables, shown, textIn }) => {
    const started = await startSmsSink();
    const { requests } = started;
    const sink = { ...started, texts: () => requests.map(({ body }) => textIn(body)) };
    const tokens = () => new Set(requests.map(({ headers }) => headers.authorization));
    const before = await startTestService(variables(sink, 'the old one'));
    const { user } = await signInWithPhone(phonesOf(before, sink), { email: 'ada@example.com' });
    await nativeClient(before).post('/sms/send', { email: user.email });
    const code = await phonesOf(before, sink).lastCode();
    expect(tokens()).toEqual(new Set([shown('the old one')]));

    await stopWorkers(before.services);
    requests.length = 0;
    const { DATABASE_URL } = before.config;
    const after = await startTestService({ ...variables(sink, 'the new one'), DATABASE_URL });
    const client = nativeClient(after);
    expect((await client.post('/sms/verify', { email: user.email, code })).status).toBe(200);
    await client.post('/sms/send', { email: user.email });
    const next = { email: user.email, code: await phonesOf(after, sink).lastCode() };
    expect((await client.post('/sms/verify', next)).status).toBe(200);
    expect(tokens()).toEqual(new Set([shown('the new one')]));
  },
);

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();

test("Apple's key is changed by a restart: a sign-in that is under way comes to its end, and the old key opens nothing", async () => {
  const [older, newer] = [keyPair(), keyPair()];
  const accepted = [{ id: 'KEYOFTHEOLD', key: older.publicKey }];
  const issuer = await startIssuer('apple', {
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      userinfo_endpoint: undefined,
    },
    isSecret(text) {
      const kid = jwt.decode(text, { complete: true })?.header.kid;
      const known = accepted.find(({ id }) => id === kid);
      try {
        return known !== undefined && Boolean(jwt.verify(text, known.key));
      } catch {
        return false;
      }
    },
    variables: { OAUTH_APPLE_TEAM_ID: 'TEAM123456' },
  });
  const variablesOf = (id: string, { privateKey }: typeof older) => ({
    ...issuer.variables,
    OAUTH_APPLE_KEY_ID: id,
    OAUTH_APPLE_PRIVATE_KEY: pemOf(privateKey),
  });
  const before = await startTestService(variablesOf('KEYOFTHEOLD', older));
  const { client: first } = await signInAt(before, issuer);
  const { sub } = (await first.get('/me')).body;
  const person = browser(before);
  const answer = await issuer.agree(await begin(person, issuer));

  // Apple allows two keys: create the new one first, and revoke the old one last.
  accepted.push({ id: 'KEYOFTHENEW', key: newer.publicKey });
  await stopWorkers(before.services);
  const { DATABASE_URL } = before.config;
  const after = await startTestService({ ...variablesOf('KEYOFTHENEW', newer), DATABASE_URL });
  accepted.shift();

  const back = await comeBack(after, browser(after, person.cookies), answer);
  expect(back.headers.get('location')).toBe('http://app.test/');
  const { client, page } = await signInAt(after, issuer);
  expect([page.href, (await client.get('/me')).body.sub]).toEqual(['http://app.test/', sub]);
  expect((await signInAt(before, issuer)).page.href).toBe(
    'http://app.test/login?error=OAUTH_FAILED',
  );
});
