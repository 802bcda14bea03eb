import { describe, expect, test } from 'vitest';
import { type Answer, browser } from '../client.js';
import {
  begin,
  comeBack,
  createAccount,
  signInAt,
  startAtCallback,
  startServiceWith,
} from '../flows/oauth.js';
import { counterparts } from '../oauth/counterparts.js';
import { startTestService } from '../service.js';
import { outcomeOf } from './flow.js';

const EMAIL = 'ada@example.com';

const FAILED = 'http://app.test/login?error=OAUTH_FAILED';

function expectRefused({ status, body, setCookies }: Answer): void {
  expect([status, body.code]).toEqual([400, 'INVALID_OAUTH_STATE']);
  expect(setCookies.map(({ name }) => name)).not.toContain('accessToken');
}

const [one, another] = counterparts;

test('F-07 GHSA-j4g7, CVE-2025-64717, CVE-2026-1486 -3009 -2603 -16442 class refused: a sign-in begun at a provider opens nothing once the provider is switched off', async () => {
  for (const [name, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    counterpart.person = { id: '1', email: 'linked@example.com', isEmailVerified: true };
    await signInAt(service, counterpart);
    const client = browser(service);
    const back = await counterpart.agree(await begin(client, counterpart));
    // An account with the address that the provider names, not yet proven: a link is mailed.
    await createAccount(service, EMAIL, false);
    counterpart.person = { id: '2', email: EMAIL, isEmailVerified: true };
    const pending = browser(service);
    await signInAt(service, counterpart, pending);
    await pending.post('/link-request', { email: EMAIL, provider: name });
    const [, token = ''] =
      /link-verify\?token=(\w+)/.exec((await service.mails()).at(-1)?.text ?? '') ?? [];
    expect(token).not.toBe('');

    const off = { [`OAUTH_${name.toUpperCase()}_CLIENT_ID`]: '' };
    const restarted = await startTestService({ ...service.environment, ...off });
    service.url = restarted.url;
    expect((await client.get(`/oauth/${name}`)).status).toBe(404);
    expect((await comeBack(service, client, back)).status).toBe(404);
    const linked = await pending.post('/link-verify', { token, loginAfterLinking: true });
    expect(outcomeOf(linked)).toBe('refused');
    expect((await pending.post('/link-request', { email: EMAIL, provider: name })).status).toBe(
      401,
    );
  }
});

test('F-17, F-18 GHSA-86j7, CVE-2026-18214 -9086, better-auth #10003, GHSA-pr34, -v959 class refused: a path to return to never leaves the app', async () => {
  for (const [, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    for (const path of [
      'https://evil.test/',
      '//evil.test',
      '/a//evil.test',
      '/..//evil.test',
      '/./\\evil.test',
      '/\\evil.test',
      '@evil.test',
      'app.test@evil.test',
      'javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      '',
      '/a\r\nSet-Cookie: x=y',
      '/\t/evil.test',
      `/${'x'.repeat(512)}`,
      // The app would take it for the token of a sign-in that has to go on.
      '/2fa#tempToken=x',
      '/?a=b#a=b&%74empToken=x',
      '/2fa#x#&tempToken=x',
      '/2fa#x#tempToken=x',
    ]) {
      const query = `?return_path=${encodeURIComponent(path)}`;
      const { status, body } = await browser(service).get(`/oauth/${counterpart.name}${query}`);
      expect([path, status, body?.code]).toEqual([path, 400, 'OAUTH_RETURN_PATH_INVALID']);
    }
    for (const path of ['/./a', '/../a', '/%2f%2fevil.test', '/@evil.test', '/;x', '/a#b']) {
      const client = browser(service);
      const query = `?return_path=${encodeURIComponent(path)}`;
      const answer = await comeBack(
        service,
        client,
        await counterpart.agree(await begin(client, counterpart, query)),
      );
      expect(new URL(answer.headers.get('location') ?? '').origin).toBe('http://app.test');
    }
  }
});

test('F-28 better-auth #9974 class refused: an empty or malformed id at a provider identifies nobody', async () => {
  for (const [, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    for (const id of ['', null, undefined, [], {}, Number.NaN, 'x'.repeat(5000)]) {
      const person = { id: id as string, email: EMAIL, isEmailVerified: true };
      counterpart.person = person;
      const { answer } = await signInAt(service, counterpart);
      expect([id, outcomeOf(answer)]).toEqual([id, 'refused']);
    }
    expect(await service.services.users.list({ limit: 9, offset: 0 })).toEqual([]);
  }
});

test('F-37 better-auth #9974 class refused: a sign-in at a provider ends only in the browser that began it', async () => {
  for (const [, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    const begun: { client: ReturnType<typeof browser>; url: URL }[] = [];
    for (const id of ['1', '2', '3']) {
      counterpart.person = { id, email: `${id}@example.com`, isEmailVerified: true };
      const client = browser(service);
      begun.push({ client, url: await counterpart.agree(await begin(client, counterpart)) });
    }
    for (const { client } of begun) {
      for (const { url } of begun.filter((other) => other.client !== client)) {
        expect(outcomeOf(await comeBack(service, client, url))).toBe('refused');
      }
    }
    expect(counterpart.exchanges).toEqual([]);
    for (const { client, url } of begun) {
      expect(outcomeOf(await comeBack(service, client, url))).toBe('session');
    }
  }
});

describe.each(counterparts)('%s', (_name, start) => {
  test("attack: a stolen code with the attacker's own state is refused (code injection, PKCE)", async () => {
    const { service, counterpart, url: stolen } = await startAtCallback(start);
    const thief = browser(service);
    const url = await counterpart.agree(await begin(thief, counterpart));

    url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const answer = await comeBack(service, thief, url);

    expect(answer.headers.get('location')).toBe(FAILED);
    expect((await thief.get('/me')).status).toBe(401);
  });

  test("attack: a response in another issuer's name is not exchanged (mix-up)", async () => {
    const { service, counterpart, client, url } = await startAtCallback(start);

    url.searchParams.set('iss', 'https://evil.test');
    const answer = await comeBack(service, client, url);

    expect(answer.headers.get('location')).toBe(FAILED);
    expect(counterpart.exchanges).toEqual([]);
  });
});

test.runIf(another)(
  'attack: the state of one provider is refused at another (mix-up)',
  async () => {
    const [honest, evil] = await Promise.all([one, another].map((each) => each?.[1]()));
    if (!honest || !evil) return;
    const service = await startTestService({ ...honest.variables, ...evil.variables });
    const client = browser(service);
    const url = await honest.agree(await begin(client, honest));

    url.pathname = url.pathname.replace(honest.name, evil.name);

    expectRefused(await comeBack(service, client, url));
    expect([...honest.exchanges, ...evil.exchanges]).toEqual([]);
  },
);
