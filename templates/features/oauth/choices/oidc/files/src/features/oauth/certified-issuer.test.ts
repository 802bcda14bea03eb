import { expect, test } from 'vitest';
import { browser } from '../../../test/client.js';
import { startCertifiedIssuer } from '../../../test/oauth/certified-issuer.js';
import { begin, comeBack, signInAt } from '../../../test/oauth/sign-in-at.js';
import { startTestService } from '../../../test/service.js';

test('people sign in at a certified issuer', async () => {
  const issuer = await startCertifiedIssuer();
  const service = await startTestService(issuer.variables);

  const { client, page } = await signInAt(service, issuer);

  expect(page.href).toBe('http://app.test/');
  expect((await client.get('/me')).body).toMatchObject({
    email: 'ada@example.com',
    isEmailVerified: true,
    loginProvider: 'oidc',
    metadata: { name: 'Ada' },
  });
});

test('its answers carry the issuer, and without it they are refused (RFC 9207)', async () => {
  const issuer = await startCertifiedIssuer();
  const service = await startTestService(issuer.variables);
  const client = browser(service);
  const url = await issuer.agree(await begin(client, issuer));
  expect(url.searchParams.get('iss')).toBe(issuer.variables.OAUTH_OIDC_ISSUER);

  url.searchParams.delete('iss');
  const { headers } = await comeBack(service, client, url);

  expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
});

test('a code that the issuer gave for another browser is refused by it (PKCE)', async () => {
  const issuer = await startCertifiedIssuer();
  const service = await startTestService(issuer.variables);
  const [victim, thief] = [browser(service), browser(service)];
  const stolen = await issuer.agree(await begin(victim, issuer));
  const url = await issuer.agree(await begin(thief, issuer));

  url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
  const { headers } = await comeBack(service, thief, url);

  expect(headers.get('location')).toBe('http://app.test/login?error=OAUTH_FAILED');
});
