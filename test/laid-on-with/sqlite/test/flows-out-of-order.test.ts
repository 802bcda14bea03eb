import { expect, test } from 'vitest';
import { HttpError } from '../src/http/errors.js';
import { browser, type Client, nativeClient } from './client.js';
import { challengeOf, passFirstFactor } from './factor.js';
import { linkTokenIn } from './flows/magic-link.js';
import { signInWithPhone, startTextingService } from './flows/sms.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { atLastStep, fill, outcomeOf, routesOf, startWithFlows } from './security/flow.js';
import type { TestService } from './service.js';
import { type SignedIn, signInAs } from './sign-in-as.js';

// Another test tries the result of each flow at the last step of all others; this one tries intermediate results.

/** The token of a user who must set up a second factor and has none: their address is not proven yet. */
async function setUpTokenOf(service: TestService, { user }: SignedIn): Promise<string> {
  await service.services.settings.set('require2FA', true);
  const refusal = await passFirstFactor(service, user.id).catch((reason: unknown) => reason);
  await service.services.settings.set('require2FA', null);
  if (!(refusal instanceof HttpError)) throw new Error('It was not refused.');
  return String(refusal.extra.fields?.tempToken);
}

const newcomerAt = (service: TestService) => signInAs(service, { isEmailProven: false });

/** The intermediate secrets of each flow that was begun. */
const given: Record<string, (service: TestService, person: SignedIn) => Promise<string>> = {
  'the challenge of a second step': challengeOf,
  'the token of a demanded set-up': async (service) =>
    setUpTokenOf(service, await newcomerAt(service)),
  'an access token': async (_service, { accessToken }) => accessToken,
  'a refresh token': async (_service, { refreshToken }) => refreshToken,
};

test.each(Object.entries(given))(
  'F-03 %s is taken at the last step of no flow, neither of the same person nor of another',
  async (_name, give) => {
    const { service, flows } = await startWithFlows();
    const taken: string[] = [];
    let tried = 0;
    for (const flow of flows) {
      const { person, secret, send } = await atLastStep(service, flow);
      if (secret === undefined) continue;
      for (const whose of [person, await signInAs(service)]) {
        tried += 1;
        const outcome = outcomeOf(await send(await give(service, whose)));
        if (outcome !== 'refused') taken.push(`${flow.route}: ${outcome}`);
      }
    }
    expect(tried).toBeGreaterThan(15);
    expect(taken).toEqual([]);
  },
);

test('F-03 no secret of a flow stands for the challenge of a second step, in whatever mode', async () => {
  const { service, flows } = await startWithFlows();
  const ada = await signInAs(service);
  const { secret: app } = await enrolTotp(ada);
  service.advance(60_000);
  const taken: string[] = [];
  for (const flow of flows) {
    const { secret } = await atLastStep(service, flow);
    if (secret === undefined) continue;
    for (const [path, body] of [
      ['/2fa/verify', { totpCode: authenticatorCode(app) }],
      ['/sms/send', { mode: '2fa' }],
      ['/sms/verify', { mode: '2fa', code: secret }],
      ['/magic-link/send', { mode: '2fa' }],
      ['/magic-link/verify', { mode: '2fa', token: 'f'.repeat(64) }],
    ] as const) {
      const answer = await nativeClient(service).post(path, { ...body, tempToken: secret });
      if (answer.status < 400) taken.push(`${flow.route} at ${path}`);
    }
  }
  expect(taken).toEqual([]);
});

