import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { createPasswordAccount } from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';

test('a browser is handed three cookies and a body without any token', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);

  const { status, body, headers, setCookies } = await browser(service).post('/login', {
    email,
    password,
  });

  expect(status).toBe(200);
  expect(body).toEqual({ success: true });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(setCookies).toEqual([
    {
      name: 'accessToken',
      value: expect.stringMatching(/^ey/),
      maxAge: 15 * 60,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
    },
    {
      name: 'refreshToken',
      value: expect.stringMatching(/^ey/),
      maxAge: 7 * 24 * 3600,
      path: '/auth',
      httpOnly: true,
      sameSite: 'lax',
    },
    {
      name: 'csrf-token',
      value: expect.stringMatching(/^[0-9a-f]{64}\.[0-9a-f]{64}$/),
      maxAge: 7 * 24 * 3600,
      path: '/',
      sameSite: 'lax',
    },
  ]);
});

test('behind https the cookies are Secure and carry the prefixes by which a browser vouches for them', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.test' });
  const { email, password } = await createPasswordAccount(service);

  const { setCookies } = await browser(service).post('/login', { email, password });

  expect(setCookies.map(({ name, path, secure }) => [name, path, secure])).toEqual([
    ['__Host-accessToken', '/', true],
    ['__Secure-refreshToken', '/auth', true],
    ['__Host-csrf-token', '/', true],
  ]);
});

test('a native client is handed the tokens in the body and no cookie at all', async () => {
  const service = await startTestService();
  const { email, password } = await createPasswordAccount(service);

  const { status, body, setCookies } = await nativeClient(service).post('/login', {
    email,
    password,
  });

  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    accessToken: expect.stringMatching(/^ey/),
    refreshToken: expect.stringMatching(/^ey/),
  });
  expect(setCookies).toEqual([]);
});

test('session fixation: a sign-in never takes over the session that the browser brings along', async () => {
  const service = await startTestService();
  const mallory = await createPasswordAccount(service);
  const ada = await createPasswordAccount(service);
  const client = browser(service);
  await client.post('/login', mallory);
  const planted = new Map(client.cookies);

  await client.post('/login', ada);

  expect((await client.get('/me')).body.email).toBe(ada.email);
  for (const [name, value] of planted) expect(client.cookies.get(name)).not.toBe(value);
});
