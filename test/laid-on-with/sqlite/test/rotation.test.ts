import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { checkEnvironment } from '../src/commands/findings.js';
import { newSecret } from '../src/features/webhooks/signing.js';
import { stopWorkers } from '../src/services.js';
import { browser, nativeClient } from './client.js';
import { SECRETS } from './environment.js';
import { passFirstFactor } from './factor.js';
import { requestMagicLink } from './flows/magic-link.js';
import { begin, comeBack } from './flows/oauth.js';
import { createPasswordAccount, requestResetToken, resetPassword } from './flows/password.js';
import { phonesOf, requestTextedCode, signInWithPhone, startSmsSink } from './flows/sms.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { addScript, callTools, signatureOf } from './inbound.js';
import { counterparts } from './oauth/counterparts.js';
import { runCommand } from './process.js';
import { addEndpoint, publish, startReceiver } from './receiver.js';
import { startTestService, type TestEnvironment, type TestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

const MINUTE = 60_000;

const OLD = {
  ACCESS_TOKEN_SECRET: '3b1f0c62a97d48e5b0d2769cfe81a45310dd6c7b92e84fa1c0573eb8964d2af7',
  REFRESH_TOKEN_SECRET: '9e52d8b7410fa6c3725ec98d10b4f63ae87c05d1f2964b3a8bd71e60c5f93a24',
  DATA_KEY: 'c6a04be17d935f82e1708bd4a25c96f30eb7d4129fa3685cd07e1b92f4863ac5',
};

/** The values in the recipes of the docs, line by line: `old`, `new` and commas. */
function recipe(name: string): string[] {
  const lines = readFileSync('docs/secrets.md', 'utf8').matchAll(
    new RegExp(`^${name}=(\\S+)`, 'gm'),
  );
  return [...lines].map(([, list = '']) => list);
}

const ofTokens = recipe('ACCESS_TOKEN_SECRET');
const ofData = recipe('DATA_KEY');

/** The variables of one line of the recipes. */
function step(line: number): TestEnvironment {
  const listOf = (name: keyof typeof OLD, list = '') =>
    list.replace('old', OLD[name]).replace('new', SECRETS[name]);
  return {
    ACCESS_TOKEN_SECRET: listOf('ACCESS_TOKEN_SECRET', ofTokens[line]),
    REFRESH_TOKEN_SECRET: listOf('REFRESH_TOKEN_SECRET', ofTokens[line]),
    DATA_KEY: listOf('DATA_KEY', ofData[line]),
  };
}

test('all secrets are changed as the docs say: nobody is locked out, and the old ones no longer work', async () => {
  expect([ofTokens, ofData]).toEqual([
    ['old,new', 'new,old', 'new'],
    ['old,new', 'new,old', 'new'],
  ]);
  const [[, startCounterpart] = []] = counterparts;
  if (!startCounterpart) throw new Error('There is no provider.');
  const counterpart = await startCounterpart();
  const sink = await startSmsSink();
  const receiver = await startReceiver();
  const shared = { ...counterpart.variables, ...sink.environment };
  const before = await startTestService({ ...shared, ...OLD });
  const { DATABASE_URL } = before.config;
  const restart = async (running: TestService, line: number) => {
    await stopWorkers(running.services);
    return startTestService({ ...shared, DATABASE_URL, ...step(line) });
  };

  // Everything open when the change begins.
  const byPassword = await createPasswordAccount(before, { email: 'password@example.com' });
  const withApp = await signInAs(before, { email: 'app@example.com' });
  const { secret } = await enrolTotp(withApp);
  before.advance(MINUTE);
  const { tempToken } = await passFirstFactor(before, withApp.user.id);
  const withPhone = await signInWithPhone(phonesOf(before, sink), { email: 'phone@example.com' });
  const texted = await requestTextedCode(phonesOf(before, sink), withPhone.user.email);
  const byLink = await signInAs(before, { email: 'link@example.com' });
  const linkToken = await requestMagicLink(before, byLink.user.email);
  const resetToken = await requestResetToken(before, byPassword.email);
  const page = await signInBrowserAs(before, { email: 'page@example.com' });
  const atProvider = browser(before);
  const answer = await counterpart.agree(await begin(atProvider, counterpart));
  const signing = newSecret();
  await addEndpoint(before, {
    url: receiver.url,
    events: ['identity.auth.logout'],
    secret: signing,
  });
  await addScript(before, 'result = 1', { secret: 'a-shared-secret' });

  const prepared = await restart(before, 0);
  expect((await browser(prepared, page.client.cookies).get('/me')).status).toBe(200);
  const during = await restart(prepared, 1);

  const cookies = page.client.cookies;
  expect((await browser(during, cookies).patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await browser(during, cookies).post('/refresh')).status).toBe(200);
  const client = nativeClient(during);
  const app = await client.post('/2fa/verify', { tempToken, totpCode: authenticatorCode(secret) });
  const phone = await client.post('/sms/verify', { email: 'phone@example.com', code: texted });
  const link = await client.post('/magic-link/verify', { token: linkToken });
  const provider = await comeBack(during, browser(during, atProvider.cookies), answer);
  const reset = await resetPassword(during, resetToken, 'a password that is new');
  expect([app.status, phone.status, link.status, provider.status, reset.status]).toEqual([
    200, 200, 200, 302, 200,
  ]);
  expect(provider.headers.get('location')).toBe('http://app.test/');

  // The command line, and the count that says when the old key can be removed.
  const resealed = await runCommand(during, 'keys', ['reseal']);
  expect([resealed.code, resealed.stdout]).toEqual([
    0,
    expect.stringMatching(/^Resealed: \d+\.\nOnly the first key of DATA_KEY is needed now\.\n$/),
  ]);
  const findings = await checkEnvironment(during.environment);
  expect(findings.filter(({ about }) => about === 'keys').map(({ message }) => message)).toEqual([
    'Key 1 of DATA_KEY has sealed 3 values.',
    'Key 2 of DATA_KEY has sealed 0 values.',
  ]);

  const after = await restart(during, 2);
  const last = nativeClient(after);
  expect((await browser(after, cookies).patch('/profile', { name: 'Eve' })).status).toBe(200);
  expect((await browser(after, cookies).post('/refresh')).status).toBe(200);
  for (const { body } of [app, phone, link]) {
    expect((await last.post('/refresh', { refreshToken: body.refreshToken })).status).toBe(200);
  }
  const login = { email: byPassword.email, password: 'a password that is new' };
  expect((await last.post('/login', login)).status).toBe(200);
  after.advance(MINUTE);
  const again = await passFirstFactor(after, withApp.user.id);
  const next = { tempToken: again.tempToken, totpCode: authenticatorCode(secret) };
  expect((await last.post('/2fa/verify', next)).status).toBe(200);
  publish(after);
  const [delivery] = await receiver.until(1);
  const verify = () =>
    new Webhook(signing).verify(delivery?.text ?? '', delivery?.headers as Record<string, string>);
  expect(verify).not.toThrow();
  expect((await callTools(after, '{}', signatureOf('{}'))).status).toBe(200);

  // The old secrets: what they signed is refused.
  const stale = nativeClient(after, byLink.accessToken);
  expect((await stale.get('/me')).body.code).toBe('INVALID_TOKEN');
  const refused = await last.post('/refresh', { refreshToken: byLink.refreshToken });
  expect(refused.body.code).toBe('INVALID_REFRESH_TOKEN');
});
