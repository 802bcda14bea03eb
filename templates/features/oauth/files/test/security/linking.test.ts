import { expect, test } from 'vitest';
import { browser, nativeClient } from '../client.js';
import { linksOf, linkTokenTo } from '../flows/link.js';
import { signInAt, startServiceWith } from '../flows/oauth.js';
import { counterparts } from '../oauth/counterparts.js';
import { startTestService } from '../service.js';
import { signInAs, signInBrowserAs, startSignedIn } from '../sign-in-as.js';

const OTHER = 'ada@home.example';

test('F-05 CVE-2026-9087 -82968 -92358 class refused: a link goes to the account that asked for it, and an older one links nothing again', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  await client.post('/link-request', { email: OTHER });
  const first = await linkTokenTo(service, OTHER);
  await client.post('/logout');
  const bob = await signInAs(service);
  await client.post('/refresh', { refreshToken: bob.refreshToken });
  await client.post('/link-verify', { token: first, loginAfterLinking: false });
  expect((await client.get('/me')).body.sub).toBe(bob.user.id);
  expect(await linksOf(client)).toEqual([]);

  const ada = await signInAs(service);
  const [older, newer] = ['old@home.example', 'new@home.example'];
  await ada.client.post('/link-request', { email: older });
  const tokens = [await linkTokenTo(service, older)];
  await ada.client.post('/link-request', { email: newer });
  tokens.push(await linkTokenTo(service, newer));
  await nativeClient(service).post('/link-verify', { token: tokens[1] });
  await service.services.db
    .deleteFrom('linked_accounts')
    .where('user_id', '=', ada.user.id)
    .execute();
  for (const token of [...tokens, first]) {
    expect((await nativeClient(service).post('/link-verify', { token })).status).toBe(400);
  }
  expect(await linksOf(ada.client)).toEqual([]);
});

test('F-26 CVE-2025-12390 class refused: a conflict that somebody met before in this browser is not linked', async () => {
  for (const [, start] of counterparts) {
    const { service, counterpart } = await startServiceWith(start);
    const { user } = await signInAs(service);
    const client = browser(service);
    for (const id of ['1', '2', '3', '4']) {
      counterpart.person = { id, email: user.email, isEmailVerified: false };
      await signInAt(service, counterpart, client);
      service.advance(61_000);
    }
    await client.post('/link-request', { email: user.email, provider: counterpart.name });
    const token = await linkTokenTo(service, user.email);
    await client.post('/link-verify', { token, loginAfterLinking: true });
    expect(await linksOf(client)).toEqual([[counterpart.name, '4']]);
  }
});

test('F-06 CVE-2026-15571 class refused: the handle of a link reveals neither person, provider nor time', async () => {
  const { service, user } = await startSignedIn();
  const { oneTimeTokens } = service.services;
  const tokens = await Promise.all(
    Array.from({ length: 200 }, () => oneTimeTokens.issue('link', user.id, 1000)),
  );
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
  for (const part of [0, 16, 32, 48]) {
    expect(new Set(tokens.map((token) => token.slice(part, part + 16))).size).toBe(200);
  }
});

test('attack: a click on the page of a conflict that a stranger linked to does not add their address', async () => {
  const { service, client, user } = await startSignedIn();
  for (const email of [OTHER, user.email]) {
    const { status, body } = await client.post('/link-request', { email, provider: 'acme' });
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  }
  expect(await service.mails()).toEqual([]);
});