test('F-03 what was given for a step opens no route as if it were a session', async () => {
  const { service, flows } = await startWithFlows();
  const opened: string[] = [];
  const ada = await signInAs(service, { role: 'admin' });
  const tokens = [await challengeOf(service, ada), ada.refreshToken];
  const secrets: string[] = [];
  for (const flow of flows) secrets.push((await atLastStep(service, flow)).secret ?? '');
  for (const [nth, { method, path, access }] of routesOf(service).entries()) {
    if (access === 'public') continue;
    const body = method === 'GET' ? undefined : {};
    // What is no token at all is tried at some routes: all read their credential in the same place.
    for (const token of [...tokens, secrets[nth % secrets.length] ?? '']) {
      const web = browser({ ...service, prefix: '' }, new Map([['accessToken', token]]));
      for (const client of [web, nativeClient({ ...service, prefix: '' }, token)]) {
        const { status } = await client.send(method, fill(path, 'x'), body);
        if (status !== 401) opened.push(`${method} ${path}: ${status}`);
      }
    }
  }
  expect(opened).toEqual([]);
});

test('F-03 the token of a demanded set-up opens the set-up alone, and its last step takes the secret of its own first step', async () => {
  const { service } = await startWithFlows();
  const begin = async () => {
    const person = await newcomerAt(service);
    const client = nativeClient(service, await setUpTokenOf(service, person));
    await service.services.users.markEmailProven(person.user.id);
    return client;
  };
  const [ofAda, ofEve] = [await begin(), await begin()];
  const secretOf = async (client: Client) => (await client.post('/2fa/setup')).body.secret;
  const [first, second, others] = [
    await secretOf(ofAda),
    await secretOf(ofAda),
    await secretOf(ofEve),
  ];
  expect(new Set([first, second, others]).size).toBe(3);
  for (const secret of [first, others]) {
    const wrong = { token: authenticatorCode(secret), secret };
    expect((await ofAda.post('/2fa/verify-setup', wrong)).status).toBe(400);
  }
  expect((await ofAda.get('/me')).status).toBe(401);
  const right = { token: authenticatorCode(second), secret: second };
  expect((await ofAda.post('/2fa/verify-setup', right)).status).toBe(200);
  // The first step again, with what the last one has consumed.
  expect((await ofAda.post('/2fa/setup')).status).toBe(401);
  expect((await ofAda.post('/2fa/verify-setup', right)).status).toBe(401);
});

test('F-03 another way in the middle: what one challenge asked for finishes no other, and a finished one is dead for every way', async () => {
  const phones = await startTextingService();
  const { service } = phones;
  const client = nativeClient(service);
  const withApp = await signInWithPhone(phones);
  const { secret } = await enrolTotp(withApp);
  service.advance(60_000);
  const [one, other] = [await challengeOf(service, withApp), await challengeOf(service, withApp)];
  const byText = (tempToken: string, code: string) =>
    client.post('/sms/verify', { tempToken, mode: '2fa', code });
  const byApp = (tempToken: string, steps: number) =>
    client.post('/2fa/verify', { tempToken, totpCode: authenticatorCode(secret, steps) });

  await client.post('/sms/send', { tempToken: one, mode: '2fa' });
  const code = await phones.lastCode();
  expect((await byText(other, code)).status).toBe(400);
  expect((await byApp(one, 0)).status).toBe(200);
  expect([(await byText(one, code)).status, (await byApp(one, 1)).status]).toEqual([400, 400]);
  expect((await byApp(other, 1)).status).toBe(200);

  await service.services.settings.set('require2FA', true);
  const withMail = await signInWithPhone(phones);
  const challenges = [await challengeOf(service, withMail), await challengeOf(service, withMail)];
  const [first = '', second = ''] = challenges;
  await client.post('/magic-link/send', { tempToken: first, mode: '2fa' });
  const token = linkTokenIn((await service.mails()).at(-1));
  const byLink = (tempToken: string) =>
    client.post('/magic-link/verify', { tempToken, mode: '2fa', token });
  expect((await byLink(second)).body.code).toBe('TOKEN_MISMATCH');
  await client.post('/sms/send', { tempToken: first, mode: '2fa' });
  expect((await byText(first, await phones.lastCode())).status).toBe(200);
  for (const answer of [await byLink(first), await byLink(second), await byLink('')]) {
    expect([answer.status, outcomeOf(answer)]).toEqual([400, 'refused']);
  }
  expect(outcomeOf(await client.post('/magic-link/verify', { token }))).toBe('refused');
});
